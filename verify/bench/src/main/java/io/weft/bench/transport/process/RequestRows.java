package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Rounds of requests that a load generator sends to servers, each side in turn.
///
/// Of each side: requests a second (`Rate`), the 99th percentile of the time that they took
/// (`P99`), and what of its core the server spent on one (`Cpu`).
///
/// @param generator the name of the load generator, with which the names of the rows begin
record RequestRows(String generator) {
    /// The first round; rounds below 0 warm up.
    static final int FIRST = -2;

    /// Requests of one kind.
    interface Shape {
        /// The parameters of the rows.
        Map<String, String> params();
    }

    /// A run of the load generator.
    interface Load<S extends Shape> {
        /// Sends requests for as long as a round takes.
        ///
        /// @param round negative while servers warm up
        Report send(S shape, RunningServer server, int round)
                throws IOException, InterruptedException;
    }

    /// @param rate requests a second
    record Report(double rate, double p99Micros, long requests) {}

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

    /// A smoke test has no rounds that warm up.
    <S extends Shape> void run(
            List<S> shapes, LoadServers servers, Extent extent, Measured measured, Load<S> load)
            throws IOException, InterruptedException {
        for (S shape : shapes) {
            System.err.print(" " + shape.params().values());
            for (int round = extent == Extent.SMOKE ? 0 : FIRST; round < extent.rounds; round++) {
                for (ServerSide side : servers.round(round)) {
                    measure(shape, side, servers, round, measured, load);
                }
            }
        }
    }

    private <S extends Shape> void measure(
            S shape,
            ServerSide side,
            LoadServers servers,
            int round,
            Measured measured,
            Load<S> load)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try {
            long cpu = server.process().cpuNanos();
            Report report = load.send(shape, server, round);
            cpu = server.process().cpuNanos() - cpu;
            if (round >= 0) {
                Map<String, String> params = shape.params();
                measured.add(new Row(rate(), params, "requests/s", true), side, report.rate);
                measured.add(new Row(p99(), params, "µs", false), side, report.p99Micros);
                double each = cpu / 1e3 / report.requests;
                measured.add(new Row(cpu(), params, "µs/request", false), side, each);
            }
        } catch (IOException e) {
            if (round == FIRST) {
                return; // a cold server may answer nothing in time: the next round tells
            }
            measured.failure(generator + " " + shape + ", " + side.name() + ": " + e.getMessage());
            servers.drop(side);
        }
    }
}
