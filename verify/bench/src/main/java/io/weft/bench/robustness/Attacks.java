package io.weft.bench.robustness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.bench.robustness.Attack.Result;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// The attacks, in the order of the report.
final class Attacks {
    private static final int HUNDRED = 100;
    private static final double MILLI = 1e6;
    private static final long FLOOD_SECONDS = 3;

    private Attacks() {}

    static List<Attack> all() {
        List<Attack> all = new ArrayList<>(overHttp1());
        all.addAll(Http2Floods.all());
        return all;
    }

    private static List<Attack> overHttp1() {
        return List.of(
                new Attack(
                        "idle connections",
                        "at most 1,536 B of memory each",
                        "Netty 4,200 B; Go net/http 19,600 B",
                        Attacks::idle),
                new Attack(
                        "slow heads of requests",
                        "all ended after 10 s, by a second, and let go 3.5 s later at most; p99 of"
                                + " others at most doubles",
                        "Netty: no deadline",
                        (victim, scale) -> SlowHeads.attack(victim, scale * HUNDRED)),
                new Attack(
                        "clients that pipeline and never read",
                        "at most 65,536 B of memory each",
                        "Netty: one took 511 of 512 MiB in 2 s",
                        Attacks::noReaders),
                new Attack(
                        "connections that are reset",
                        "no descriptor is left",
                        "no figure is published",
                        Attacks::resets),
                new Attack(
                        "connections at once",
                        "all are served within 2 s",
                        "a queue of 4,096 in the kernel",
                        Attacks::storm));
    }

    private static void closeAll(List<SocketChannel> clients) throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    /// Connections that were used once.
    private static Result idle(Victim victim, int scale) throws IOException {
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < HUNDRED; i++) {
                clients.add(use(victim)); // what the first ones need is no connection's
            }
            long before = victim.residentBytes();
            int count = 10 * scale * HUNDRED;
            for (int i = 0; i < count; i++) {
                clients.add(use(victim));
            }
            long each = (victim.residentBytes() - before) / count;
            return new Result(
                    String.format(Locale.ROOT, "%,d B each of %,d", each, count), each <= 1536);
        } finally {
            closeAll(clients);
        }
    }

    private static SocketChannel use(Victim victim) throws IOException {
        SocketChannel client = victim.connect();
        Victim.request(client);
        return client;
    }

    /// Clients that pipeline and take no answers.
    private static Result noReaders(Victim victim, int scale) throws IOException {
        byte[] requests = Victim.requests(1024);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            pipeline(victim, HUNDRED, requests, clients); // the first pay for what the attack runs
            long before = victim.residentBytes();
            int count = scale * HUNDRED;
            pipeline(victim, count, requests, clients);
            long each = Math.max(0, victim.residentBytes() - before) / count;
            return new Result(
                    String.format(Locale.ROOT, "%,d B each of %,d", each, count), each <= 65_536);
        } finally {
            closeAll(clients);
        }
    }

    /// Adds clients, and has all of them send what they can for a while.
    private static void pipeline(
            Victim victim, int count, byte[] requests, List<SocketChannel> clients)
            throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel client = victim.connect();
            client.configureBlocking(false);
            clients.add(client);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FLOOD_SECONDS);
        while (System.nanoTime() < end) {
            for (SocketChannel client : clients) {
                client.write(ByteBuffer.wrap(requests));
            }
        }
    }

    /// Connections that are reset within a request.
    private static Result resets(Victim victim, int scale) throws IOException {
        try (SocketChannel good = victim.connect()) {
            Victim.request(good);
            long before = victim.descriptors();
            int count = 100 * scale * HUNDRED;
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) {
                SocketChannel client = victim.connect();
                client.write(ByteBuffer.wrap("GET / HT".getBytes(US_ASCII)));
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                client.close();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            for (int i = 0; i < HUNDRED; i++) {
                Victim.request(good); // the last resets are seen by now
            }
            long left = victim.descriptors() - before;
            return new Result(
                    String.format(
                            Locale.ROOT,
                            "%,d in %.1f s, %d descriptors left",
                            count,
                            seconds,
                            left),
                    left <= 0);
        }
    }

    /// Very many connections at once.
    private static Result storm(Victim victim, int scale) throws IOException {
        int count = 10 * scale * HUNDRED;
        List<SocketChannel> clients = new ArrayList<>();
        try {
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) {
                clients.add(victim.connect());
            }
            for (SocketChannel client : clients) {
                Victim.request(client);
            }
            double millis = (System.nanoTime() - begin) / MILLI;
            return new Result(
                    String.format(Locale.ROOT, "%,d in %,.0f ms", count, millis), millis <= 2000);
        } finally {
            closeAll(clients);
        }
    }
}
