package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.stomp.HeartBeats;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompMessage;
import io.weft.examples.Options;
import io.weft.examples.Served;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.timeout.ReadTimeoutException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StompBeatsTest {
    /// Remembers the context by which beats begin, and what went wrong.
    private static final class Seeing implements ChannelHandler {
        @Nullable ChannelHandlerContext context;
        @Nullable Throwable failure;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failure = cause;
        }
    }

    private static EmbeddedChannel channel(StompBeats beats, Seeing seeing) {
        return new EmbeddedChannel(
                new EncoderHandler<>(StompMessage.class, new StompEncoder()), beats, seeing);
    }

    @Test
    void beatsAreSentAndMissedAsAgreed() {
        StompBeats beats = new StompBeats();
        Seeing seeing = new Seeing();
        try (EmbeddedChannel channel = channel(beats, seeing)) {
            // The peer wants one in 20 s, and sends one in 15 s.
            beats.begin(Objects.requireNonNull(seeing.context), new HeartBeats(15_000, 20_000));
            channel.advance(Duration.ofSeconds(14));
            assertThat(channel.takeOutboundText()).isEmpty();
            channel.advance(Duration.ofSeconds(5));
            assertThat(channel.takeOutboundText()).isEqualTo("\n");
            assertThat(seeing.failure).isNull();
            channel.advance(Duration.ofSeconds(12));
            assertThat(seeing.failure).isInstanceOf(ReadTimeoutException.class);
        }
    }

    @Test
    void noneAreSentToPeersThatWantNone() {
        StompBeats beats = new StompBeats();
        Seeing seeing = new Seeing();
        try (EmbeddedChannel channel = channel(beats, seeing)) {
            beats.begin(Objects.requireNonNull(seeing.context), HeartBeats.NONE);
            channel.advance(Duration.ofHours(1));
            assertThat(channel.takeOutboundText()).isEmpty();
            assertThat(seeing.failure).isNull();
        }
    }

    @Test
    void clientGetsWhatAnotherSends() throws Exception {
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        try (Served server = Served.start(StompServer::start, "nio")) {
            Options options =
                    new Options(
                            InetAddress.getLoopbackAddress(), server.address().getPort(), "nio", 1);
            try (StompClient one = StompClient.connect(options, (from, text) -> got.add(text));
                    StompClient other = StompClient.connect(options, (from, text) -> {})) {
                one.subscribe("/topic/a").join();
                other.send("/topic/a", "wörd").join();
                assertThat(got.poll(1, TimeUnit.MINUTES)).isEqualTo("wörd");
            }
        }
    }
}
