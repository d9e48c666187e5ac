package io.weft.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Processes of real servers, which end with a test.
final class PeerServers implements AutoCloseable {
    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    PeerServers(Path directory) {
        this.directory = directory;
    }

    /// Skips the test unless peers are on.
    static void assumeOn() {
        assumeThat(Boolean.getBoolean("peers"))
                .as("peers are off (-Dpeers=true switches them on)")
                .isTrue();
    }

    Process start(String program, String... arguments) throws IOException {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        String found =
                Arrays.stream(path.split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, program))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElse("");
        assumeThat(found)
                .as(program + " is not on the PATH (dev/install-peers.sh installs it)")
                .isNotEmpty();
        List<String> command = new ArrayList<>(List.of(found));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        processes.add(process);
        return process;
    }

    /// Starts a program of its own that says more than its port.
    BufferedReader run(String source, String name, String program, String... arguments)
            throws IOException {
        Files.writeString(directory.resolve(name), source);
        return start(program, arguments).inputReader(UTF_8);
    }

    /// Starts a server that says on its first line which port it has.
    String serve(String source, String name, String program, String... arguments)
            throws IOException {
        String port = run(source, name, program, arguments).readLine();
        assertThat(port).as(program).matches("\\d+");
        return "http://127.0.0.1:" + port;
    }

    /// Ends a process in order.
    void end(Process process) {
        processes.remove(process);
        process.destroy();
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly); // of `go run`
            process.destroyForcibly();
        }
    }
}
