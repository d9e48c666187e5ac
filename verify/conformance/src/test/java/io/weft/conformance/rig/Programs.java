package io.weft.conformance.rig;

import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/// Programs that are talked to, started in a directory and killed in the end.
public final class Programs {
    private final Supplier<Path> directory;
    private final List<Process> processes = new ArrayList<>();

    public Programs(Supplier<Path> directory) {
        this.directory = directory;
    }

    public Path directory() {
        return directory.get();
    }

    /// Skips the test where there is no such program. Its errors come with its output.
    public Process start(String... command) throws Exception {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        List<String> found =
                Arrays.stream(path.split(File.pathSeparator))
                        .map(d -> Path.of(d, command[0]))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .toList();
        Assumptions.assumeFalse(
                found.isEmpty(),
                command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        String[] absolute = command.clone();
        absolute[0] = found.getFirst();
        Process process =
                new ProcessBuilder(absolute)
                        .directory(directory.get().toFile())
                        .redirectErrorStream(true)
                        .start();
        processes.add(process);
        return process;
    }

    /// Leaves `text` in the directory.
    public Path write(String name, String text) throws Exception {
        return Files.writeString(directory.get().resolve(name), text);
    }

    /// Starts a server whose first line of output is its port on the loopback address.
    public int serve(String... command) throws Exception {
        Process process = start(command);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null || !line.matches("[0-9]+")) {
            throw new AssertionError(
                    String.join(" ", command) + ": " + line + " (expected: a port)");
        }
        Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
        return Integer.parseInt(line);
    }

    public void end() throws Exception {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            process.getInputStream().close();
            process.getOutputStream().close();
            process.getErrorStream().close();
        }
    }
}
