package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import io.weft.bench.mainjob.WrkReport;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Http2Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Requests from `saturate` over HTTP/1.1, and from `saturate_h2` over HTTP/2. They cost less than
/// a server, so the rates are those of servers at their limit, where those of [WrkRows] and
/// [H2loadRows] are often the generators'.
///
/// @param programs the folder into which they were compiled, null for none
record SaturateRows(@Nullable Path programs, Server.Service service) implements Program {
    private static final RequestRows ROWS = new RequestRows("Saturate");
    private static final int UPLOAD_LENGTH = 65_536;
    private static final int CONNECTIONS = 64;

    /// @param answer a path of [Http1Answers] or [Http2Answers]
    /// @param streams requests under way on each connection
    private record Shape(String answer, int connections, int streams) implements RequestRows.Shape {
        /// Over HTTP/1.1.
        Shape(String answer) {
            this(answer, CONNECTIONS, 0);
        }

        boolean isHttp2() {
            return streams > 0;
        }

        @Override
        public Map<String, String> params() {
            Map<String, String> params = new TreeMap<>();
            params.put("answer", answer.substring(1));
            if (isHttp2()) {
                params.put("load", connections + "x" + streams);
            }
            return params;
        }

        @Override
        public boolean tls() {
            return false;
        }
    }

    private static final List<Shape> HTTP1 =
            List.of(
                    new Shape(Http1Answers.HELLO),
                    new Shape(Http1Answers.JSON),
                    new Shape(Http1Answers.KIBI),
                    new Shape(Http1Answers.LARGE),
                    new Shape(Http1Answers.MEBI),
                    new Shape(Http1Answers.FILE),
                    new Shape(Http1Answers.UPLOAD));

    private static final List<Shape> HTTP2 =
            List.of(
                    new Shape(Http2Answers.SMALL, 1, 100),
                    new Shape(Http2Answers.SMALL, 100, 1),
                    new Shape(Http2Answers.LARGE, 1, 100),
                    new Shape(Http2Answers.LARGE, 100, 1));

    private List<Shape> shapes() {
        return service == Server.Service.HTTP2 ? HTTP2 : HTTP1;
    }

    private String program() {
        return service == Server.Service.HTTP2 ? "saturate_h2" : "saturate";
    }

    @Override
    public String operations() {
        return ROWS.operations();
    }

    @Override
    public boolean isWanted(Measured measured) {
        return !ROWS.wanted(shapes(), measured).isEmpty();
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        Path program = Command.compiled(programs, program());
        if (program == null) {
            measured.remark("Saturate: skipped, it is not compiled (needs gcc)");
            return;
        }
        try (LoadServers servers =
                new LoadServers(ServerSide.underLoad(extent), service, measured)) {
            ROWS.run(
                    shapes(),
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
        command.addAll(List.of("-p", shape.answer, "-c", Integer.toString(shape.connections)));
        if (shape.isHttp2()) {
            command.addAll(List.of("-m", Integer.toString(shape.streams)));
        }
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
