package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Requests over HTTP/1.1 from wrk, on 64 connections: small and large answers, JSON, a file,
/// uploads, handlers that block, TLS, and a new connection for every request.
///
/// @param rivals the folder of [Rivals], which take part too; null for Netty alone
record WrkRows(@Nullable Path rivals) implements Program {
    private static final RequestRows ROWS = new RequestRows("Wrk");

    private static final String UPLOADS =
            "wrk.method = \"POST\"\nwrk.body = string.rep(\"x\", 65536)\n";

    /// @param answer a path of [Http1Answers]
    /// @param fresh a new connection for every request
    private record Shape(String answer, boolean tls, boolean fresh) implements RequestRows.Shape {
        @Override
        public Map<String, String> params() {
            Map<String, String> params = new TreeMap<>();
            params.put("answer", answer.substring(1));
            params.put("tls", Boolean.toString(tls));
            params.put("connections", fresh ? "new" : "kept");
            return params;
        }

        /// nginx has no handlers that block, and the JDK's server does not say that it closes a
        /// connection, which wrk takes for an error.
        @Override
        public boolean suits(ServerSide side) {
            return switch (side.name()) {
                case "nginx" -> !answer.equals(Http1Answers.BLOCKING);
                case "jdk" -> !fresh;
                default -> true;
            };
        }
    }

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape(Http1Answers.HELLO, false, false),
                    new Shape(Http1Answers.JSON, false, false),
                    new Shape(Http1Answers.KIBI, false, false),
                    new Shape(Http1Answers.LARGE, false, false),
                    new Shape(Http1Answers.MEBI, false, false),
                    new Shape(Http1Answers.FILE, false, false),
                    new Shape(Http1Answers.UPLOAD, false, false),
                    new Shape(Http1Answers.BLOCKING, false, false),
                    new Shape(Http1Answers.HELLO, false, true),
                    new Shape(Http1Answers.HELLO, true, false),
                    new Shape(Http1Answers.HELLO, true, true),
                    new Shape(Http1Answers.LARGE, true, false));

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
        if (!Command.exists("wrk")) {
            measured.remark("Wrk: skipped, wrk is missing (dev/install-peers.sh installs it)");
            return;
        }
        Path uploads = Files.writeString(Files.createTempFile("weft-bench-", ".lua"), UPLOADS);
        try (LoadServers servers =
                new LoadServers(ServerSide.underLoad(extent), Server.Service.HTTP1, measured)) {
            Rivals.start(servers, rivals, measured);
            ROWS.run(
                    SHAPES,
                    servers,
                    extent,
                    measured,
                    (shape, server, millis) -> wrk(shape, server, millis, uploads));
        } finally {
            Files.delete(uploads);
        }
    }

    private static RequestRows.Report wrk(
            Shape shape, RunningServer server, int millis, Path uploads)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>();
        if (shape.fresh) {
            options.addAll(List.of("-H", "Connection: close"));
        }
        if (shape.answer.equals(Http1Answers.UPLOAD)) {
            options.addAll(List.of("-s", uploads.toString()));
        }
        int port = (shape.tls ? server.second() : server.tcp()).getPort();
        String url = (shape.tls ? "https" : "http") + "://127.0.0.1:" + port + shape.answer;
        return WrkLoad.send(options, url, millis);
    }
}
