package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import io.weft.bench.mainjob.WrkReport;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Requests over HTTP/1.1 from `saturate`, on 64 connections. It costs less than a server, so the
/// rates are those of servers at their limit, where those of [WrkRows] are often wrk's.
///
/// @param programs the folder into which `saturate` was compiled, null for none
record SaturateRows(@Nullable Path programs) implements Program {
    private static final RequestRows ROWS = new RequestRows("Saturate");
    private static final int UPLOAD_LENGTH = 65_536;

    /// @param answer a path of [Http1Answers]
    private record Shape(String answer) implements RequestRows.Shape {
        @Override
        public Map<String, String> params() {
            return Map.of("answer", answer.substring(1));
        }

        @Override
        public boolean tls() {
            return false;
        }
    }

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape(Http1Answers.HELLO),
                    new Shape(Http1Answers.JSON),
                    new Shape(Http1Answers.KIBI),
                    new Shape(Http1Answers.LARGE),
                    new Shape(Http1Answers.MEBI),
                    new Shape(Http1Answers.FILE),
                    new Shape(Http1Answers.UPLOAD));

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
        Path program = programs == null ? null : programs.resolve("saturate");
        if (program == null || !Files.isExecutable(program)) {
            measured.remark("Saturate: skipped, it is not compiled (needs gcc)");
            return;
        }
        try (LoadServers servers =
                new LoadServers(ServerSide.underLoad(extent), Server.Service.HTTP1, measured)) {
            ROWS.run(
                    SHAPES,
                    servers,
                    extent,
                    measured,
                    (shape, server, millis) -> saturate(program, shape, server, millis));
        }
    }

    private static RequestRows.Report saturate(
            Path program, Shape shape, RunningServer server, int millis)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", "120", program.toString()));
        command.addAll(List.of("-p", shape.answer));
        if (shape.answer.equals(Http1Answers.UPLOAD)) {
            command.addAll(List.of("-b", Integer.toString(UPLOAD_LENGTH)));
        }
        command.add(Integer.toString(server.tcp().getPort()));
        command.add(String.format(Locale.ROOT, "%.3f", millis / 1e3));
        WrkReport report = WrkReport.parse(Command.run(command).output());
        if (report.requests() == 0 || report.errors() > 0) {
            throw new IOException("saturate: " + report);
        }
        return new RequestRows.Report(
                report.requestsPerSecond(), report.p99Micros(), report.requests());
    }
}
