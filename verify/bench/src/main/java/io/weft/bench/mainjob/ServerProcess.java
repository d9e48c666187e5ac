package io.weft.bench.mainjob;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A running server, on core 0.
public final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on ([^ ]+:\\d+).*");
    private static final int START_SECONDS = 30;
    private static final double TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux

    private final Process process;
    private final CompletableFuture<String> address = new CompletableFuture<>();
    private volatile String lastLine = "it said nothing";

    private ServerProcess(Process process) {
        this.process = process;
    }

    /// Starts a server and waits until it listens.
    ///
    /// @throws IOException when it ends instead, with the last line that it printed
    public static ServerProcess start(Side side) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", "0"));
        command.addAll(side.command());
        ServerProcess server =
                new ServerProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
        Children.add(server.process);
        // Not virtual: a read of a pipe holds its carrier, and there are only as many of those as
        // cores.
        Thread.ofPlatform().daemon().start(server::readOutput);
        try {
            server.address.get(START_SECONDS, TimeUnit.SECONDS);
            return server;
        } catch (ExecutionException _) {
            server.close();
            throw new IOException(side.name() + " did not start: " + server.lastLine);
        } catch (TimeoutException _) {
            server.close();
            throw new IOException(
                    side.name()
                            + " does not listen after "
                            + START_SECONDS
                            + " s: "
                            + server.lastLine);
        }
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lastLine = line;
                Matcher listening = LISTENING.matcher(line);
                if (listening.matches()) {
                    address.complete(listening.group(1));
                }
            }
        } catch (IOException e) {
            lastLine = e.toString();
        }
        address.completeExceptionally(new IOException("ended"));
    }

    public String url() {
        return "http://" + address.join() + "/";
    }

    public long pid() {
        return process.pid();
    }

    /// Seconds of CPU that all threads of the process have used so far, in user and kernel mode.
    public double cpuSeconds() throws IOException {
        return cpuSeconds(Files.readString(Path.of("/proc", Long.toString(pid()), "stat")));
    }

    /// From the text of `/proc/PID/stat`: see proc_pid_stat(5). The name in field 2 may hold
    /// spaces.
    static double cpuSeconds(String stat) {
        List<String> fromState = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        long user = Long.parseLong(fromState.get(14 - 3));
        long kernel = Long.parseLong(fromState.get(15 - 3));
        return (user + kernel) / TICKS_PER_SECOND;
    }

    /// Fails when the server has ended, with the last line that it printed.
    void checkAlive(Side side) throws IOException {
        if (!process.isAlive()) {
            throw new IOException(side.name() + " ended under load: " + lastLine);
        }
    }

    /// Asks it to end, as a service manager does.
    ///
    /// @return nanoseconds until it was gone
    public long terminate() throws InterruptedException {
        long begin = System.nanoTime();
        process.destroy();
        process.waitFor();
        return System.nanoTime() - begin;
    }

    @Override
    public void close() {
        Children.stop(process);
    }
}
