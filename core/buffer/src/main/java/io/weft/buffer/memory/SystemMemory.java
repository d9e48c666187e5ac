package io.weft.buffer.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The memory that this process may use: that of the machine, or less where a control group says
/// so.
public final class SystemMemory {
    private final Path root;

    /// @param root where `proc` and `sys` are mounted
    public SystemMemory(Path root) {
        this.root = root;
    }

    /// Bytes; `Long.MAX_VALUE` where the system tells nothing, as all but Linux do.
    public long limit() {
        long least = physical();
        for (String line : lines("proc/self/cgroup")) {
            // hierarchy:controllers:path, where version 2 has no controllers
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                least = Math.min(least, limit("sys/fs/cgroup", parts[2], "memory.max"));
            } else if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("memory")) {
                least =
                        Math.min(
                                least,
                                limit("sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes"));
            }
        }
        return least;
    }

    /// Of the group and all around it. In a container only the mount itself may be there, not the
    /// path to it.
    private long limit(String mount, String group, String file) {
        long least = Long.MAX_VALUE;
        String path = group;
        while (true) {
            for (String line : lines(mount + path + "/" + file)) {
                least = Math.min(least, number(line));
            }
            int parent = path.lastIndexOf('/');
            if (parent < 0) {
                return least;
            }
            path = path.substring(0, parent);
        }
    }

    private long physical() {
        for (String line : lines("proc/meminfo")) {
            if (line.startsWith("MemTotal:") && line.endsWith(" kB")) {
                long kilobytes = number(line.substring(9, line.length() - 3));
                return kilobytes > Long.MAX_VALUE >> 10 ? Long.MAX_VALUE : kilobytes << 10;
            }
        }
        return Long.MAX_VALUE;
    }

    /// `Long.MAX_VALUE` for "max", and for anything else that is no positive number.
    private static long number(String text) {
        try {
            long number = Long.parseLong(text.strip());
            return number > 0 ? number : Long.MAX_VALUE;
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /// None where there is no such file, or none that may be read.
    private List<String> lines(String path) {
        try {
            return Files.readAllLines(root.resolve(path));
        } catch (IOException | SecurityException e) {
            return List.of();
        }
    }

    /// Returns the share of `memory` bytes that buffers may use beside a heap of `maxHeap`: as much
    /// as the heap, but not more than half of what it leaves, as threads, code and the kernel's
    /// socket buffers need some too; and 32 MiB in any case.
    public static long share(long memory, long maxHeap) {
        return Math.max(32 << 20, Math.min(maxHeap, (memory - maxHeap) / 2));
    }
}
