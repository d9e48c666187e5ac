package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Bytes to a server, and all that it answers.
final class RawHttp {
    private RawHttp() {}

    /// Sends `bytes`, and returns what comes until the server closes; what has come until then when
    /// it does not within `seconds`.
    static String exchange(SocketAddress address, String bytes, int seconds) throws Exception {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (SocketChannel channel = connect(address)) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> read(channel, answer, end));
            ByteBuffer out = ByteBuffer.wrap(bytes.getBytes(ISO_8859_1));
            try {
                while (out.hasRemaining()) {
                    channel.write(out);
                }
            } catch (IOException _) {
                // Refused before it was whole: the answer says more.
            }
            try {
                end.get(seconds, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException _) {
                // The answer is what came.
            }
        }
        return answer.toString(ISO_8859_1);
    }

    private static SocketChannel connect(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress unix
                ? SocketChannel.open(unix)
                : SocketChannel.open(address);
    }

    private static void read(
            SocketChannel channel, ByteArrayOutputStream answer, CompletableFuture<Void> end) {
        ByteBuffer in = ByteBuffer.allocate(4096);
        try {
            while (channel.read(in) >= 0) {
                answer.write(in.array(), 0, in.position());
                in.clear();
            }
        } catch (IOException _) {
            // A reset ends an answer, too.
        }
        end.complete(null);
    }
}
