package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The example `tcp-proxy` beside the same on Netty and HAProxy in TCP mode, each on a core of its
/// own: bytes a second (`Bytes`), connections a second (`Connections`), what of their core they
/// spend on each (`BytesCpu`, `ConnectionCpu`), and what they add to the 99th percentile of an echo
/// (`AddedP99`).
final class ProxyRows implements Program {
    private static final String BYTES = "TcpProxy/Bytes";
    private static final String BYTES_CPU = "TcpProxy/BytesCpu";
    private static final String CONNECTIONS = "TcpProxy/Connections";
    private static final String CONNECTION_CPU = "TcpProxy/ConnectionCpu";
    private static final String ADDED_P99 = "TcpProxy/AddedP99";
    private static final double MIB = 1 << 20;

    /// Of a window, so that something passes in it.
    private static final int LEAST_MILLIS = 50;

    /// Connections of a round that warms up, at least: what a connection takes is spread over more
    /// code than what a byte takes, and C2 has compiled it after some ten thousand.
    private static final int WARM_UP_CONNECTIONS = 10_000;

    private static final ServerSide HAPROXY = ServerSide.other("haproxy");
    private static final List<String> CORE = List.of("taskset", "-c", "0");

    private final @Nullable String weft;

    /// @param weft the module path of Weft and its examples; null if they are not built
    ProxyRows(@Nullable String weft) {
        this.weft = weft;
    }

    @Override
    public String operations() {
        return String.join(" ", BYTES, BYTES_CPU, CONNECTIONS, CONNECTION_CPU, ADDED_P99);
    }

