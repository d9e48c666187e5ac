package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    @Test
    void mapsZeroedMemoryAndUnmapsIt() {
        long length = 1 << 16;
        long address =
                Libc.mmap(
                        0,
                        length,
                        Libc.PROT_READ | Libc.PROT_WRITE,
                        Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS,
                        -1,
                        0);
        assertThat(address).isPositive();
        assertThat(Memory.getLong(address)).isZero();
        Memory.putLong(address + length - 8, 42);
        assertThat(Libc.munmap(address, length)).isZero();
    }

    @Test
    void failedMappingIsAnErrorNumber() {
        assertThat(Libc.mmap(0, 0, Libc.PROT_READ, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1, 0))
                .isEqualTo(-Errno.EINVAL);
        assertThat(Libc.mmap(0, 4096, Libc.PROT_READ, Libc.MAP_PRIVATE, -1, 0))
                .isEqualTo(-Errno.EBADF);
    }

    @Test
    void eventCounterAddsUp() {
        int fd = Libc.eventfd(3, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        long word = Memory.allocate(8, 8);
        try {
            Memory.putLong(word, 4);
            assertThat(Libc.write(fd, word, 8)).isEqualTo(8);
            assertThat(Libc.read(fd, word, 8)).isEqualTo(8);
            assertThat(Memory.getLong(word)).isEqualTo(7);
            assertThat(Libc.read(fd, word, 8)).isEqualTo(-Errno.EAGAIN);
        } finally {
            Libc.close(fd);
            Memory.free(word, 8);
        }
    }

    @Test
    void knowsItsProcess() {
        assertThat((long) Libc.getpid()).isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void aFunctionThatTheLibraryLacksFailsWithNosys() throws Throwable {
        var descriptor =
                java.lang.foreign.FunctionDescriptor.of(
                        java.lang.foreign.ValueLayout.JAVA_INT,
                        java.lang.foreign.ValueLayout.JAVA_INT);
        var missing = Downcall.link("weft_no_such_function", descriptor);
        assertThat(Downcall.call(missing, 1)).isEqualTo(-Errno.ENOSYS);
    }
}
