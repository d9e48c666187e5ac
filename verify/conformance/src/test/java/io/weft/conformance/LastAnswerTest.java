package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A peer that answers and resets the connection, while something is being sent to it.
@EveryTransport
class LastAnswerTest {
    private static final String ANSWER = "answer".repeat(8_000);

    private final Rig rig;
    private final Probe probe = new Probe();

    LastAnswerTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// A peer that has input which it will not read.
    private Socket peerWithInput() throws IOException {
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.READ_WHILE_UNWRITABLE, true));
        Socket peer = rig.connect(address);
        Rig.await(probe.active).writeAndFlush(Rig.buffer("a request"));
        Rig.awaitTrue("input of the peer", () -> available(peer) > 0);
        return peer;
    }

    private static int available(Socket peer) {
        try {
            return peer.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answerAndReset(Socket peer, String answer) {
        try {
            Rig.send(peer, answer);
            peer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The loop sends before it looks for input: it hears of the reset by the send.
    @Test
    void anAnswerThatHasArrivedIsReceivedThoughASendFails() throws IOException {
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    answerAndReset(peer, ANSWER);
                    channel.writeAndFlush(Rig.buffer("the rest of the request"));
                });
        Rig.await(probe.ended);
        assertThat(probe.text()).isEqualTo(ANSWER);
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
        assertThat(probe.inputCloses).as("ends told of input that may be cut off").hasValue(0);
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void anAnswerThatHasArrivedIsReceivedThoughAFileCannotBeSent(@TempDir Path directory)
            throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    answerAndReset(peer, ANSWER);
                    channel.writeAndFlush(open(file));
                });
        Rig.await(probe.ended);
        assertThat(probe.text()).isEqualTo(ANSWER);
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
        assertThat(probe.inputCloses).as("ends told of input that may be cut off").hasValue(0);
    }

    private static FileRegion open(Path file) {
        try {
            return FileRegion.open(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The channel may see the peer's FIN before its reset, and closes then without a failure.
    @Test
    void anAnswerIsReceivedThoughSendsFailUnderWay() throws IOException {
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer(new byte[16 << 20])); // more than the sockets take
        answerAndReset(peer, ANSWER);
        Rig.await(probe.ended);
        assertThat(probe.text()).isEqualTo(ANSWER);
        assertThat(probe.failures).hasSizeLessThanOrEqualTo(1);
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void aResetWithoutAnAnswerEndsTheChannel() throws IOException {
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    answerAndReset(peer, "");
                    channel.writeAndFlush(Rig.buffer("the rest of the request"));
                });
        Rig.await(probe.ended);
        assertThat(probe.text()).isEmpty();
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
    }

    /// Input that is not asked for is not waited for.
    @Test
    void aChannelThatDoesNotReadHearsOfAFailedSendAtOnce() throws IOException {
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    channel.autoRead(false);
                    answerAndReset(peer, ANSWER);
                    channel.writeAndFlush(Rig.buffer("the rest of the request"));
                });
        Rig.await(probe.ended);
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
    }

    @Test
    void aChannelThatStopsToReadHearsOfAFailedSendThen() throws IOException {
        Socket peer = peerWithInput();
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    answerAndReset(peer, ANSWER);
                    channel.writeAndFlush(Rig.buffer("the rest of the request"));
                    channel.autoRead(false);
                });
        Rig.await(probe.ended);
        assertThat(probe.failures).singleElement().isInstanceOf(IOException.class);
    }
}
