package io.weft.bench.mainjob;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

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
}
