package io.weft.conformance.rig;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;

/// The descriptors that engines and sockets hold: of this process or of a child.
public final class Descriptors {
    /// The last one is for both ends of pseudo-terminals.
    private static final List<String> KINDS = List.of("socket:", "anon_inode:", "/dev/pt");

    private Descriptors() {}

    /// Each as its number and what it is: `17 socket:[4711]`. Files do not count, as class loading
    /// opens some at any time. Empty on systems without `/proc`.
    public static Set<String> open() throws IOException {
        Set<String> open = new TreeSet<>();
        Path directory = Path.of("/proc/self/fd");
        if (!Files.isDirectory(directory)) {
            return open;
        }
        try (DirectoryStream<Path> links = Files.newDirectoryStream(directory)) {
            for (Path link : links) {
                String target = target(link);
                if (KINDS.stream().anyMatch(target::startsWith)) {
                    open.add(link.getFileName() + " " + target);
                }
            }
        }
        return open;
    }

    /// Skips the test if this process may not have `count` more descriptors.
    public static void assumeRoomFor(int count) {
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof UnixOperatingSystemMXBean unix) {
            long room = unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
            Assumptions.assumeTrue(
                    room >= count, "descriptors: room for " + room + " (expected: " + count + ")");
        }
    }

    /// Counts the open descriptors of another process, of any kind.
    static int count(long pid) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> links =
                Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path _ : links) {
                count++;
            }
        }
        return count;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
