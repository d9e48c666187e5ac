package io.weft.bench.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The JIT compilers of a process: its threads that are called so. Those of a program that is no
/// JVM have nothing to do.
///
/// @param pid of the process
public record Compilers(long pid) implements Work {
    private static final boolean LINUX = Files.isDirectory(Path.of("/proc/self/task"));

    @Override
    public long nanos() throws IOException {
        return LINUX ? ThreadTimes.nanos(pid, Compilers::isCompiler) : 0;
    }

    /// By its name, of which Linux keeps 15 characters.
    private static boolean isCompiler(Path task) throws IOException {
        return Files.readString(task.resolve("comm")).contains("CompilerThre");
    }
}
