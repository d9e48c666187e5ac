package io.weft.examples;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Assumptions;

/// An example that runs in this JVM, on a port of the system's choice.
public record Served(Example.Running running) implements AutoCloseable {
    /// Skips the test where the engine does not work.
    public static Served start(Example.Start example, String transport) {
        Options options = new Options(InetAddress.getLoopbackAddress(), 0, transport, 2);
        try {
            Served served = new Served(example.start(options));
            if (!served.running.transport().equals(transport)) {
                throw new AssertionError(
                        "transport: "
                                + served.running.transport()
                                + " (expected: "
                                + transport
                                + ")");
            }
            return served;
        } catch (IllegalStateException e) {
            Assumptions.abort(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    public InetSocketAddress address() {
        return running.address();
    }

    /// A connection whose reads fail rather than hang.
    public Socket connect() throws Exception {
        Socket socket = new Socket();
        socket.setSoTimeout(300_000);
        socket.connect(address());
        return socket;
    }

    @Override
    public void close() {
        running.close();
    }
}
