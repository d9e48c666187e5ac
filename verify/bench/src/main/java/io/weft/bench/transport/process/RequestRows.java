package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.warmup.OldGeneration;
import io.weft.bench.warmup.WarmUp;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Rounds of requests that a load generator sends to servers, each side in turn.
///
/// Of each side: requests a second (`Rate`), the 99th percentile of the time that they took
/// (`P99`), and what of its core the server spent on one (`Cpu`).
///
/// @param generator the name of the load generator, with which the names of the rows begin
record RequestRows(String generator) {
    /// With TLS, handshakes on 64 connections take most of a window of 350 ms, and what is measured
    /// are kept connections.
    private static final int TLS_MILLIS = 2_000;

    /// For servers that have not met a load before: 64 handshakes of TLS take their time then.
    private static final int COLD_MILLIS = 2_000;

    /// Requests of one kind.
    interface Shape {
        /// The parameters of the rows.
        Map<String, String> params();

        /// Tells if connections use TLS.
        boolean tls();

        /// Tells if a side takes part.
        default boolean suits(ServerSide side) {
            return true;
        }
    }

    /// A run of the load generator.
    interface Load<S extends Shape> {
        /// Sends requests for `millis` milliseconds.
        Report send(S shape, RunningServer server, int millis)
                throws IOException, InterruptedException;
    }

    /// @param rate requests a second
    record Report(double rate, double p99Micros, long requests) {}

    /// @param cpuNanos of the server
    private record Sent(Report report, long cpuNanos) {}

    String operations() {
        return rate() + " " + p99() + " " + cpu();
    }

    private String rate() {
        return generator + "/Rate";
    }

    private String p99() {
        return generator + "/P99";
    }

    private String cpu() {
        return generator + "/Cpu";
    }

    /// Returns the shapes of which a row is wanted, by its title.
    <S extends Shape> List<S> wanted(List<S> shapes, Measured measured) {
        return shapes.stream()
                .filter(
                        shape ->
                                Stream.of(rate(), p99(), cpu())
                                        .map(name -> new Row(name, shape.params(), "", true))
                                        .anyMatch(row -> measured.wantsRow(row.title())))
                .toList();
    }

    /// A smoke test does not warm up, but asks once more where a cold server answered nothing.
    <S extends Shape> void run(
            List<S> shapes, LoadServers servers, Extent extent, Measured measured, Load<S> load)
            throws IOException, InterruptedException {
        int coldMillis = Math.max(COLD_MILLIS, extent.windowMillis);
        Load<S> each = extent == Extent.SMOKE ? twice(load) : load;
        for (S shape : wanted(shapes, measured)) {
            System.err.print(" " + shape.params().values());
            int warmMillis = extent == Extent.SMOKE ? coldMillis : extent.windowMillis;
            int millis = shape.tls() ? Math.max(TLS_MILLIS, warmMillis) : warmMillis;
            if (extent != Extent.SMOKE) {
                for (ServerSide side : round(0, servers, shape)) {
                    warmUp(shape, servers.of(side), coldMillis, millis, load);
                    OldGeneration.settle(servers.of(side).process().pid());
                }
            }
            for (int round = 0; round < extent.rounds; round++) {
                for (ServerSide side : round(round, servers, shape)) {
                    measure(shape, side, servers, extent, millis, measured, each);
                }
            }
        }
    }

    private static List<ServerSide> round(int number, LoadServers servers, Shape shape) {
        return servers.round(number).stream().filter(shape::suits).toList();
    }

    private static <S extends Shape> Load<S> twice(Load<S> load) {
        return (shape, server, millis) -> {
            try {
                return load.send(shape, server, millis);
            } catch (IOException _) {
                return load.send(shape, server, millis);
            }
        };
    }

    /// A cold server may answer nothing in time, as with 64 handshakes of TLS: what is measured
    /// tells if it never does.
    private static <S extends Shape> void warmUp(
            S shape, RunningServer server, int coldMillis, int millis, Load<S> load)
            throws IOException, InterruptedException {
        int[] window = {coldMillis};
        WarmUp.of(
                server.process().pid(),
                () -> {
                    try {
                        load.send(shape, server, window[0]);
                        window[0] = millis;
                    } catch (IOException _) {
                        window[0] = coldMillis;
                    }
                });
    }

    private <S extends Shape> void measure(
            S shape,
            ServerSide side,
            LoadServers servers,
            Extent extent,
            int millis,
            Measured measured,
            Load<S> load)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try {
            Sent sent = extent.measureTimes(server, () -> sent(shape, server, millis, load));
            Report report = sent.report;
            Map<String, String> params = shape.params();
            measured.add(new Row(rate(), params, "requests/s", true), side, report.rate);
            measured.add(new Row(p99(), params, "µs", false), side, report.p99Micros);
            double each = sent.cpuNanos / 1e3 / report.requests;
            measured.add(new Row(cpu(), params, "µs/request", false), side, each);
        } catch (IOException e) {
            failed(shape, side, servers, measured, e);
        }
    }

    private static <S extends Shape> Sent sent(
            S shape, RunningServer server, int millis, Load<S> load)
            throws IOException, InterruptedException {
        long cpu = server.process().cpuNanos();
        Report report = load.send(shape, server, millis);
        return new Sent(report, server.process().cpuNanos() - cpu);
    }

    private void failed(
            Shape shape, ServerSide side, LoadServers servers, Measured measured, IOException cause)
            throws IOException {
        measured.failure(generator + " " + shape + ", " + side.name() + ": " + cause.getMessage());
        servers.drop(side);
    }
}
