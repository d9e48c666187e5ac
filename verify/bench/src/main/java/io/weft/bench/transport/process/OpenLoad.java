package io.weft.bench.transport.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.ffi.Memory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;

/// GET requests over HTTP/1.1 on kept connections, at a fixed rate ([Pace]) or as fast as they are
/// answered.
///
/// One thread spins over the connections with a request under way; answers are counted by their
/// length, which is that of the first, and not looked at. So it needs two system calls a request
/// and some that find nothing, and no server pays for waking it.
final class OpenLoad implements AutoCloseable {
    static final int CONNECTIONS = 64;

    private static final int CHUNK = 64 << 10;
    private static final long PATIENCE = 10_000_000_000L;

    private final RawSocket[] sockets = new RawSocket[CONNECTIONS];

    /// Of a request, in bytes.
    private final int asked;

    /// Of an answer, in bytes.
    private int length;

    /// Of each connection: bytes of its answer that have not come.
    private final int[] missing = new int[CONNECTIONS];

    /// The connections with a request under way: the first `pending` of them.
    private final int[] busy = new int[CONNECTIONS];

    private int pending;

    /// Connects, and asks once on each connection.
    ///
    /// @param path of an answer whose length is always the same
    OpenLoad(InetSocketAddress server, String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                sockets[i] = RawSocket.connect(server).resetAtClose();
            }
            for (RawSocket socket : sockets) {
                socket.send(RawSocket.prepare(request));
                length = answer(socket);
            }
            asked = RawSocket.prepare(request); // for good: answers are dropped
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// Receives an answer.
    ///
    /// @return its length
    private static int answer(RawSocket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        int end;
        do {
            int received = socket.await(CHUNK);
            if (received < 0) {
                throw new IOException("the server closed a connection");
            }
            byte[] bytes = new byte[received];
            Memory.copy(RawSocket.BUFFER, bytes, 0, received);
            head.append(new String(bytes, US_ASCII));
            end = head.indexOf("\r\n\r\n");
        } while (end < 0);
        int length = length(head.substring(0, end));
        socket.spinFor(end + 4 + length - head.length());
        return end + 4 + length;
    }

    static int length(String head) throws IOException {
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("answer: " + head);
        }
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException("answer without a length: " + head));
    }

    /// Has one request under way on each connection for `nanos` nanoseconds.
    ///
    /// @return answers a second
    double closed(long nanos) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            send(i);
        }
        long answers = 0;
        long now = start;
        long last = start;
        while (pending > 0) {
            boolean goesOn = now - start < nanos;
            for (int i = 0; i < pending; ) {
                int connection = busy[i];
                if (!isAnswered(connection)) {
                    i++;
                    continue;
                }
                answers++;
                last = now;
                busy[i] = busy[--pending];
                if (goesOn) {
                    send(connection);
                }
            }
            now = System.nanoTime();
            checkPatience(now - last);
        }
        return answers * 1e9 / (now - start);
    }

    /// Sends requests at a rate for `nanos` nanoseconds, and awaits the last answers.
    ///
    /// @param rate requests a second
    Latencies open(double rate, long nanos) throws IOException {
        var latencies = new Latencies((int) (rate * nanos / 1e9) + CONNECTIONS);
        long start = System.nanoTime();
        long last = start;
        var pace = new Pace(CONNECTIONS, rate, start);
        for (long now = start; now - start < nanos || pending > 0; now = System.nanoTime()) {
            boolean goesOn = now - start < nanos;
            for (int next = goesOn ? pace.next(now) : -1; next >= 0; next = pace.next(now)) {
                send(next);
            }
            for (int i = 0; i < pending; ) {
                int connection = busy[i];
                if (!isAnswered(connection)) {
                    i++;
                    continue;
                }
                last = System.nanoTime();
                latencies.add(pace.elapsed(connection, last));
                busy[i] = busy[--pending];
                if (goesOn && pace.answered(connection)) {
                    send(connection);
                }
            }
            checkPatience(pending == 0 ? 0 : now - last);
        }
        pace.giveUp(System.nanoTime(), latencies);
        return latencies;
    }

    private void send(int connection) throws IOException {
        sockets[connection].send(asked);
        missing[connection] = length;
        busy[pending++] = connection;
    }

    private boolean isAnswered(int connection) throws IOException {
        int received = sockets[connection].drop(missing[connection]);
        if (received < 0) {
            throw new IOException("the server closed a connection");
        }
        missing[connection] -= received;
        return missing[connection] == 0;
    }

    private static void checkPatience(long nanos) throws IOException {
        if (nanos > PATIENCE) {
            throw new IOException("the server does not answer");
        }
    }

    @Override
    public void close() {
        Arrays.stream(sockets).filter(socket -> socket != null).forEach(RawSocket::close);
    }
}
