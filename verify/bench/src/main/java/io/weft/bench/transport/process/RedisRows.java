package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Children;
import io.weft.bench.mainjob.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// SET and GET from redis-benchmark on 50 connections, plain and sixteen at a time: a server on
/// Weft and the same on Netty, and redis-server itself. Each has a core of its own; rows are
/// requests a second (`Rate`).
final class RedisRows implements Program {
    private static final String RATE = "RedisBenchmark/Rate";
    private static final ServerSide REDIS = new ServerSide("redis", "redis", "", List.of());
    private static final Pattern LINE = Pattern.compile("\"(SET|GET)\",\"([0-9.]+)\".*");

    @Override
    public String operations() {
        return RATE;
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        if (!Command.exists("redis-benchmark")) {
            measured.remark(
                    "RedisBenchmark: skipped, redis-benchmark is missing (dev/install-peers.sh"
                            + " installs it)");
            return;
        }
        List<ServerSide> sides =
                extent == Extent.FULL
                        ? ServerSide.andUnsafe(false)
                        : ServerSide.all().stream()
                                .filter(side -> !side.transport().equals("nio"))
                                .toList();
        int redisPort = free();
        @Nullable Process redis = redis(redisPort);
        try (LoadServers servers = new LoadServers(sides, Server.Service.REDIS, measured)) {
            for (int pipeline : new int[] {1, 16}) {
                // Rounds below 0 warm up.
                for (int round = extent == Extent.SMOKE ? 0 : -2; round < extent.rounds; round++) {
                    for (ServerSide side : servers.round(round)) {
                        int port = servers.of(side).tcp().getPort();
                        measure(side, port, pipeline, extent, round, measured);
                    }
                    if (redis != null) {
                        measure(REDIS, redisPort, pipeline, extent, round, measured);
                    }
                }
            }
        } finally {
            if (redis != null) {
                Children.stop(redis);
            }
        }
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static @Nullable Process redis(int port) throws IOException, InterruptedException {
        if (!Command.exists("redis-server")) {
            return null;
        }
        Process process =
                new ProcessBuilder(
                                "taskset",
                                "-c",
                                "0",
                                "redis-server",
                                "--port",
                                Integer.toString(port),
                                "--bind",
                                "127.0.0.1",
                                "--save",
                                "")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Children.add(process);
        return process;
    }

    private static void measure(
            ServerSide side, int port, int pipeline, Extent extent, int round, Measured measured)
            throws IOException, InterruptedException {
        // About the time of a window at the rates that servers reach here.
        int perMilli = pipeline == 1 ? 60 : 400;
        List<String> command = new ArrayList<>(List.of("timeout", "120", "redis-benchmark"));
        command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(List.of("-t", "set,get", "-d", "16", "-r", "10000", "-c", "50", "--csv"));
        command.addAll(List.of("-P", Integer.toString(pipeline)));
        command.addAll(
                List.of("-n", Integer.toString(Math.max(1_000, extent.windowMillis * perMilli))));
        String output = Command.run(command).output();
        Matcher lines = LINE.matcher(output);
        int found = 0;
        while (lines.find()) {
            found++;
            if (round >= 0) {
                Map<String, String> params = new TreeMap<>();
                params.put("command", lines.group(1));
                params.put("pipeline", Integer.toString(pipeline));
                Row row = new Row(RATE, params, "requests/s", true);
                measured.add(row, side, Double.parseDouble(lines.group(2)));
            }
        }
        if (found != 2) {
            measured.failure("redis-benchmark, " + side.name() + ": " + output);
        }
    }
}
