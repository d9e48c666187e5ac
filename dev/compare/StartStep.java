import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/// From the start of a process until its first response: of `hello-http`, among all examples and
/// what they require, and of the server of dev/startup with its own modules alone.
record StartStep(List<Build> builds, int rounds, int starts, Path folder, Results results)
        implements Step {
    private static final Pattern PORT = Pattern.compile("(?:listening on [^ ]+:)?(\\d+)(?: .*)?");

    /// By the clock, and of the processor, in milliseconds.
    private record Time(double clock, double work) {}

    @Override
    public String name() {
        return "Start";
    }

    @Override
    public void run(int round) throws IOException, InterruptedException {
        start("hello-http", round, List.of(example(builds.get(0)), example(builds.get(1))));
        start("server alone", round, List.of(alone(builds.get(0)), alone(builds.get(1))));
    }

    private void start(String what, int round, List<List<String>> commands)
            throws IOException, InterruptedException {
        double[][] clock = new double[2][starts];
        double[][] work = new double[2][starts];
        for (int i = -1; i < starts; i++) { // the first start reads files into memory
            for (int turn = 0; turn < 2; turn++) {
                int side = (turn + i + 1) % 2;
                Time time = first(commands.get(side));
                if (i >= 0) {
                    clock[side][i] = time.clock;
                    work[side][i] = time.work;
                }
            }
        }
        for (int side = 0; side < 2; side++) {
            String row = "Start of " + what;
            results.add(row, "ms", false, round, side, Row.median(clock[side]), Double.NaN);
            String busy = row + ", processor";
            results.add(busy, "ms", false, round, side, Row.median(work[side]), Double.NaN);
        }
    }

    private static List<String> example(Build build) throws IOException {
        return Command.java(
                "--enable-native-access=io.weft.ffi",
                "--module-path",
                build.examples(),
                "-m",
                "io.weft.examples/io.weft.examples.HelloHttp",
                "--host",
                "127.0.0.1",
                "--port",
                "0");
    }

    /// Compiles dev/startup against the modules of a build.
    private List<String> alone(Build build) throws IOException {
        Path source = builds.get(1).tree().resolve("dev/startup");
        Path classes = folder.resolve("startup-" + build.name());
        if (!Files.exists(classes.resolve("module-info.class"))) {
            int failed =
                    ToolProvider.findFirst("javac")
                            .orElseThrow()
                            .run(
                                    System.err,
                                    System.err,
                                    "-d",
                                    classes.toString(),
                                    "-p",
                                    build.modules().toString(),
                                    source.resolve("module-info.java").toString(),
                                    source.resolve("hello/Hello.java").toString());
            if (failed != 0) {
                throw new IOException(source + ": does not compile with " + build.modules());
            }
        }
        return Command.java(
                "--enable-native-access=io.weft.ffi",
                "--limit-modules",
                "hello",
                "--module-path",
                build.modules() + ":" + classes,
                "-m",
                "hello/hello.Hello");
    }

    private static Time first(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        long began = System.nanoTime();
        Process server = builder.start();
        try (var out = server.inputReader()) {
            ask(port(out, command));
            double clock = (System.nanoTime() - began) / 1e6;
            double work = server.info().totalCpuDuration().map(d -> d.toNanos() / 1e6).orElse(0.0);
            return new Time(clock, work);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static int port(BufferedReader out, List<String> command) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.matches()) {
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException("no port (expected: a line with it): " + String.join(" ", command));
    }

    private static void ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String response =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!response.startsWith("HTTP/1.1 200")) {
                throw new IOException("response: " + response + " (expected: 200)");
            }
        }
    }
}
