package io.weft.transport.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.Sockets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OwnedDescriptorTest {
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
    void closesADescriptorWhoseOwnerIsNotMade() {
        int fd = socket();
        OutOfMemoryError bomb = new OutOfMemoryError("on purpose");
        assertThatThrownBy(
                        () ->
                                OwnedDescriptor.of(
                                        fd,
                                        () -> {
                                            throw bomb;
                                        }))
                .isSameAs(bomb);
        assertThat(Libc.fcntl(fd, Libc.F_GETFD, 0)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void leavesADescriptorToItsOwner() {
        int fd = socket();
        assertThat(OwnedDescriptor.<Integer, RuntimeException>of(fd, () -> fd)).isEqualTo(fd);
        assertThat(Libc.close(fd)).isZero();
    }
}
