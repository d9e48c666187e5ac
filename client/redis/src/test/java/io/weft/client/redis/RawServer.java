package io.weft.client.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.testkit.SocketServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// A server whose replies are the bytes that a test wants, right or wrong.
final class RawServer implements AutoCloseable {
    /// Ends the connection instead of a reply.
    static final String DROP = "(drop)";

    final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final SocketServer server;
    private volatile Function<String, String> replies;

    /// @param replies of commands, whose words have a space between
    RawServer(Function<String, String> replies) {
        this.replies = replies;
        server = new SocketServer(this::serve);
    }

    int port() {
        return server.port();
    }

    void replies(Function<String, String> other) {
        replies = other;
    }

    /// Ends all connections, not the server.
    void drop() {
        server.drop();
    }

    private void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        while (true) {
            int words = number(in);
            StringBuilder command = new StringBuilder();
            for (int i = 0; i < words; i++) {
                String word = new String(in.readNBytes(number(in)), ISO_8859_1);
                command.append(i == 0 ? "" : " ").append(word);
                in.skipNBytes(2);
            }
            commands.add(command.toString());
            String reply = replies.apply(command.toString());
            if (reply.equals(DROP)) {
                return;
            }
            socket.getOutputStream().write(reply.getBytes(ISO_8859_1));
        }
    }

    /// The number behind the type of a line.
    private static int number(InputStream in) throws IOException {
        int number = 0;
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the end");
            }
            if (b >= '0' && b <= '9') {
                number = 10 * number + b - '0';
            }
        }
        return number;
    }

    @Override
    public void close() {
        server.close();
    }
}
