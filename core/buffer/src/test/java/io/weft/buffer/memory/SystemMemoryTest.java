package io.weft.buffer.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemMemoryTest {
    private static final long MIB = 1 << 20;

    @TempDir Path root;

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private long limit() {
        return new SystemMemory(root).limit();
    }

    @Test
    void withoutAnyFileThereIsNoLimit() {
        assertThat(limit()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theMachineIsTheLimitOutsideOfGroups() throws IOException {
        write("proc/meminfo", "MemTotal:       24576000 kB\nMemFree:        1 kB\n");
        write("proc/self/cgroup", "0::/\n");
        assertThat(limit()).isEqualTo(24_000 * MIB);
    }

    @Test
    void theTightestGroupCounts() throws IOException {
        write("proc/meminfo", "MemTotal:       24576000 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/memory.max", "536870912\n");
        assertThat(limit()).isEqualTo(512 * MIB);
        write("sys/fs/cgroup/a/b/memory.max", "268435456\n");
        assertThat(limit()).isEqualTo(256 * MIB);
    }

    @Test
    void aContainerSeesItsOwnGroupAtTheMount() throws IOException {
        write("proc/self/cgroup", "0::/system.slice/docker-1.scope\n");
        write("sys/fs/cgroup/memory.max", "268435456\n");
        assertThat(limit()).isEqualTo(256 * MIB);
    }

    @Test
    void theFirstVersionOfGroupsIsUnderstood() throws IOException {
        write("proc/self/cgroup", "11:cpu,cpuacct:/x\n9:memory:/docker/1\n1:name=systemd:/x\n");
        write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "134217728\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(limit()).isEqualTo(128 * MIB);
    }

    @Test
    void nonsenseIsNoLimit() throws IOException {
        write("proc/meminfo", "MemTotal: 99999999999999999 kB\n");
        write("proc/self/cgroup", "0::/a\nnonsense\n1:memory\n");
        write("sys/fs/cgroup/a/memory.max", "-1\nx\n\n");
        assertThat(limit()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineHasOne() {
        assertThat(new SystemMemory(Path.of("/")).limit()).isBetween(MIB, Long.MAX_VALUE - 1);
    }

    @Test
    void buffersLeaveRoomForTheHeapAndTheRest() {
        assertThat(SystemMemory.share(Long.MAX_VALUE, 512 * MIB)).isEqualTo(512 * MIB);
        assertThat(SystemMemory.share(4096 * MIB, 1024 * MIB)).isEqualTo(1024 * MIB);
        assertThat(SystemMemory.share(1024 * MIB, 768 * MIB)).isEqualTo(128 * MIB);
        assertThat(SystemMemory.share(512 * MIB, 512 * MIB)).isEqualTo(32 * MIB);
    }
}
