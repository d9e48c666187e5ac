package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.conformance.rig.EngineEvents;
import io.weft.conformance.rig.EngineRig;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Libc;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A stream whose descriptor somebody else has too lets go of it without harm to the connection.
@Timeout(300)
class LetGoTest {
    private static final int SO_LINGER = 13;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void connectionSurvivesWithItsOtherHolder(String transport) throws IOException {
        try (EngineRig rig = new EngineRig(transport)) {
            EngineEvents listening = new EngineEvents();
            ListenHandle listener = rig.listen(listening);
            Socket peer = rig.connect(listener);
            EngineEvents events = new EngineEvents();
            StreamHandle stream = rig.adopt(listening, events);
            stream.receive();
            Rig.send(peer, "mine");
            rig.pollUntil("the bytes", () -> events.text.toString().equals("mine"));
            stream.pause();
            int other = Libc.fcntl(stream.descriptor(), Libc.F_DUPFD_CLOEXEC, 0);
            stream.letGo();
            rig.pollUntil("closed", () -> events.heard("closed"));
            assertThat(stream.descriptor()).isEqualTo(-1);
            Rig.send(peer, "theirs");
            assertThat(receive(other, 6)).isEqualTo("theirs");
            assertThat(Sockets.getOption(other, Sockets.SOL_SOCKET, SO_LINGER)).isZero();
            try (Buffer answer = Rig.buffer("answer")) {
                Sockets.send(other, answer.address(), 6, Sockets.MSG_NOSIGNAL);
            }
            assertThat(Rig.receive(peer, 6)).isEqualTo("answer");
            assertThat(events.seen).endsWith("closed").doesNotContain("inputClosed", "failed");
            Libc.close(other);
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
            stream.letGo(); // has no effect on one that is closed
            assertThat(events.seen).containsOnlyOnce("closed");
            listener.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void lastHolderThatLetsGoEndsTheConnection(String transport) throws IOException {
        try (EngineRig rig = new EngineRig(transport)) {
            EngineEvents listening = new EngineEvents();
            ListenHandle listener = rig.listen(listening);
            Socket peer = rig.connect(listener);
            EngineEvents events = new EngineEvents();
            StreamHandle stream = rig.adopt(listening, events);
            stream.receive();
            stream.letGo();
            rig.pollUntil("closed", () -> events.heard("closed"));
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
            listener.close();
        }
    }

    /// A channel of the JDK is one descriptor that nobody else has.
    @Test
    void nioRefusesAndStaysOpen() throws IOException {
        try (EngineRig rig = new EngineRig("nio")) {
            EngineEvents listening = new EngineEvents();
            ListenHandle listener = rig.listen(listening);
            Socket peer = rig.connect(listener);
            EngineEvents events = new EngineEvents();
            StreamHandle stream = rig.adopt(listening, events);
            assertThatThrownBy(stream::letGo).isInstanceOf(UnsupportedOperationException.class);
            stream.receive();
            Rig.send(peer, "x");
            rig.pollUntil("the byte", () -> events.heard("received"));
            stream.close(false);
            listener.close();
        }
    }

    private static String receive(int fd, int length) {
        try (Buffer bytes = BufferAllocator.pooled().allocate(length)) {
            while (bytes.readableBytes() < length) {
                int count =
                        Sockets.recv(
                                fd,
                                bytes.address() + bytes.writeOffset(),
                                length - bytes.readableBytes(),
                                Sockets.MSG_DONTWAIT);
                if (count > 0) {
                    bytes.writeOffset(bytes.writeOffset() + count);
                }
            }
            return bytes.readString(java.nio.charset.StandardCharsets.UTF_8);
        }
    }
}
