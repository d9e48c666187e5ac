package io.weft.bench.transport.machine;

import io.weft.bench.report.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Transfers by UDT, TCP and libudt over a loopback interface that netem delays, limits and has
/// lose packets: each alone, and UDT and libudt beside TCP. `[--quick] [--json] PROGRAM`, the
/// compiled `udt-flow.cpp`; it is to be the only user of the interface.
public final class UdtPaths {
    /// Bits a second; both directions share the interface.
    private static final long RATE = 5_000_000;

    /// Packets that wait: 100 ms at that rate.
    private static final int QUEUE = 42;

    /// @param loss percent
    private record Path(int roundTrip, int loss) {}

    private final String libudt;
    private final long warmUp;
    private final long span;
    private final Results results = new Results();

    private UdtPaths(String libudt, boolean quick) {
        this.libudt = libudt;
        warmUp = quick ? 2_000 : 3_000;
        span = quick ? 4_000 : 7_000;
    }

    // The flows have threads of their own, which would keep the process after a failure.
    @SuppressWarnings("CatchAndPrintStackTrace")
    public static void main(String[] arguments) {
        int status = 1;
        try {
            run(arguments);
            status = 0;
        } catch (Exception | Error e) {
            e.printStackTrace();
        }
        System.exit(status);
    }

    private static void run(String[] arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        boolean quick = words.remove("--quick");
        boolean json = words.remove("--json");
        List<Path> paths = new ArrayList<>();
        for (int roundTrip : new int[] {0, 20, 100}) {
            for (int loss : new int[] {0, 1, 5}) {
                if (!quick || (roundTrip == 20 && loss < 5)) {
                    paths.add(new Path(roundTrip, loss));
                }
            }
        }
        command("ip", "link", "set", "dev", "lo", "mtu", "1500", "gso_max_segs", "1");
        System.out.println(
                "Mbit/s of 5, alone: UDT, libudt, TCP | together: UDT and TCP | libudt and TCP");
        UdtPaths all = new UdtPaths(words.getFirst(), quick);
        // Of compilers: an emulated processor takes them long.
        shape(new Path(0, 0));
        double[] _ = all.rates(UdtFlow::new, TcpFlow::new);
        double[] _ = all.rates(UdtFlow::new);
        for (Path path : paths) {
            all.measure(path);
        }
        if (json) {
            all.results.print();
        }
    }

    private static void shape(Path path) throws IOException, InterruptedException {
        List<String> netem =
                new ArrayList<>(List.of("tc", "qdisc", "replace", "dev", "lo", "root", "netem"));
        netem.addAll(List.of("rate", RATE + "bit"));
        // What is on its way waits in the same queue.
        long onTheWay = RATE / 8 / 1500 * path.roundTrip / 1000;
        netem.addAll(List.of("limit", String.valueOf(QUEUE + onTheWay)));
        netem.addAll(List.of("delay", path.roundTrip * 500L + "us"));
        netem.addAll(List.of("loss", path.loss + "%"));
        command(netem.toArray(String[]::new));
    }

    private void measure(Path path) throws IOException, InterruptedException {
        shape(path);
        double[] udt = rates(UdtFlow::new);
        double[] other = rates(() -> new LibudtFlow(libudt));
        double[] tcp = rates(TcpFlow::new);
        double[] both = rates(UdtFlow::new, TcpFlow::new);
        double[] others = rates(() -> new LibudtFlow(libudt), TcpFlow::new);
        System.out.printf(
                "%3d ms %d %%: %5.2f %5.2f %5.2f | %5.2f %5.2f | %5.2f %5.2f%n",
                path.roundTrip,
                path.loss,
                udt[0],
                other[0],
                tcp[0],
                both[0],
                both[1],
                others[0],
                others[1]);
        add("Alone", path, udt[0], other[0], Map.of("tcp", Spread.of(tcp[0])));
        add(
                "BesideTcp",
                path,
                both[0],
                others[0],
                Map.of(
                        "tcp beside weft", Spread.of(both[1]),
                        "tcp beside libudt", Spread.of(others[1])));
    }

    private void add(
            String name, Path path, double ours, double libudt, Map<String, Spread> others) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("roundTrip", path.roundTrip + "ms");
        params.put("loss", path.loss + "%");
        Map<String, Spread> sides = new LinkedHashMap<>();
        sides.put("weft", Spread.of(ours));
        sides.put("libudt", Spread.of(libudt));
        sides.putAll(new TreeMap<>(others));
        results.add("Udt/" + name, params, "Mbit/s", sides, "libudt", Spread.of(ours / libudt));
    }

    @SafeVarargs
    private double[] rates(Supplier<Flow>... makers) throws InterruptedException {
        List<Flow> flows = new ArrayList<>();
        for (Supplier<Flow> maker : makers) {
            flows.add(maker.get());
        }
        Thread.sleep(warmUp);
        long[] before = flows.stream().mapToLong(Flow::received).toArray();
        long start = System.nanoTime();
        Thread.sleep(span);
        double micros = (System.nanoTime() - start) / 1e3;
        double[] rates = new double[before.length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = (flows.get(i).received() - before[i]) * 8 / micros;
        }
        flows.forEach(Flow::close);
        Thread.sleep(500); // what is on its way goes
        return rates;
    }

    private static void command(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (process.waitFor() != 0) {
            throw new IOException(List.of(command) + ": " + output);
        }
    }
}
