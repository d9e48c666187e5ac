package io.weft.bench.transport.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Transfers by UDT, TCP and libudt over a loopback interface that netem delays, limits and has
/// lose packets: each alone, and UDT and libudt beside TCP. `[--quick] PROGRAM`, the compiled
/// `udt-flow.cpp`; it is to be the only user of the interface.
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

    private UdtPaths(String libudt, boolean quick) {
        this.libudt = libudt;
        warmUp = quick ? 2_000 : 3_000;
        span = quick ? 4_000 : 7_000;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        boolean quick = words.remove("--quick");
        List<Path> paths = new ArrayList<>();
        for (int roundTrip : new int[] {0, 20, 100}) {
            for (int loss : new int[] {0, 1, 5}) {
                if (!quick || (roundTrip == 20 && loss < 5)) {
                    paths.add(new Path(roundTrip, loss));
                }
            }
        }
        run("ip", "link", "set", "dev", "lo", "mtu", "1500", "gso_max_segs", "1");
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
        System.exit(0);
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
        run(netem.toArray(String[]::new));
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

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (process.waitFor() != 0) {
            throw new IOException(List.of(command) + ": " + output);
        }
    }
}
