package io.weft.bench.robustness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.bench.mainjob.ServerProcess;
import io.weft.bench.mainjob.Side;
import io.weft.bench.warmup.OldGeneration;
import io.weft.bench.warmup.WarmUp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// `hello-http` in a process of its own, and what can be seen of it from outside.
final class Victim implements AutoCloseable {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII);
    private static final int WARM_UP = 20_000;

    private final ServerProcess server;
    private final InetSocketAddress address;

    Victim(Side side) throws IOException, InterruptedException {
        server = ServerProcess.start(side);
        URI uri = URI.create(server.url());
        address = new InetSocketAddress(uri.getHost(), uri.getPort());
        try (SocketChannel client = connect()) {
            for (int i = 0; i < WARM_UP; i++) {
                request(client);
            }
        }
        OldGeneration.settle(server.pid());
    }

    SocketChannel connect() throws IOException {
        return SocketChannel.open(address);
    }

    /// Sends one request and takes its answer.
    static void request(SocketChannel client) throws IOException {
        client.write(ByteBuffer.wrap(REQUEST));
        ByteBuffer answer = ByteBuffer.allocate(1024);
        while (true) {
            if (client.read(answer) < 0) {
                throw new IOException("closed within an answer, after " + answer.position());
            }
            if (isWhole(answer)) {
                return;
            }
        }
    }

    /// Tells if an answer has been read to its end.
    static boolean isWhole(ByteBuffer answer) {
        int end = answer.position();
        return end > 6
                && new String(answer.array(), answer.arrayOffset() + end - 6, 6, US_ASCII)
                        .equals("World!");
    }

    static byte[] requests(int count) {
        byte[] all = new byte[count * REQUEST.length];
        for (int i = 0; i < count; i++) {
            System.arraycopy(REQUEST, 0, all, i * REQUEST.length, REQUEST.length);
        }
        return all;
    }

    /// Bytes of memory that the process has.
    long residentBytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", pid(), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /// Measures times, again and again until the server's compilers have nothing to do meanwhile:
    /// they share its core, and what an attack calls is new to them.
    <T> T warm(WarmUp.MeasuredWindow<T> window) throws IOException, InterruptedException {
        return WarmUp.lastOfTimes(server.pid(), window);
    }

    /// Number of its descriptors.
    long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", pid(), "fd"))) {
            return all.count();
        }
    }

    /// Seconds of processor time so far.
    double cpuSeconds() throws IOException {
        return server.cpuSeconds();
    }

    /// Asks it to end, as a service manager does.
    ///
    /// @return nanoseconds until the process was gone
    long terminate() throws InterruptedException {
        return server.terminate();
    }

    private String pid() {
        return Long.toString(server.pid());
    }

    @Override
    public void close() {
        server.close();
    }
}
