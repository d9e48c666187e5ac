package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The time that requests over HTTP/1.1 take at 50, 70 and 90 % of the most that each side answers,
/// from when they were due ([OpenLoad]).
///
/// @param limits the folder of the servers in C, which take part for the shortest answer; null for
///     none
record LatencyRows(@Nullable Path limits) implements Program {
    /// A percentile of a shorter window would be of a few requests.
    private static final int LEAST_MILLIS = 1_000;

    private static final List<String> ANSWERS = List.of(Http1Answers.HELLO, Http1Answers.LARGE);
    private static final int[] SHARES = {50, 70, 90};
    private static final Map<String, Double> PERCENTILES =
            new TreeMap<>(Map.of("P50", 50.0, "P99", 99.0, "P999", 99.9));

    @Override
    public String operations() {
        return "Latency/P50 Latency/P99 Latency/P999 Latency/Most";
    }

    @Override
    public boolean isWanted(Measured measured) {
        return ANSWERS.stream().anyMatch(answer -> isWanted(answer, measured));
    }

    private static boolean isWanted(String answer, Measured measured) {
        return measured.wantsRow(most(answer).title())
                || Arrays.stream(SHARES)
                        .mapToObj(share -> params(answer, share))
                        .flatMap(
                                params ->
                                        PERCENTILES.keySet().stream()
                                                .map(name -> percentile(name, params)))
                        .anyMatch(row -> measured.wantsRow(row.title()));
    }

    private static Map<String, String> params(String answer, int share) {
        Map<String, String> params = new TreeMap<>();
        params.put("answer", answer.substring(1));
        params.put("load", Integer.toString(share));
        return params;
    }

    private static Row most(String answer) {
        Map<String, String> params = Map.of("answer", answer.substring(1));
        return new Row("Latency/Most", params, "requests/s", true);
    }

    private static Row percentile(String name, Map<String, String> params) {
        return new Row("Latency/" + name, params, "µs", false);
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        for (String answer : ANSWERS) {
            if (!isWanted(answer, measured)) {
                continue;
            }
            System.err.print(" " + answer);
            try (LoadServers servers =
                    new LoadServers(ServerSide.underLoad(extent), Server.Service.HTTP1, measured)) {
                if (answer.equals(Http1Answers.HELLO)) {
                    addLimits(servers, measured);
                }
                measure(answer, servers, extent, measured);
            }
        }
    }

    private void addLimits(LoadServers servers, Measured measured) throws InterruptedException {
        for (String engine : List.of("io_uring", "epoll")) {
            String file = "hello_" + engine.replace("io_", "");
            Path program = limits == null ? null : limits.resolve(file);
            if (program != null && Files.isExecutable(program)) {
                ServerSide side = new ServerSide("c " + engine, "c", engine, List.of());
                servers.add(side, List.of(program.toString()), measured);
            } else {
                measured.remark("c " + engine + ": skipped, it is not compiled (needs gcc)");
            }
        }
    }

    private static void measure(
            String answer, LoadServers servers, Extent extent, Measured measured)
            throws IOException, InterruptedException {
        int millis =
                extent == Extent.SMOKE
                        ? extent.windowMillis
                        : Math.max(LEAST_MILLIS, extent.windowMillis);
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        Map<ServerSide, double[]> most = new HashMap<>();
        for (int round = extent.firstRound(); round < extent.rounds; round++) {
            for (ServerSide side : servers.round(Math.max(0, round))) {
                double rate = most(answer, side, servers, extent, nanos, measured);
                if (round >= 0 && rate > 0) {
                    most.computeIfAbsent(side, _ -> new double[extent.rounds])[round] = rate;
                    measured.add(most(answer), side, rate);
                }
            }
        }
        for (int share : SHARES) {
            for (int round = 0; round < extent.rounds; round++) {
                for (ServerSide side : servers.round(round)) {
                    double[] rates = most.get(side);
                    if (rates != null) {
                        double rate = median(rates) * share / 100;
                        latencies(answer, share, rate, side, servers, extent, nanos, measured);
                    }
                }
            }
        }
    }

    private static double median(double[] rates) {
        double[] sorted = rates.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /// Returns the rate of a side that always has a request to answer on each connection; 0 if it
    /// failed.
    private static double most(
            String answer,
            ServerSide side,
            LoadServers servers,
            Extent extent,
            long nanos,
            Measured measured)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try (OpenLoad load = new OpenLoad(server.tcp(), answer)) {
            return extent.measure(server, () -> load.closed(nanos));
        } catch (IOException e) {
            failed(answer, side, servers, measured, e);
            return 0;
        }
    }

    private static void latencies(
            String answer,
            int share,
            double rate,
            ServerSide side,
            LoadServers servers,
            Extent extent,
            long nanos,
            Measured measured)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try (OpenLoad load = new OpenLoad(server.tcp(), answer)) {
            Latencies latencies = extent.measure(server, () -> load.open(rate, nanos));
            PERCENTILES.forEach(
                    (name, percent) ->
                            measured.add(
                                    percentile(name, params(answer, share)),
                                    side,
                                    latencies.micros(percent)));
        } catch (IOException e) {
            failed(answer, side, servers, measured, e);
        }
    }

    private static void failed(
            String answer,
            ServerSide side,
            LoadServers servers,
            Measured measured,
            IOException cause)
            throws IOException {
        measured.failure("Latency " + answer + ", " + side.name() + ": " + cause.getMessage());
        servers.drop(side);
    }
}
