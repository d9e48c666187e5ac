package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A process of scale-out.
record Scaled(Process process, int port) implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+) \\(.*\\)");

    static Scaled start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /// @param launcher a command that ends by running the one that its last arguments are
    static Scaled start(List<String> launcher, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(
                List.of(
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", path()));
        command.add(ScaleOut.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader out = process.inputReader(UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line; (line = out.readLine()) != null; said.append(line).append('\n')) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.matches()) {
                Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
                return new Scaled(process, Integer.parseInt(listening.group(1)));
            }
        }
        process.destroyForcibly();
        throw new AssertionError(said);
    }

    /// Everything that this process has, whether on the class path or the module path.
    private static String path() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(path -> path != null && !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// SIGTERM, and the end that follows.
    void terminate() throws InterruptedException {
        process.toHandle().destroy();
        ended();
    }

    void ended() throws InterruptedException {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
