package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.server.Http2Answers;
import io.weft.bench.transport.process.server.Server;
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
final class H2loadRows implements Program {
    private static final RequestRows ROWS = new RequestRows("H2load");
    private static final Pattern PER_SECOND = Pattern.compile("([0-9.]+) req/s");
    private static final Pattern COUNTS =
            Pattern.compile("(\\d+) succeeded, (\\d+) failed, (\\d+) errored");

    /// @param answer a path of [Http2Answers]
    private record Shape(String answer, int connections, int streams, boolean tls)
            implements RequestRows.Shape {
        boolean posts() {
            return answer.equals(Http2Answers.UNARY) || answer.equals(Http2Answers.STREAM);
        }

        @Override
        public Map<String, String> params() {
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

    @Override
    public String operations() {
        return ROWS.operations();
    }

    @Override
    public boolean isWanted(Measured measured) {
        return !ROWS.wanted(SHAPES, measured).isEmpty();
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
            ROWS.run(
                    SHAPES,
                    servers,
                    extent,
                    measured,
                    (shape, server, millis) -> h2load(shape, server, millis, message));
        } finally {
            Files.delete(message);
        }
    }

    private static byte[] body() {
        return Http2Answers.bytes(Http2Answers.MESSAGE);
    }

    private static RequestRows.Report h2load(
            Shape shape, RunningServer server, int millis, Path message)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("weft-bench-", ".log");
        try {
            List<String> command = new ArrayList<>(List.of("timeout", "120", "h2load", "-t1"));
            command.addAll(List.of("-c" + shape.connections, "-m" + shape.streams));
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
            return new RequestRows.Report(
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
