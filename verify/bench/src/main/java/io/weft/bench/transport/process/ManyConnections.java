package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Footprint;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// 100,000 connections that were used once and are idle, over as many servers as descriptors ask
/// for: what all of them occupy more than without, as [IdleConnections] measures it.
final class ManyConnections implements Program {
    private static final int CONNECTIONS = 100_000;

    /// Of a process, for other things than connections.
    private static final int RESERVED = 1_000;

    /// Connections to one server differ by the client's port alone, of which there are 28,000 by
    /// default.
    private static final int PORTS = 25_000;

    private static final List<String> QUICK_SIDES = List.of("weftUring", "nettyEpoll");
    private static final int MAX_PROCESSES = 10;
    private static final int WARM_UP = 2_000;
    private static final int REST_SECONDS = 5;
    private static final long BYTES_NEEDED = 6L << 30;
    private static final Pattern DESCRIPTORS = Pattern.compile("Max open files +([0-9]+)");
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable: +([0-9]+) kB");

    @Override
    public String operations() {
        return "ManyConnections/Memory";
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        long descriptors = number(DESCRIPTORS, "/proc/self/limits");
        int each = (int) Math.min(PORTS, descriptors - RESERVED);
        int processes = each <= 0 ? Integer.MAX_VALUE : (CONNECTIONS + each - 1) / each;
        long available = number(AVAILABLE, "/proc/meminfo") << 10;
        if (processes > MAX_PROCESSES || available < BYTES_NEEDED) {
            measured.remark(
                    "%s: skipped, %d descriptors a process and %d MiB of memory (expected: >= %d and >= %d)"
                            .formatted(
                                    operations(),
                                    descriptors,
                                    available >> 20,
                                    CONNECTIONS / MAX_PROCESSES + RESERVED,
                                    BYTES_NEEDED >> 20));
            return;
        }
        int connections = extent == Extent.SMOKE ? extent.connections : CONNECTIONS;
        for (ServerSide side : ServerSide.all()) {
            if (extent != Extent.FULL && !QUICK_SIDES.contains(side.name())) {
                continue;
            }
            System.err.print(" " + side.name());
            try {
                double bytes = memory(side, processes, connections / processes);
                Row row = new Row(operations(), Map.of(), "MB/100,000 connections", false);
                measured.add(row, side, bytes / 1e6);
            } catch (IOException e) {
                measured.failure(operations() + ", " + side.name() + ": " + e.getMessage());
            }
        }
    }

    /// Bytes that all servers occupy more when each has `connections`.
    private static double memory(ServerSide side, int processes, int connections)
            throws IOException, InterruptedException {
        List<Child> clients = new ArrayList<>();
        List<RunningServer> servers = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                servers.add(IdleConnections.warm(side, Server.Service.ECHO, WARM_UP));
            }
            List<Footprint> before = rested(servers);
            for (RunningServer server : servers) {
                int descriptors = descriptors(server);
                Child client = client(server, connections);
                clients.add(client);
                client.await(Client.CONNECTED);
                int more = descriptors(server) - descriptors;
                if (more != connections) {
                    throw new IOException(
                            "connections: " + more + " (expected: " + connections + ")");
                }
            }
            List<Footprint> after = rested(servers);
            double bytes = 0;
            for (int i = 0; i < processes; i++) {
                Footprint more = after.get(i).minus(before.get(i));
                bytes += more.heap() + more.resident();
            }
            return bytes * CONNECTIONS / ((double) processes * connections);
        } finally {
            clients.forEach(Child::close);
            for (RunningServer server : servers) {
                server.close();
            }
        }
    }

    /// The footprints of all, when what a JVM and its libraries give back only after a while has
    /// been given back: megabytes of compilers, which would else be taken off what the connections
    /// occupy.
    private static List<Footprint> rested(List<RunningServer> servers)
            throws IOException, InterruptedException {
        TimeUnit.SECONDS.sleep(REST_SECONDS);
        List<Footprint> footprints = new ArrayList<>();
        for (RunningServer server : servers) {
            footprints.add(IdleConnections.steady(server.process()));
        }
        return footprints;
    }

    private static int descriptors(RunningServer server) throws IOException {
        Path descriptors = Path.of("/proc", Long.toString(server.process().pid()), "fd");
        try (Stream<Path> all = Files.list(descriptors)) {
            return (int) all.count();
        }
    }

    private static Child client(RunningServer server, int connections) throws IOException {
        List<String> arguments =
                List.of(
                        Client.class.getName(),
                        Integer.toString(server.tcp().getPort()),
                        Integer.toString(connections));
        return Child.start("client", List.of(), List.of("-XX:+UseSerialGC", "-Xmx64m"), arguments);
    }

    private static long number(Pattern pattern, String file) throws IOException {
        Matcher matcher = pattern.matcher(Files.readString(Path.of(file)));
        if (!matcher.find()) {
            throw new IOException(file + ": no " + pattern);
        }
        return Long.parseLong(matcher.group(1));
    }
}
