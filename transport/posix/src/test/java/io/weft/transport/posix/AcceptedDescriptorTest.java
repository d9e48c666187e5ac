package io.weft.transport.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.Sockets;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AcceptedDescriptorTest {
    @BeforeAll
    static void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "descriptors of Linux");
        assumeTrue(NativeAccess.refusal() == null, NativeAccess.refusal());
    }

    private static int socket() {
        int fd = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0);
        assertThat(fd).isNotNegative();
        return fd;
    }

    @Test
    void adoptionThatThrowsClosesTheDescriptor() {
        int fd = socket();
        AcceptedDescriptor accepted = new AcceptedDescriptor(fd, Reception.BYTES);
        OutOfMemoryError bomb = new OutOfMemoryError("on purpose");
        assertThatThrownBy(
                        () ->
                                accepted.adopt(
                                        (_, _) -> {
                                            throw bomb;
                                        }))
                .isSameAs(bomb);
        assertThat(Libc.fcntl(fd, Libc.F_GETFD, 0)).isEqualTo(-Errno.EBADF);
        accepted.close(); // once more changes nothing
    }

    @Test
    void adoptedDescriptorIsNotClosed() throws ClosedChannelException {
        int fd = socket();
        AcceptedDescriptor accepted = new AcceptedDescriptor(fd, Reception.DESCRIPTORS);
        String adopted = accepted.adopt((given, reception) -> given + " " + reception);
        assertThat(adopted).isEqualTo(fd + " DESCRIPTORS");
        accepted.close();
        assertThatThrownBy(() -> accepted.adopt((given, _) -> given))
                .isInstanceOf(ClosedChannelException.class);
        assertThat(Libc.close(fd)).isZero();
    }
}
