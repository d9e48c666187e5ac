package io.weft.bench.transport.machine;

import com.sun.nio.sctp.MessageInfo;
import com.sun.nio.sctp.SctpChannel;
import com.sun.nio.sctp.SctpStandardSocketOptions;
import io.weft.bench.report.Spread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Echoes of SCTP by our channels, Netty's, and the JDK's with a thread for the association:
/// messages a second that one client, a blocking channel of the JDK, has sent back, in interleaved
/// rounds. `[--quick] [--json]`.
public final class SctpRates {
    /// Messages under way.
    private static final int WINDOW = 16;

    /// An echo server.
    interface Server extends AutoCloseable {
        InetSocketAddress address();

        @Override
        void close();
    }

    private SctpRates() {}

    // The servers have threads of their own, which would keep the process after a failure.
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

    private static void run(String[] arguments) throws IOException {
        Results results = new Results();
        boolean quick = List.of(arguments).contains("--quick");
        long span = quick ? 1_000_000_000L : 4_000_000_000L;
        int rounds = quick ? 3 : 9;
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Map<String, Server> servers = new TreeMap<>();
        servers.put("JDK", new JdkSctpEcho(any));
        servers.put("Netty", new NettySctpEcho(any));
        servers.put("Weft", new WeftSctpEcho(any));
        for (int size : new int[] {64, 4096}) {
            Map<String, List<Double>> rates = new TreeMap<>();
            for (int round = -1; round < rounds; round++) {
                for (Map.Entry<String, Server> server : servers.entrySet()) {
                    double rate = rate(server.getValue().address(), size, span);
                    if (round >= 0) {
                        rates.computeIfAbsent(server.getKey(), _ -> new ArrayList<>()).add(rate);
                    }
                }
            }
            rates.forEach(
                    (name, all) ->
                            System.out.printf(
                                    "echo of %d B, %s: %.0f a second, %.2f of Netty's (median of"
                                            + " %d)%n",
                                    size,
                                    name,
                                    median(all, null),
                                    median(all, rates.get("Netty")),
                                    all.size()));
            Map<String, Spread> sides = new LinkedHashMap<>();
            sides.put("weft", spread(rates, "Weft"));
            sides.put("netty", spread(rates, "Netty"));
            sides.put("jdk", spread(rates, "JDK"));
            results.add(
                    "SctpEcho/Rate",
                    Map.of("size", String.valueOf(size)),
                    "messages/s",
                    sides,
                    "netty",
                    ratios(rates.getOrDefault("Weft", List.of()), rates.get("Netty")));
        }
        if (List.of(arguments).contains("--json")) {
            results.print();
        }
        servers.values().forEach(Server::close);
    }

    private static Spread spread(Map<String, List<Double>> rates, String side) {
        return Spread.of(rates.getOrDefault(side, List.of()), Double::doubleValue);
    }

    /// Returns the median, or that of the ratios to the values of the same rounds.
    private static double median(List<Double> values, @Nullable List<Double> others) {
        return ratios(values, others).median();
    }

    private static Spread ratios(List<Double> values, @Nullable List<Double> others) {
        double[] all = new double[values.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.get(i) / (others == null ? 1 : others.get(i));
        }
        return Spread.of(all);
    }

    private static double rate(InetSocketAddress at, int size, long span) throws IOException {
        ByteBuffer out = ByteBuffer.allocateDirect(size);
        ByteBuffer in = ByteBuffer.allocateDirect(65_536);
        try (SctpChannel client = SctpChannel.open(at, 1, 1)) {
            client.setOption(SctpStandardSocketOptions.SCTP_NODELAY, true);
            for (int i = 0; i < WINDOW; i++) {
                client.send(out.rewind(), MessageInfo.createOutgoing(null, 0));
            }
            long start = System.nanoTime();
            long count = 0;
            while (System.nanoTime() - start < span) {
                MessageInfo info = client.receive(in.clear(), null, null);
                if (info == null || info.bytes() < 0) {
                    throw new IOException("received: " + info + " (expected: an echo)");
                }
                count++;
                client.send(out.rewind(), MessageInfo.createOutgoing(null, 0));
            }
            return count * 1e9 / (System.nanoTime() - start);
        }
    }
}
