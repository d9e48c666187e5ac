package io.weft.bench.warmup;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The JIT compilers of a process: its threads that are called so. Those of a program that is no
/// JVM have nothing to do.
public final class Compilers implements Work {
    private final Path tasks;

    public Compilers(long pid) {
        tasks = Path.of("/proc", Long.toString(pid), "task");
    }

    /// Returns once they have done what was asked of them, or after some seconds.
    public void awaitQuiet() throws IOException, InterruptedException {
        Quiet.await(this);
    }

    /// From `/proc/PID/task/TID/comm`, which has 15 characters, and `schedstat`.
    @Override
    public long nanos() throws IOException {
        long sum = 0;
        if (!Files.isDirectory(tasks)) {
            return 0; // no Linux
        }
        try (DirectoryStream<Path> each = Files.newDirectoryStream(tasks)) {
            for (Path task : each) {
                try {
                    if (Files.readString(task.resolve("comm")).contains("CompilerThre")) {
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
