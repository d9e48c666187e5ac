package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.examples.Extras;
import io.weft.examples.Served;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// A server that a test plays line by line, behind a [ReverseProxy].
final class PlayedServer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final ServerSocket server;
    private final Served proxy;

    PlayedServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MILLIS);
        proxy = proxy("--to", address());
    }

    /// Starts a [ReverseProxy].
    static Served proxy(String... args) {
        Extras extras = ReverseProxy.extras(args);
        return Served.start(options -> ReverseProxy.start(options, extras), "nio");
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    Served proxy() {
        return proxy;
    }

    /// Takes a connection of the proxy.
    Socket accept() throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.close();
    }
}
