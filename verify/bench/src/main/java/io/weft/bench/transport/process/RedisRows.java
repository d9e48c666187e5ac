package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.Measured.Score;
import io.weft.bench.transport.process.server.Server;
import io.weft.bench.warmup.ThreadTimes;
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
/// Weft and the same on Netty, and redis-server itself. All have one core, redis-benchmark the
/// other. Rows are the CPU that a request costs the server (`Cpu`), and requests a second (`Rate`)
/// of those in pipelines: without them redis-benchmark needs more CPU for a request than any
/// server, and a server that answers sooner wakes it more often.
final class RedisRows implements Program {
    private static final String RATE = "RedisBenchmark/Rate";
    private static final String CPU = "RedisBenchmark/Cpu";
    private static final List<String> COMMANDS = List.of("SET", "GET");
    private static final Pattern LINE = Pattern.compile("\"(SET|GET)\",\"([0-9.]+)\".*");

    @Override
    public String operations() {
        return RATE + " " + CPU;
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        if (!Command.exists("redis-benchmark")) {
            measured.remark(
                    "RedisBenchmark: skipped, redis-benchmark is missing (dev/install-peers.sh"
                            + " installs it)");
            return;
        }
        List<ServerSide> sides = ServerSide.underLoad(extent);
        try (OtherServer redis = redis();
                LoadServers servers = new LoadServers(sides, Server.Service.REDIS, measured)) {
            for (int pipeline : new int[] {1, 16}) {
                int depth = pipeline;
                for (int round = extent.firstRound(); round < extent.rounds; round++) {
                    for (ServerSide side : servers.round(round)) {
                        RunningServer server = servers.of(side);
                        int port = server.tcp().getPort();
                        long pid = server.process().pid();
                        List<Score> scores =
                                extent.measure(
                                        server,
                                        () -> measure(side, port, pid, depth, extent, measured));
                        if (round >= 0) {
                            measured.add(side, scores);
                        }
                    }
                    if (redis != null) {
                        long pid = redis.process().pid();
                        List<Score> scores =
                                measure(redis.side(), redis.port(), pid, depth, extent, measured);
                        if (round >= 0) {
                            measured.add(redis.side(), scores);
                        }
                    }
                }
            }
        }
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static @Nullable OtherServer redis() throws IOException, InterruptedException {
        if (!Command.exists("redis-server")) {
            return null;
        }
        int port = free();
        List<String> command = new ArrayList<>(List.of("redis-server", "--bind", "127.0.0.1"));
        command.addAll(List.of("--port", Integer.toString(port), "--save", ""));
        return OtherServer.start("redis", port, command);
    }

    /// Returns nothing of a command that failed, nor of those behind it.
    private static List<Score> measure(
            ServerSide side, int port, long pid, int pipeline, Extent extent, Measured measured)
            throws IOException, InterruptedException {
        // About the time of a window at the rates that servers reach here.
        int perMilli = pipeline == 1 ? 60 : 400;
        int count = Math.max(1_000, extent.windowMillis * perMilli);
        List<Score> scores = new ArrayList<>();
        for (String name : COMMANDS) {
            List<String> command = new ArrayList<>(List.of("timeout", "120", "redis-benchmark"));
            command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
            command.addAll(List.of("-t", name, "-d", "16", "-r", "10000", "-c", "50", "--csv"));
            command.addAll(List.of("-P", Integer.toString(pipeline)));
            command.addAll(List.of("-n", Integer.toString(count)));
            long before = ThreadTimes.nanos(pid);
            String output = Command.run(command).output();
            double micros = (ThreadTimes.nanos(pid) - before) / 1e3 / count;
            Matcher line = LINE.matcher(output);
            if (!line.find() || !line.group(1).equals(name)) {
                measured.failure("redis-benchmark, " + side.name() + ": " + output);
                return scores;
            }
            Map<String, String> params = new TreeMap<>();
            params.put("command", name);
            params.put("pipeline", Integer.toString(pipeline));
            scores.add(new Score(new Row(CPU, params, "µs/request", false), micros));
            if (pipeline > 1) {
                Row rate = new Row(RATE, params, "requests/s", true);
                scores.add(new Score(rate, Double.parseDouble(line.group(2))));
            }
        }
        return scores;
    }
}
