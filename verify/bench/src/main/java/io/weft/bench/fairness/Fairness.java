package io.weft.bench.fairness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/// Prints the latencies of a client that asks one request after the other, while others pipeline
/// without end.
///
/// The processor time that the loop spends between two of its answers is printed beside them: on a
/// machine that is busy otherwise it says more.
///
/// Arguments: an engine, the others' number, `read` or `hold` (whether they take their answers),
/// seconds.
public final class Fairness {
    private static final byte[] REQUEST =
            "GET /good HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_SAMPLES = 1 << 20;

    private Fairness() {}

    public static void main(String[] args) throws IOException {
        String transport = args.length > 0 ? args[0] : "auto";
        int clients = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        boolean reading = args.length < 3 || args[2].equals("read");
        int seconds = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        LoopWork work = new LoopWork();
        Response hello = Response.text("Hello, World!");
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport(transport)
                                .loops(1)
                                .handler(
                                        request -> {
                                            if (request.path().equals("/good")) {
                                                work.answered();
                                            }
                                            return hello;
                                        })
                                .listen();
                Socket good =
                        new Socket(server.address().getAddress(), server.address().getPort())) {
            latencies(good, 1); // so that the JIT has compiled what the flood needs
            work.reset();
            measure(server, good, clients, reading, seconds);
            System.out.println(work.report());
        }
    }

    private static void measure(
            HttpServer server, Socket good, int clients, boolean reading, int seconds)
            throws IOException {
        try (Flood flood = new Flood(server.address(), clients, reading)) {
            long[] latencies = latencies(good, seconds);
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d clients that %s: %d samples, p50 %.1f ms, p99 %.1f ms, max %.1f ms; flood"
                            + " took %d MiB%n",
                    server.transport(),
                    clients,
                    reading ? "read" : "do not read",
                    latencies.length,
                    millis(latencies, 0.5),
                    millis(latencies, 0.99),
                    millis(latencies, 1),
                    flood.bytesReceived() >> 20);
        }
    }

    private static long[] latencies(Socket good, int seconds) throws IOException {
        good.setTcpNoDelay(true);
        InputStream in = good.getInputStream();
        long[] latencies = new long[MAX_SAMPLES];
        int samples = 0;
        int length = 0;
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (samples < MAX_SAMPLES && System.nanoTime() - end < 0) {
            long start = System.nanoTime();
            good.getOutputStream().write(REQUEST);
            if (length == 0) {
                length = first(in);
            } else {
                in.skipNBytes(length);
            }
            latencies[samples++] = System.nanoTime() - start;
        }
        long[] sorted = Arrays.copyOf(latencies, samples);
        Arrays.sort(sorted);
        return sorted;
    }

    /// Returns the length of the answer, which ends with an exclamation mark.
    private static int first(InputStream in) throws IOException {
        int length = 1;
        while (in.read() != '!') {
            length++;
        }
        return length;
    }

    private static double millis(long[] sorted, double quantile) {
        return sorted[(int) Math.ceil(quantile * sorted.length) - 1] / 1e6;
    }
}
