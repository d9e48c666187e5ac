package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A kernel that answers as kernels do when they are short of something or disturbed, in a process
/// of its own. What it may say and mean nothing by it costs no byte; what ends a connection ends
/// that one alone.
@Timeout(300)
class KernelFaultsTest {
    private static final int LENGTH = 200_000;

    private final long seed = Long.getLong("io.weft.test.seed", 1);

    private Child child(String transport, String rules) throws IOException {
        new Rig(transport, 1).close(); // skips where it does not work
        return new Child(
                transport,
                0,
                "--enable-native-access=ALL-UNNAMED",
                "-Dio.weft.kernelFaults=" + seed + "," + rules.replace(' ', ','));
    }

    private static Socket connect(Child child) throws IOException {
        Socket peer = new Socket(child.address.getAddress(), child.address.getPort());
        peer.setSoTimeout(60_000);
        return peer;
    }

    @ParameterizedTest
    @CsvSource({
        "epoll, send:EAGAIN:0.3 send:EINTR:0.3 send:short:0.5 sendmsg:EAGAIN:0.3 sendmsg:short:0.5",
        "epoll, recv:EAGAIN:0.3 recv:EINTR:0.3 recv:short:0.5",
        "epoll, epoll_pwait2:EINTR:0.5 epoll_wait:EINTR:0.5",
        "epoll, accept4:EINTR:0.3 accept4:EAGAIN:0.3 accept4:ECONNABORTED:0.2",
        "epoll, accept4:EMFILE:0.3 accept4:ENOBUFS:0.2 accept4:ENOMEM:0.2",
        "io_uring, io_uring_enter:EINTR:0.3 io_uring_enter:EAGAIN:0.2 io_uring_enter:EBUSY:0.2"
    })
    void whatMeansNothingCostsNoByte(String transport, String rules) throws IOException {
        try (Child child = child(transport, rules)) {
            for (int i = 0; i < 10; i++) {
                byte[] bytes = new byte[LENGTH];
                new Random(seed + i).nextBytes(bytes);
                try (Socket peer = connect(child)) {
                    CompletableFuture<Void> sending =
                            CompletableFuture.runAsync(() -> send(peer, bytes));
                    byte[] echoed = peer.getInputStream().readNBytes(LENGTH);
                    Rig.await(sending);
                    assertThat(echoed).as("seed %d: %s", seed, child.errors()).isEqualTo(bytes);
                }
            }
        }
    }

    private static void send(Socket peer, byte[] bytes) {
        try {
            peer.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "epoll, send:ENOBUFS:0.2 sendmsg:ENOBUFS:0.2 recv:ENOMEM:0.1",
        "epoll, accept4:ENFILE:0.5 send:ENOMEM:0.1"
    })
    void whatEndsAConnectionEndsNoOther(String transport, String rules) throws IOException {
        assertThat(served(transport, rules)).as("seed %d", seed).isGreaterThan(30);
    }

    /// The faults do happen.
    @Test
    void whoCannotSendServesNobody() throws IOException {
        assertThat(served("epoll", "send:ENOBUFS:1 sendmsg:ENOBUFS:1")).isZero();
    }

    /// Of a hundred connections.
    private int served(String transport, String rules) throws IOException {
        try (Child child = child(transport, rules)) {
            int served = 0;
            for (int i = 0; i < 100; i++) {
                try (Socket peer = connect(child)) {
                    Rig.send(peer, "x");
                    served += Rig.receive(peer, 1).equals("x") ? 1 : 0;
                } catch (IOException told) {
                    assertThat(told).isNotInstanceOf(SocketTimeoutException.class);
                }
            }
            return served;
        }
    }
}
