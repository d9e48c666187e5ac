package io.weft.conformance.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// An [EchoChild] with flags and limits of its own.
public final class Child implements AutoCloseable {
    public final String transport;
    public final InetSocketAddress address;
    private final Process process;
    private final BufferedReader output;
    private final Path errors;

    /// @param descriptors that the child may have open at most; 0 for as many as this process may
    public Child(String transport, int descriptors, String... flags) throws IOException {
        this(EchoChild.class, transport, descriptors, flags);
    }

    /// @param main a program that behaves as [EchoChild] does
    public Child(Class<?> main, String transport, int descriptors, String... flags)
            throws IOException {
        this(
                descriptors == 0
                        ? List.of()
                        : List.of("sh", "-c", "ulimit -n " + descriptors + "; exec \"$@\"", "sh"),
                main,
                descriptors == 0 ? ClassPath.asGiven() : ClassPath.ofJars(),
                transport,
                flags);
    }

    /// @param launcher a command that ends by running the one that its last arguments are
    public Child(List<String> launcher, Class<?> main, String transport, String... flags)
            throws IOException {
        this(launcher, main, ClassPath.asGiven(), transport, flags);
    }

    private Child(
            List<String> launcher,
            Class<?> main,
            String classPath,
            String transport,
            String... flags)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(main.getName(), transport));
        errors = Files.createTempFile("child", ".log");
        process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        output = process.inputReader();
        this.transport = line();
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(line()));
    }

    private String line() {
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread reader =
                new Thread(
                        () -> {
                            try {
                                line.complete(String.valueOf(output.readLine()));
                            } catch (IOException e) {
                                line.completeExceptionally(e);
                            }
                        });
        reader.setDaemon(true);
        reader.start();
        try {
            String said = Rig.await(line);
            assertThat(said).as("a line before the end").isNotEqualTo("null");
            return said;
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw new AssertionError("the child said: " + errors(), e);
        }
    }

    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }

    public int descriptors() {
        try {
            return Descriptors.count(process.pid());
        } catch (IOException e) {
            throw new AssertionError("the child has ended: " + errors(), e);
        }
    }

    /// Sends it a signal of kill(1).
    public void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        assertThat(Rig.await(kill.onExit()).exitValue()).isZero();
    }

    /// Processor time of the loop, in ticks of 10 ms.
    public long loopTicks() throws IOException {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path thread : threads) {
                // proc_pid_stat(5): "pid (name) state ...", utime and stime being fields 14 and 15
                String stat = Files.readString(thread.resolve("stat"), StandardCharsets.UTF_8);
                if (stat.contains("(weft-")) {
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
                }
            }
        }
        throw new AssertionError("the child has no loop any more: " + errors());
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            assertThat(line()).as(() -> "the child said: " + errors()).isEqualTo("done");
            assertThat(process.waitFor(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }
}
