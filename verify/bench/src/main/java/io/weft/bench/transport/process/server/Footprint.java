package io.weft.bench.transport.process.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/// The memory that a process occupies.
///
/// @param heap bytes of objects that are alive
/// @param resident bytes of memory that are there for it, but not for a file. With a heap that is
///     there as a whole from the beginning, the difference of two is what came outside of the heap
public record Footprint(long heap, long resident) {

    /// Of this process, once everything that is garbage is gone, and what the C library keeps free
    /// has been given back.
    static Footprint settled() throws IOException {
        System.gc();
        trimNativeHeap();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Footprint(
                heap, resident(Files.readAllLines(Path.of("/proc/self/smaps_rollup"))));
    }

    private static void trimNativeHeap() throws IOException {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "systemTrimNativeHeap",
                            new Object[0],
                            new String[0]);
        } catch (JMException e) {
            throw new IOException("the C library's free memory cannot be given back", e);
        }
    }

    /// From the lines of `/proc/PID/smaps_rollup`: see proc_pid_smaps(5).
    static long resident(List<String> smaps) throws IOException {
        for (String line : smaps) {
            if (line.startsWith("Anonymous:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("smaps_rollup: " + smaps + " (expected: a line Anonymous)");
    }

    String text() {
        return Server.FOOTPRINT + " " + heap + " " + resident;
    }

    public static Footprint parse(String text) {
        String[] fields = text.split(" ", -1);
        return new Footprint(Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }

    public Footprint minus(Footprint before) {
        return new Footprint(heap - before.heap, resident - before.resident);
    }
}
