package io.weft.bench.mainjob;

import io.weft.bench.warmup.OldGeneration;
import io.weft.bench.warmup.WarmUp;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One fork: servers that were started once, warmed up, and stay alive, idle but for the one under
/// load.
final class Session implements AutoCloseable {
    /// The one that has most compiled at once, first.
    private static final List<Load> WARMING =
            List.of(
                    Load.PIPELINED,
                    Load.NEW_CONNECTION,
                    Load.PLAIN,
                    Load.SATURATED_PIPELINED,
                    Load.SATURATED);

    private final Map<Side, ServerProcess> running = new LinkedHashMap<>();
    private final LoadGenerator generator;
    private final Plan plan;

    Session(LoadGenerator generator, Plan plan) {
        this.generator = generator;
        this.plan = plan;
    }

    /// Starts a server unless it runs and, when it is a JVM, warms it up with these kinds of load.
    void start(Side side, Collection<Load> loads) throws IOException, InterruptedException {
        ServerProcess server = running.get(side);
        if (server == null) {
            server = ServerProcess.start(side);
            running.put(side, server);
        }
        for (Load load : WARMING) {
            if (side.isJvm() && loads.contains(load)) {
                warmUp(side, server, load);
            }
        }
        OldGeneration.settle(server.pid());
    }

    private void warmUp(Side side, ServerProcess server, Load load)
            throws IOException, InterruptedException {
        WarmUp.of(
                server.pid(),
                () -> {
                    generator.run(List.of(), load, server.url(), plan.warmUp());
                    server.checkAlive(side);
                });
    }

    Sample measure(Load load, Side side) throws IOException, InterruptedException {
        ServerProcess server = server(side);
        return WarmUp.last(server.pid(), () -> measure(load, side, server));
    }

    private Sample measure(Load load, Side side, ServerProcess server)
            throws IOException, InterruptedException {
        double before = server.cpuSeconds();
        WrkReport report = generator.run(List.of(), load, server.url(), plan.window());
        server.checkAlive(side);
        check(report, side);
        return Sample.of(report, server.cpuSeconds() - before);
    }

    /// Counts system calls and allocated bytes. It leaves an agent in the JVM: nothing is timed
    /// after it.
    Cost count(SyscallProbe probe, Load load, Side side) throws IOException, InterruptedException {
        ServerProcess server = server(side);
        if (!side.isJvm()) {
            SyscallProbe.Result result = probe.run(generator, load, server, plan.costWindow());
            check(result.report(), side);
            return new Cost(result.syscalls() / result.report().requests(), Double.NaN);
        }
        try (AllocationProbe allocation = new AllocationProbe(server.pid())) {
            allocation.start();
            SyscallProbe.Result result = probe.run(generator, load, server, plan.costWindow());
            double bytes = allocation.stop();
            check(result.report(), side);
            double requests = result.report().requests();
            return new Cost(result.syscalls() / requests, bytes / requests);
        }
    }

    private ServerProcess server(Side side) {
        ServerProcess server = running.get(side);
        if (server == null) {
            throw new IllegalStateException(side.name() + " is not started");
        }
        return server;
    }

    private static void check(WrkReport report, Side side) throws IOException {
        if (report.requests() == 0) {
            throw new IOException(side.name() + " answered nothing: " + report);
        }
    }

    @Override
    public void close() {
        running.values().forEach(ServerProcess::close);
        running.clear();
    }
}
