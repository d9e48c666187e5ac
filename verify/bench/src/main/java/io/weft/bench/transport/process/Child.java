package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Children;
import io.weft.bench.transport.process.server.Footprint;
import io.weft.bench.transport.process.server.Server;
import io.weft.bench.warmup.ThreadTimes;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process of its own, mostly a JVM with a program of this package, which is spoken to in lines.
final class Child implements AutoCloseable {
    private static final int ANSWER_SECONDS = 60;

    /// Stands behind the last line; no line is the same, an empty one neither.
    private static final String END = "\n";

    private final String name;
    private final Process process;
    private final Writer commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private volatile String lastLine = "it said nothing";

    private Child(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /// @param launcher programs before `java`, as in `taskset -c 0`
    /// @param arguments the class and what it is given
    static Child start(
            String name, List<String> launcher, List<String> flags, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", new File(System.getProperty("java.class.path")).getPath()));
        command.addAll(arguments);
        return start(name, command);
    }

    /// Starts any program.
    static Child start(String name, List<String> command) throws IOException {
        Child child =
                new Child(name, new ProcessBuilder(command).redirectErrorStream(true).start());
        Children.add(child.process);
        // Not virtual: a read of a pipe holds its carrier.
        Thread.ofPlatform().daemon().start(child::readOutput);
        return child;
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lastLine = line;
                lines.add(line);
            }
        } catch (IOException e) {
            lastLine = e.toString();
        }
        lines.add(END);
    }

    /// Waits for the line that begins so.
    ///
    /// @throws IOException when the process ends instead, or says nothing for a minute
    String await(String beginning) throws IOException, InterruptedException {
        for (; ; ) {
            @Nullable String line = lines.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (line == null || line.equals(END)) {
                throw new IOException(
                        name
                                + (line == null ? " does not say \"" : " ended before it said \"")
                                + beginning
                                + "\": "
                                + lastLine);
            }
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }

    String ask(String command) throws IOException, InterruptedException {
        commands.write(command + "\n");
        commands.flush();
        return await(command);
    }

    Footprint footprint() throws IOException, InterruptedException {
        return Footprint.parse(ask(Server.FOOTPRINT));
    }

    String lastLine() {
        return lastLine;
    }

    long pid() {
        return process.pid();
    }

    /// Nanoseconds of CPU that all threads have used so far.
    long cpuNanos() throws IOException {
        return ThreadTimes.nanos(pid());
    }

    @Override
    public void close() {
        Children.stop(process);
    }
}
