package io.weft.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that send requests which must not be repeated, each over one connection as long as the
/// answers say that it stays.
final class ScaledLoad implements AutoCloseable {
    private static final byte[] REQUEST =
            "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                    .getBytes(ISO_8859_1);

    /// Answers so far, and connections that answers ended.
    final AtomicLong answers = new AtomicLong();

    final AtomicLong ends = new AtomicLong();

    /// Requests without the right answer, and why.
    final Queue<String> lost = new ConcurrentLinkedQueue<>();

    private final List<Thread> threads = new ArrayList<>();
    private final int port;
    private volatile boolean over;

    /// Begins. Each client has an address of its own, from 127.0.0.2 on.
    ScaledLoad(int port, int clients) {
        this.port = port;
        for (int i = 0; i < clients; i++) {
            String address = "127.0.0." + (2 + i);
            Thread client = new Thread(() -> run(address), "client " + address);
            threads.add(client);
            client.start();
        }
    }

    private void run(String address) {
        while (!over) {
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
                socket.setSoTimeout(100_000);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                InputStream in = new BufferedInputStream(socket.getInputStream());
                while (!over && exchange(socket, in)) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            } catch (IOException | RuntimeException e) {
                lost.add(address + ": " + e);
            }
        }
    }

    /// @return whether the connection stays
    private boolean exchange(Socket socket, InputStream in) throws IOException {
        socket.getOutputStream().write(REQUEST);
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("end behind \"" + head + "\" (expected: an answer)");
            }
            head.append((char) next);
        }
        String fields = head.toString().toLowerCase(Locale.ROOT);
        String body = new String(in.readNBytes(2), ISO_8859_1);
        if (!fields.startsWith("http/1.1 200") || !body.equals("5\n")) {
            throw new IOException(head + body);
        }
        answers.incrementAndGet();
        boolean stays = !fields.contains("connection: close");
        if (!stays) {
            ends.incrementAndGet();
        }
        return stays;
    }

    /// Waits for so many more answers.
    void awaitAnswers(int count) {
        long until = answers.get() + count;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (answers.get() < until) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("answers: " + answers + ", lost: " + lost);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
