package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.call.Downcall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    private static final int O_WRONLY = 1;

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
    void aFileIsOpenedAndSentFromWhereverOneLikes(@TempDir Path directory) throws IOException {
        Path from = Files.writeString(directory.resolve("from"), "0123456789");
        Path to = Files.writeString(directory.resolve("to"), "");
        long offset = Memory.allocate(8, 8);
        int in = open(from, Libc.O_RDONLY | Libc.O_CLOEXEC);
        int out = open(to, O_WRONLY | Libc.O_CLOEXEC);
        try {
            Memory.putLong(offset, 2);
            assertThat(Libc.sendfile(out, in, offset, 5)).isEqualTo(5);
            assertThat(Memory.getLong(offset)).isEqualTo(7);
            assertThat(to).hasContent("23456");
            Memory.putLong(offset, 10);
            assertThat(Libc.sendfile(out, in, offset, 8)).isZero(); // the end
            assertThat(Libc.sendfile(-1, in, 0, 5)).isEqualTo(-Errno.EBADF);
        } finally {
            Libc.close(in);
            Libc.close(out);
            Memory.free(offset, 8);
        }
        assertThat(open(directory.resolve("none"), Libc.O_RDONLY)).isEqualTo(-Errno.ENOENT);
    }

    private static int open(Path path, int flags) {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        long name = Memory.allocate(bytes.length + 1L, 8);
        try {
            Memory.copy(bytes, 0, name, bytes.length);
            Memory.putByte(name + bytes.length, (byte) 0);
            return Libc.open(name, flags);
        } finally {
            Memory.free(name, bytes.length + 1L);
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
