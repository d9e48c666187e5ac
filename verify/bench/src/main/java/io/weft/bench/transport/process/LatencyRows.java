package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Side;
import io.weft.bench.mainjob.Sides;
import io.weft.bench.report.Spread;
import io.weft.bench.transport.process.server.Http1Answers;
import io.weft.bench.transport.process.server.Server;
import io.weft.bench.warmup.OldGeneration;
import java.io.IOException;
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
/// @param rivals the folder of [Rivals], which take part too; null for Netty alone
record LatencyRows(@Nullable Path limits, @Nullable Path rivals) implements Program {
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
                    for (Side limit : Sides.limits(limits, measured::remark)) {
                        ServerSide side = new ServerSide(limit.name(), "c", "", List.of());
                        servers.add(side, limit.command(), measured);
                    }
                }
                Rivals.start(servers, rivals, measured);
                new Rounds(answer, servers, extent, measured).run();
            }
        }
    }

    /// The rounds of one answer.
    private record Rounds(String answer, LoadServers servers, Extent extent, Measured measured) {
        void run() throws IOException, InterruptedException {
            Map<ServerSide, double[]> most = most();
            for (ServerSide side : most.keySet()) {
                OldGeneration.settle(servers.of(side).process().pid());
            }
            for (int share : SHARES) {
                for (int round = 0; round < extent.rounds; round++) {
                    for (ServerSide side : servers.round(round)) {
                        double[] rates = most.get(side);
                        if (rates != null) {
                            latencies(share, Spread.of(rates).median() * share / 100, side);
                        }
                    }
                }
            }
        }

        /// The rates of each side that always has a request to answer on each connection.
        private Map<ServerSide, double[]> most() throws IOException, InterruptedException {
            Map<ServerSide, double[]> most = new HashMap<>();
            for (int round = extent.firstRound(); round < extent.rounds; round++) {
                for (ServerSide side : servers.round(Math.max(0, round))) {
                    Double rate = measure(side, load -> load.closed(nanos()));
                    if (round >= 0 && rate != null) {
                        most.computeIfAbsent(side, _ -> new double[extent.rounds])[round] = rate;
                        measured.add(LatencyRows.most(answer), side, rate);
                    }
                }
            }
            return most;
        }

        private void latencies(int share, double rate, ServerSide side)
                throws IOException, InterruptedException {
            Latencies latencies = measure(side, load -> load.open(rate, nanos()));
            if (latencies != null) {
                Map<String, String> params = params(answer, share);
                PERCENTILES.forEach(
                        (name, percent) ->
                                measured.add(
                                        percentile(name, params), side, latencies.micros(percent)));
            }
        }

        private long nanos() {
            int millis = extent.windowMillis;
            return TimeUnit.MILLISECONDS.toNanos(
                    extent == Extent.SMOKE ? millis : Math.max(LEAST_MILLIS, millis));
        }

        private interface Window<T> {
            T run(OpenLoad load) throws IOException;
        }

        /// Returns null if the side failed; it takes part no longer then.
        private <T> @Nullable T measure(ServerSide side, Window<T> window)
                throws IOException, InterruptedException {
            RunningServer server = servers.of(side);
            try (OpenLoad load = new OpenLoad(server.tcp(), answer)) {
                return extent.measureTimes(server, () -> window.run(load));
            } catch (IOException e) {
                measured.failure("Latency " + answer + ", " + side.name() + ": " + e.getMessage());
                servers.drop(side);
                return null;
            }
        }
    }
}
