package io.weft.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Reading has several owners: the application's flag, and each handler's suspension.
class ReadDemandTest {
    private final List<String> seen = new ArrayList<>();

    private final class Reader implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                seen.add(bytes.readString(US_ASCII));
            }
        }
    }

    private EmbeddedChannel channel(boolean autoRead) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, autoRead),
                ch ->
                        ch.pipeline()
                                .addLast("a", new ChannelHandler() {})
                                .addLast("b", new ChannelHandler() {})
                                .addLast(new Reader()));
    }

    private static ChannelHandlerContext context(EmbeddedChannel channel, String name) {
        return Objects.requireNonNull(channel.channel().pipeline().context(name));
    }

    @Test
    void readingGoesOnWhenTheLastSuspensionEnds() {
        try (EmbeddedChannel channel = channel(true)) {
            context(channel, "a").suspendReading();
            context(channel, "b").suspendReading();
            context(channel, "b").suspendReading();
            channel.receive("x");
            context(channel, "b").resumeReading();
            context(channel, "b").resumeReading();
            assertThat(channel.channel().isReadingSuspended()).isTrue();
            assertThat(seen).isEmpty();
            context(channel, "a").resumeReading();
            assertThat(channel.channel().isReadingSuspended()).isFalse();
            assertThat(seen).containsExactly("x");
        }
    }

    @Test
    void autoReadOverridesNoSuspension() {
        try (EmbeddedChannel channel = channel(true)) {
            context(channel, "a").suspendReading();
            channel.channel().autoRead(true);
            channel.receive("x");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void resumingOverridesNoAutoRead() {
        try (EmbeddedChannel channel = channel(true)) {
            context(channel, "a").suspendReading();
            channel.channel().autoRead(false);
            channel.receive("x");
            context(channel, "a").resumeReading();
            assertThat(seen).isEmpty();
            channel.channel().read();
            assertThat(seen).containsExactly("x");
        }
    }

    @Test
    void aReadFromBehindWaitsForTheSuspensionToEnd() {
        try (EmbeddedChannel channel = channel(false)) {
            context(channel, "a").suspendReading();
            channel.receive("x").receive("y");
            context(channel, "b").read();
            channel.channel().read();
            assertThat(seen).isEmpty();
            context(channel, "a").resumeReading();
            assertThat(seen).containsExactly("x");
        }
    }

    @Test
    void aReadFromBeforeASuspendedHandlerPasses() {
        for (boolean autoRead : new boolean[] {false, true}) {
            seen.clear();
            try (EmbeddedChannel channel = channel(autoRead)) {
                context(channel, "b").suspendReading();
                channel.receive("x").receive("y");
                context(channel, "a").read();
                assertThat(seen).containsExactly("x");
            }
        }
    }

    @Test
    void anOutstandingReadIsAnsweredInSpiteOfASuspension() {
        try (EmbeddedChannel channel = channel(false)) {
            channel.channel().read();
            context(channel, "a").suspendReading();
            channel.receive("x").receive("y");
            assertThat(seen).containsExactly("x");
        }
    }

    @Test
    void aRemovedHandlerSuspendsNoLonger() {
        try (EmbeddedChannel channel = channel(true)) {
            ChannelHandlerContext a = context(channel, "a");
            a.suspendReading();
            channel.receive("x");
            channel.channel().pipeline().remove("a");
            assertThat(seen).containsExactly("x");
            a.suspendReading();
            assertThat(channel.channel().isReadingSuspended()).isFalse();
        }
    }

    @Test
    void aSuspensionDoesNotStopAnOrderlyCloseFromDiscarding() {
        try (EmbeddedChannel channel = channel(true)) {
            ChannelHandlerContext a = context(channel, "a");
            a.suspendReading();
            channel.keepInputOpen().receive("x");
            channel.channel().close();
            context(channel, "b").suspendReading();
            channel.channel().autoRead(false);
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }
}
