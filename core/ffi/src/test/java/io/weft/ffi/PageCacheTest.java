package io.weft.ffi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PageCacheTest {
    @TempDir private Path directory;

    @Test
    void holdsNoPagesBehindTheEndAndNoneOfNoFile() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[Pages.SIZE]);
        byte[] name = (file + "\0").getBytes(UTF_8);
        long memory = Memory.allocate(PageCache.SIZE, 8);
        long path = Memory.allocate(name.length, 8);
        Memory.copy(name, 0, path, name.length);
        int fd = Libc.open(path, Libc.O_RDONLY | Libc.O_CLOEXEC);
        try {
            // Kernels before 6.5 do not say.
            boolean says = PageCache.holds(fd, 0, 1, memory);
            assertThat(PageCache.holds(fd, 1, Pages.SIZE - 1, memory)).isEqualTo(says);
            assertThat(PageCache.holds(fd, 0, Pages.SIZE + 1, memory)).isFalse();
            assertThat(PageCache.holds(-1, 0, 1, memory)).isFalse();
        } finally {
            Libc.close(fd);
            Memory.free(path, name.length);
            Memory.free(memory, PageCache.SIZE);
        }
    }
}