    /// A proxy that runs.
    private record Running(Child process, InetSocketAddress address) {}

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        Map<ServerSide, Running> proxies = new LinkedHashMap<>();
        Path config = Files.createTempFile("weft-bench-", ".cfg");
        try (RawSocket listener = RawSocket.listen()) {
            start(proxies, listener, config, extent, measured);
            for (int connections : new int[] {1, 64}) {
                rounds(
                        proxies,
                        extent,
                        measured,
                        (side, proxy, round) -> {
                            bytes(listener, proxy, side, connections, extent, round, measured);
                            echoes(listener, proxy, side, connections, extent, round, measured);
                        });
            }
            rounds(
                    proxies,
                    extent,
                    measured,
                    (side, proxy, round) ->
                            connections(listener, proxy, side, extent, round, measured));
        } finally {
            proxies.values().forEach(proxy -> proxy.process.close());
            Files.delete(config);
        }
    }

    private interface Window {
        void run(ServerSide side, Running proxy, int round)
                throws IOException, InterruptedException;
    }

    /// Rounds below 0 warm up. Each begins with another side.
    private static void rounds(
            Map<ServerSide, Running> proxies, Extent extent, Measured measured, Window window)
            throws InterruptedException {
        for (int round = extent == Extent.SMOKE ? 0 : -3; round < extent.rounds; round++) {
            List<ServerSide> sides = new ArrayList<>(proxies.keySet());
            Collections.rotate(sides, -round);
            for (ServerSide side : sides) {
                Running proxy = proxies.get(side);
                try {
                    if (proxy != null) {
                        window.run(side, proxy, round);
                    }
                } catch (IOException e) {
                    measured.failure("TcpProxy, " + side.name() + ": " + e.getMessage());
                    proxies.remove(side);
                    if (proxy != null) {
                        proxy.process.close();
                    }
                }
            }
        }
    }

    // ---- what is measured ----

    private static Map<String, String> params(int connections) {
        return new TreeMap<>(Map.of("connections", Integer.toString(connections)));
    }

    private static long nanos(Extent extent) {
        return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_MILLIS, extent.windowMillis));
    }

    private static void bytes(
            RawSocket listener,
            Running proxy,
            ServerSide side,
            int connections,
            Extent extent,
            int round,
            Measured measured)
            throws IOException {
        try (ProxyLoad load = new ProxyLoad(listener, proxy.address)) {
            load.open(connections);
            load.bytes(nanos(extent) / 10);
            long cpu = proxy.process.cpuNanos();
            long start = System.nanoTime();
            double mib = load.bytes(nanos(extent)) / MIB;
            double seconds = (System.nanoTime() - start) / 1e9;
            double micros = (proxy.process.cpuNanos() - cpu) / 1e3;
            if (mib == 0) {
                throw new IOException("no byte passes");
            }
            if (round >= 0) {
                Map<String, String> params = params(connections);
                measured.add(new Row(BYTES, params, "MiB/s", true), side, mib / seconds);
                measured.add(new Row(BYTES_CPU, params, "µs/MiB", false), side, micros / mib);
            }
        }
    }

    private static void echoes(
            RawSocket listener,
            Running proxy,
            ServerSide side,
            int connections,
            Extent extent,
            int round,
            Measured measured)
            throws IOException {
        InetSocketAddress direct = loopback(listener.port());
        double through = p99(listener, proxy.address, connections, extent);
        double without = p99(listener, direct, connections, extent);
        if (round >= 0) {
            Row row = new Row(ADDED_P99, params(connections), "µs", false);
            measured.add(row, side, Math.max(0.1, through - without));
        }
    }

    private static double p99(
            RawSocket listener, InetSocketAddress to, int connections, Extent extent)
            throws IOException {
        try (ProxyLoad load = new ProxyLoad(listener, to)) {
            load.open(connections);
            long[] times = load.echoes(64, nanos(extent) / 2);
            return times[(int) Math.min(times.length - 1L, times.length * 99L / 100)] / 1e3;
        }
    }

    private static void connections(
            RawSocket listener,
            Running proxy,
            ServerSide side,
            Extent extent,
            int round,
            Measured measured)
            throws IOException {
        try (ProxyLoad load = new ProxyLoad(listener, proxy.address)) {
            for (long warm = 0; round < 0 && warm < WARM_UP_CONNECTIONS; ) {
                warm += load.connections(nanos(extent));
            }
            long cpu = proxy.process.cpuNanos();
            long start = System.nanoTime();
            long done = load.connections(nanos(extent));
            double seconds = (System.nanoTime() - start) / 1e9;
            double micros = (proxy.process.cpuNanos() - cpu) / 1e3;
            if (round >= 0) {
                Map<String, String> params = new TreeMap<>();
                Row rate = new Row(CONNECTIONS, params, "connections/s", true);
                measured.add(rate, side, done / seconds);
                Row each = new Row(CONNECTION_CPU, params, "µs/connection", false);
                measured.add(each, side, micros / done);
            }
        }
    }

    // ---- the proxies ----

    private void start(
            Map<ServerSide, Running> proxies,
            RawSocket listener,
            Path config,
            Extent extent,
            Measured measured)
            throws IOException, InterruptedException {
        int backend = listener.port();
        List<ServerSide> sides =
                extent == Extent.FULL ? ServerSide.andUnsafe(false) : ServerSide.all();
        for (ServerSide side : sides) {
            try {
                if (side.library().equals("netty")) {
                    proxies.put(side, start(side, ProxyCommands.netty(side, "tcp", backend)));
                } else if (weft != null) {
                    List<String> command = ProxyCommands.weft(side, "TcpProxy", weft, backend);
                    proxies.put(side, start(side, command));
                }
            } catch (IOException e) {
                measured.failure("TcpProxy, " + side.name() + ": " + e.getMessage());
            }
        }
        if (weft == null) {
            measured.remark("TcpProxy: weft is skipped, the examples are not built");
        }
        if (Command.exists("haproxy")) {
            proxies.put(HAPROXY, haproxy(config, listener));
        } else {
            measured.remark("TcpProxy: haproxy is missing (dev/install-peers.sh installs it)");
        }
    }

    private static Running start(ServerSide side, List<String> command)
            throws IOException, InterruptedException {
        List<String> pinned = new ArrayList<>(CORE);
        pinned.addAll(command);
        return listening(Child.start(side.name(), pinned));
    }

    private static Running listening(Child child) throws IOException, InterruptedException {
        try {
            String where = child.await(Server.LISTENING).split(" ", -1)[2];
            String port = where.substring(where.indexOf(':') + 1);
            return new Running(child, loopback(Integer.parseInt(port)));
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    /// HAProxy says nothing when it listens.
    private static Running haproxy(Path config, RawSocket listener)
            throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(
                config,
                """
                global
                  nbthread 1
                  maxconn 4000
                defaults
                  mode tcp
                  timeout connect 10s
                  timeout client 60s
                  timeout server 60s
                listen proxy
                  bind 127.0.0.1:%d
                  server one 127.0.0.1:%d
                """
                        .formatted(port, listener.port()));
        List<String> command = new ArrayList<>(CORE);
        command.addAll(List.of("haproxy", "-db", "-f", config.toString()));
        Child child = Child.start("haproxy", command);
        for (int i = 0; ; i++) {
            try (ProxyLoad probe = new ProxyLoad(listener, loopback(port))) {
                probe.open(1);
                return new Running(child, loopback(port));
            } catch (IOException e) {
                if (i == 100) {
                    child.close();
                    throw new IOException("haproxy does not listen: " + child.lastLine(), e);
                }
                Thread.sleep(100);
            }
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
