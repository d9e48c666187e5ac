package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.warmup.WarmUp;
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
    /// Requests of one kind.
    interface Shape {
        /// The parameters of the rows.
        Map<String, String> params();
    }

    /// A run of the load generator.
    interface Load<S extends Shape> {
        /// Sends requests for as long as a round takes.
        ///
        /// @param cold true if the server may not have met such requests before
        Report send(S shape, RunningServer server, boolean cold)
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

    /// A smoke test does not warm up.
    <S extends Shape> void run(
            List<S> shapes, LoadServers servers, Extent extent, Measured measured, Load<S> load)
            throws IOException, InterruptedException {
        for (S shape : shapes) {
            System.err.print(" " + shape.params().values());
            if (extent != Extent.SMOKE) {
                for (ServerSide side : servers.round(0)) {
                    warmUp(shape, side, servers, measured, load);
                }
            }
            for (int round = 0; round < extent.rounds; round++) {
                for (ServerSide side : servers.round(round)) {
                    measure(shape, side, servers, extent == Extent.SMOKE, measured, load);
                }
            }
        }
    }

    private <S extends Shape> void warmUp(
            S shape, ServerSide side, LoadServers servers, Measured measured, Load<S> load)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try {
            load.send(shape, server, true);
        } catch (IOException _) {
            // A cold server may answer nothing in time: the next window tells.
        }
        try {
            WarmUp.of(server.process().pid(), () -> load.send(shape, server, false));
        } catch (IOException e) {
            failed(shape, side, servers, measured, e);
        }
    }

    private <S extends Shape> void measure(
            S shape,
            ServerSide side,
            LoadServers servers,
            boolean cold,
            Measured measured,
            Load<S> load)
            throws IOException, InterruptedException {
        RunningServer server = servers.of(side);
        try {
            long cpu = server.process().cpuNanos();
            Report report = load.send(shape, server, cold);
            cpu = server.process().cpuNanos() - cpu;
            Map<String, String> params = shape.params();
            measured.add(new Row(rate(), params, "requests/s", true), side, report.rate);
            measured.add(new Row(p99(), params, "µs", false), side, report.p99Micros);
            double each = cpu / 1e3 / report.requests;
            measured.add(new Row(cpu(), params, "µs/request", false), side, each);
        } catch (IOException e) {
            failed(shape, side, servers, measured, e);
        }
    }

    private void failed(
            Shape shape, ServerSide side, LoadServers servers, Measured measured, IOException cause)
            throws IOException {
        measured.failure(generator + " " + shape + ", " + side.name() + ": " + cause.getMessage());
        servers.drop(side);
    }
}
