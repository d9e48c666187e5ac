package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.EchoChild;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// If a sandbox forbids io_uring, as those of containers do, epoll serves, and the log says why.
@Tag("peer")
@Timeout(300)
class DeniedRingTest {
    /// Installs a filter (`seccomp(2)`) that answers the three calls of io_uring, 425 to 427 on
    /// every processor, with the errno in its first argument, and becomes the command in the
    /// others.
    private static final String FILTER =
            """
            import ctypes, os, struct, sys
            code = lambda op, jt, jf, k: struct.pack("HBBI", op, jt, jf, k)
            answer = 0x00050000 | int(sys.argv[1])
            program = (code(0x20, 0, 0, 0) + code(0x35, 0, 2, 425) + code(0x25, 1, 0, 427)
                + code(0x06, 0, 0, answer) + code(0x06, 0, 0, 0x7fff0000))
            held = ctypes.create_string_buffer(program)
            filter = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(held)))
            libc = ctypes.CDLL(None, use_errno=True)
            u = ctypes.c_ulong
            if libc.prctl(38, u(1), u(0), u(0), u(0)) or libc.prctl(22, u(2), filter, u(0), u(0)):
                sys.exit("prctl: " + os.strerror(ctypes.get_errno()))
            os.execvp(sys.argv[2], sys.argv[2:])
            """;

    private static final int EPERM = 1;

    private static Child denied(String transport, int errno) throws IOException {
        return new Child(
                List.of("python3", "-c", FILTER, String.valueOf(errno)),
                EchoChild.class,
                transport,
                "--enable-native-access=ALL-UNNAMED");
    }

    DeniedRingTest() throws IOException {
        new Rig("io_uring", 1).close(); // skips where it does not work anyway
        assumeTrue(runs("python3", "-c", "import ctypes"), "no python3 with ctypes");
    }

    private static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// EPERM is what container engines answer, and the sysctl `kernel.io_uring_disabled`; ENOSYS
    /// what older ones do.
    @ParameterizedTest
    @ValueSource(ints = {EPERM, 38})
    void theNextBestServes(int errno) throws IOException {
        try (Child child = denied("auto", errno);
                Socket peer = new Socket(child.address.getAddress(), child.address.getPort())) {
            peer.setSoTimeout(60_000);
            assertThat(child.transport).isEqualTo("epoll");
            Rig.assertServed(peer);
            assertThat(child.errors()).contains("transport epoll", "io_uring_setup");
        }
    }

    @Test
    void whoInsistsIsToldWhy() {
        try (Child _ = denied("io_uring", EPERM)) {
            throw new AssertionError("served (expected: refused)");
        } catch (AssertionError | IOException refused) {
            assertThat(refused)
                    .hasMessageContaining("io_uring_setup")
                    .hasMessageContaining("EPERM");
        }
    }
}
