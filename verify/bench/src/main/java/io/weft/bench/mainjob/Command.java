package io.weft.bench.mainjob;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a program to its end.
///
/// @param output what it printed, standard error included
public record Command(int exitCode, String output) {
    public static Command run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Children.add(process);
        try {
            process.getOutputStream().close();
            byte[] output = process.getInputStream().readAllBytes();
            return new Command(process.waitFor(), new String(output, StandardCharsets.UTF_8));
        } finally {
            Children.stop(process);
        }
    }

    /// True when the program can be started at all.
    public static boolean exists(String program) throws InterruptedException {
        try {
            run(List.of(program, "--version"));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /// Returns a program that was compiled into a folder; null if it was not, or for no folder.
    public static @Nullable Path compiled(@Nullable Path folder, String name) {
        Path program = folder == null ? null : folder.resolve(name);
        return program != null && Files.isExecutable(program) ? program : null;
    }
}
