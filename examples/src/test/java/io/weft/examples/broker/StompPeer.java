package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;

/// A connection with a server of STOMP, spoken to in frames.
final class StompPeer implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    StompPeer(Served served) throws Exception {
        this(served, "1.2");
    }

    StompPeer(Served served, String version) throws Exception {
        socket = served.connect();
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        write("CONNECT\naccept-version:" + version + "\nhost:h\n\n\0");
        assertThat(frame()).startsWith("CONNECTED\nversion:" + version);
    }

    void write(String frames) throws IOException {
        socket.getOutputStream().write(frames.getBytes(UTF_8));
    }

    /// Writes frames, the last of which asks for a receipt by `receipt`, and waits for it.
    void ask(String frames, String receipt) throws IOException {
        write(frames);
        assertThat(frame()).isEqualTo("RECEIPT\nreceipt-id:" + receipt + "\n\n");
    }

    /// The next frame without its end.
    String frame() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        for (int b; (b = in.read()) != 0; ) {
            if (b < 0) {
                throw new SocketException("the end (expected: a frame)");
            }
            if (b != '\n' || frame.size() > 0) { // a heart-beat
                frame.write(b);
            }
        }
        return frame.toString(UTF_8);
    }

    String body() throws IOException {
        return body(frame());
    }

    /// The body of the next MESSAGE, before which a RECEIPT may come.
    String message() throws IOException {
        String frame = frame();
        while (frame.startsWith("RECEIPT")) {
            frame = frame();
        }
        return body(frame);
    }

    static String body(String frame) {
        return frame.substring(frame.indexOf("\n\n") + 2);
    }

    /// The value of a header.
    static String header(String frame, String name) {
        for (String line : frame.split("\n", -1)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1);
            }
        }
        throw new AssertionError(frame + " (expected: with " + name + ")");
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
