package io.weft.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A server on the JDK's sockets, for tests of clients: what it says may be as wrong as a test
/// needs. Each connection is served on a virtual thread.
///
/// **Threads.** Any.
public final class SocketServer implements AutoCloseable {
    /// A server's work on a connection.
    @FunctionalInterface
    public interface Service {
        /// Serves a connection, which is closed when this returns.
        ///
        /// @throws IOException when the peer has gone, which ends the connection only
        void serve(Socket connection) throws IOException;
    }

    private final ServerSocket server;
    private final Service service;
    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

    /// Listens at a port of the loopback address.
    public SocketServer(Service service) {
        this.service = service;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /// Returns the port of the server.
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            service.serve(connection);
        } catch (IOException e) {
            // the peer has gone
        }
    }

    /// Ends all connections, not the server.
    public void drop() {
        for (Socket connection; (connection = connections.poll()) != null; ) {
            try {
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Ends the server and all connections.
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        drop();
    }
}
