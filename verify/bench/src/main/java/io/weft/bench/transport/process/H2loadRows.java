package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Requests over HTTP/2 from h2load: 100 streams on one connection and one on each of 100, small
/// and large answers, with TLS and without, and the shapes of gRPC's calls.
///
/// Of each side: requests a second (`Rate`), the 99th percentile of the time that they took
/// (`P99`), and what of its core the server spent on one (`Cpu`).
final class H2loadRows implements Program {
    private static final String RATE = "H2load/Rate";
    private static final String P99 = "H2load/P99";
    private static final String CPU = "H2load/Cpu";
    private static final Pattern PER_SECOND = Pattern.compile("([0-9.]+) req/s");
    private static final Pattern COUNTS =
            Pattern.compile("(\\d+) succeeded, (\\d+) failed, (\\d+) errored");

    /// @param answer a path of [Http2Answers]
    private record Shape(String answer, int connections, int streams, boolean tls) {
        boolean posts() {
            return answer.equals(Http2Answers.UNARY) || answer.equals(Http2Answers.STREAM);
        }

        Map<String, String> params() {
            Map<String, String> params = new TreeMap<>();
            params.put("answer", answer.substring(1));
            params.put("load", connections + "x" + streams);
            params.put("tls", Boolean.toString(tls));
            return params;
        }
    }

    private static final List<Shape> SHAPES = shapes();

    private static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        for (boolean tls : new boolean[] {false, true}) {
            for (String answer : List.of(Http2Answers.SMALL, Http2Answers.LARGE)) {
                shapes.add(new Shape(answer, 1, 100, tls));
                shapes.add(new Shape(answer, 100, 1, tls));
            }
        }
        shapes.add(new Shape(Http2Answers.UNARY, 1, 100, false));
        shapes.add(new Shape(Http2Answers.STREAM, 1, 100, false));
        return shapes;
    }

    /// @param rate requests a second
    private record Report(double rate, double p99Micros, long requests) {}

    @Override
    public String operations() {
        return RATE + " " + P99 + " " + CPU;
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        if (!Command.exists("h2load")) {
            measured.remark(
                    "H2load: skipped, h2load is missing (dev/install-peers.sh installs it)");
            return;
        }
        List<ServerSide> sides = ServerSide.underLoad(extent);
        Path message = Files.write(Files.createTempFile("weft-bench-", ".bin"), body());
        try (LoadServers servers = new LoadServers(sides, Server.Service.HTTP2, measured)) {
            for (Shape shape : SHAPES) {
                System.err.print(" " + shape.params().values());
                // Rounds below 0 warm up.
                for (int round = extent == Extent.SMOKE ? 0 : -2; round < extent.rounds; round++) {
                    for (ServerSide side : servers.round(round)) {
                        measure(shape, side, servers, extent, round, message, measured);
                    }
                }
            }
        } finally {
            Files.delete(message);
        }
    }

    private static byte[] body() {
        return Http2Answers.bytes(Http2Answers.MESSAGE);
    }

    private static void measure(
            Shape shape,
            ServerSide side,
            LoadServers servers,
            Extent extent,
            int round,
            Path message,
            Measured measured)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try {
            long cpu = server.process().cpuNanos();
            Report report = h2load(shape, server, extent, message);
            cpu = server.process().cpuNanos() - cpu;
            if (round >= 0) {
                Map<String, String> params = shape.params();
                measured.add(new Row(RATE, params, "requests/s", true), side, report.rate);
                measured.add(new Row(P99, params, "µs", false), side, report.p99Micros);
                double each = cpu / 1e3 / report.requests;
                measured.add(new Row(CPU, params, "µs/request", false), side, each);
            }
        } catch (IOException e) {
            measured.failure("H2load " + shape + ", " + side.name() + ": " + e.getMessage());
            servers.drop(side);
        }
    }

    private static Report h2load(Shape shape, RunningServer server, Extent extent, Path message)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("weft-bench-", ".log");
        try {
            List<String> command = new ArrayList<>(List.of("timeout", "120", "h2load", "-t1"));
            command.addAll(List.of("-c" + shape.connections, "-m" + shape.streams));
            int millis = Math.max(100, extent.windowMillis);
            command.addAll(List.of("-D", millis + "ms"));
            command.add("--log-file=" + log);
            if (shape.posts()) {
                command.addAll(List.of("-d", message.toString()));
                command.addAll(List.of("-H", "content-type: application/grpc"));
                command.addAll(List.of("-H", "te: trailers"));
            }
            int port = (shape.tls ? server.second() : server.tcp()).getPort();
            command.add((shape.tls ? "https" : "http") + "://127.0.0.1:" + port + shape.answer);
            String output = Command.run(command).output();
            Matcher rate = PER_SECOND.matcher(output);
            Matcher counts = COUNTS.matcher(output);
            if (!rate.find()
                    || !counts.find()
                    || counts.group(1).equals("0")
                    || !counts.group(2).equals("0")
                    || !counts.group(3).equals("0")) {
                throw new IOException("h2load: " + output);
            }
            return new Report(
                    Double.parseDouble(rate.group(1)),
                    percentile(log, 0.99),
                    Long.parseLong(counts.group(1)));
        } finally {
            Files.delete(log);
        }
    }

    /// Of the log's last column, the microseconds that each request took.
    private static double percentile(Path log, double share) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            long[] micros =
                    lines.mapToLong(l -> Long.parseLong(l.substring(l.lastIndexOf('\t') + 1)))
                            .toArray();
            if (micros.length == 0) {
                throw new IOException("h2load: its log is empty (expected: a line each request)");
            }
            Arrays.sort(micros);
            return micros[(int) Math.min(micros.length - 1L, (long) (micros.length * share))];
        }
    }
}
