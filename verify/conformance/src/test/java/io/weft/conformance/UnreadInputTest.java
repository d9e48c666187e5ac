package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.conformance.rig.Feature;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.conformance.rig.Subject;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/// A peer that resets the connection behind input that a channel has not read, as it does not read
/// at the time.
@ParameterizedClass(name = "{0}")
@FieldSource("io.weft.conformance.rig.Transports#CONTRACT")
@Timeout(60)
class UnreadInputTest {
    private static final String LAST_WORDS = "last words";

    private final String transport;
    private final Probe probe = new Probe();
    private Subject subject;

    UnreadInputTest(String transport) {
        this.transport = transport;
    }

    @BeforeEach
    void open() throws IOException {
        Feature.UNREAD_INPUT.assume(transport);
        ChannelOptions options =
                ChannelOptions.DEFAULT
                        .with(ChannelOption.AUTO_READ, false)
                        .with(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(1 << 25, 1 << 26, 1 << 27));
        subject = Subject.open(transport, options, ch -> ch.pipeline().addLast(probe));
    }

    @AfterEach
    void close() throws IOException {
        if (subject != null) {
            subject.close();
        }
    }

    private Channel channel() {
        return subject.channel();
    }

    /// Has the loop look at its connections: it does so between two tasks.
    private void goRounds() {
        for (int i = 0; i < 5; i++) {
            subject.onLoop(() -> {});
        }
    }

    private void awaitReset() {
        subject.await("closed", channel().closeFuture()::isDone);
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
        assertThat(probe.inputCloses).as("ends told of input that may be cut off").hasValue(0);
    }

    @Test
    void resetIsToldBehindInputThatWaits() throws IOException {
        subject.peerSends(LAST_WORDS);
        subject.peerResets();
        goRounds();
        assertThat(probe.failures).isEmpty();
        assertThat(channel().isActive()).isTrue();
        subject.onLoop(() -> channel().autoRead(true));
        awaitReset();
        assertThat(probe.text()).isEqualTo(LAST_WORDS);
    }

    @Test
    void resetIsToldBehindInputOfAChannelThatHasRead() throws IOException {
        subject.onLoop(() -> channel().autoRead(true));
        subject.peerSends("first");
        subject.await("the first", () -> probe.text().equals("first"));
        subject.onLoop(() -> channel().autoRead(false));
        subject.peerSends(LAST_WORDS);
        subject.peerResets();
        goRounds();
        assertThat(probe.failures).isEmpty();
        subject.onLoop(() -> channel().autoRead(true));
        awaitReset();
        assertThat(probe.text()).isEqualTo("first" + LAST_WORDS);
    }

    /// A send does not wait for input that is not asked for.
    @Test
    void nextSendFailsAtOnce() throws IOException {
        subject.peerSends(LAST_WORDS);
        subject.peerResets();
        goRounds();
        subject.await(
                "closed",
                () -> {
                    subject.onLoop(() -> channel().writeAndFlush(Rig.buffer("x")));
                    return channel().closeFuture().isDone();
                });
        awaitReset();
        assertThat(probe.text()).isEmpty();
    }

    @Test
    void sendThatWaitsFailsAtOnce() throws IOException {
        subject.onLoop(() -> channel().writeAndFlush(Rig.buffer(new byte[16 << 20])));
        subject.peerSends(LAST_WORDS);
        subject.peerResets();
        awaitReset();
        assertThat(probe.text()).isEmpty();
    }
}
