package io.weft.bench.warmup;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Processor time of the threads of a process, as Linux counts it.
public final class ThreadTimes {
    /// A choice of threads.
    @FunctionalInterface
    interface Choice {
        /// @param task the thread's directory in `/proc`
        boolean includes(Path task) throws IOException;
    }

    private ThreadTimes() {}

    /// Nanoseconds that all threads have used so far.
    public static long nanos(long pid) throws IOException {
        return nanos(pid, _ -> true);
    }

    /// Nanoseconds that those threads have used so far, from `/proc/PID/task/TID/schedstat`.
    static long nanos(long pid, Choice choice) throws IOException {
        long sum = 0;
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        try (DirectoryStream<Path> each = Files.newDirectoryStream(tasks)) {
            for (Path task : each) {
                try {
                    if (choice.includes(task)) {
                        String fields = Files.readString(task.resolve("schedstat"));
                        sum += Long.parseLong(fields.substring(0, fields.indexOf(' ')));
                    }
                } catch (NoSuchFileException _) {
                    // The thread has ended meanwhile.
                }
            }
        }
        return sum;
    }
}
