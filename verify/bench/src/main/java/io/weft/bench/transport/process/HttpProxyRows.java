package io.weft.bench.transport.process;

import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The example `reverse-proxy` beside the same on Netty, nginx, HAProxy and Go: requests from wrk,
/// on 64 connections, which each passes on to the same server. That server shares the core of wrk.
///
/// @param rivals the folder of the proxies of others
/// @param weft the module path of Weft and its examples; null if they are not built
record HttpProxyRows(Path rivals, @Nullable String weft) implements Program {
    private static final RequestRows ROWS = new RequestRows("ReverseProxy");

    private record Shape(String answer) implements RequestRows.Shape {
        @Override
        public Map<String, String> params() {
            return new TreeMap<>(Map.of("answer", answer.substring(1)));
        }

        @Override
        public boolean tls() {
            return false;
        }
    }

    private static final List<Shape> SHAPES =
            List.of(new Shape(Http1Answers.HELLO), new Shape(Http1Answers.LARGE));

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
            measured.remark("ReverseProxy: skipped, wrk is missing");
            return;
        }
        ServerSide behind = ServerSide.all().getFirst();
        try (RunningServer origin =
                        RunningServer.start(
                                behind,
                                Server.Service.HTTP1,
                                List.of("taskset", "-c", "1"),
                                LoadServers.FLAGS);
                LoadServers proxies = new LoadServers(List.of(), Server.Service.HTTP1, measured)) {
            start(proxies, origin.tcp().getPort(), extent, measured);
            ROWS.run(
                    SHAPES,
                    proxies,
                    extent,
                    measured,
                    (shape, proxy, millis) ->
                            WrkLoad.send(
                                    List.of(),
                                    "http://127.0.0.1:" + proxy.tcp().getPort() + shape.answer,
                                    millis));
        }
    }

    private void start(LoadServers proxies, int origin, Extent extent, Measured measured)
            throws InterruptedException {
        if (weft == null) {
            measured.remark("ReverseProxy: weft is skipped, the examples are not built");
        }
        for (ServerSide side : ServerSide.underLoad(extent)) {
            if (side.library().equals("netty")) {
                proxies.add(side, ProxyCommands.netty(side, "http", origin), measured);
            } else if (weft != null) {
                List<String> command = ProxyCommands.weft(side, "ReverseProxy", weft, origin);
                proxies.add(side, command, measured);
            }
        }
        other(proxies, "nginx", "nginx-proxy.sh", origin, measured);
        other(proxies, "haproxy", "haproxy-proxy.sh", origin, measured);
        other(proxies, "go", "proxy-go", origin, measured);
    }

    private void other(LoadServers proxies, String name, String file, int origin, Measured measured)
            throws InterruptedException {
        Path program = rivals.resolve(file);
        if (Files.isExecutable(program) && (file.endsWith("-go") || Command.exists(name))) {
            proxies.add(
                    ServerSide.other(name),
                    List.of(program.toString(), Integer.toString(origin)),
                    measured);
        } else {
            measured.remark("ReverseProxy: " + name + " is skipped, it is missing");
        }
    }
}
