package io.weft.bench.transport.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Holds connections to an echo server that have echoed once: `Client PORT CONNECTIONS`. It says
/// when it has them, and ends with its standard input.
public final class Client {
    /// The line that says so.
    static final String CONNECTED = "connected ";

    private Client() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int connections = Integer.parseInt(args[1]);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < connections; i++) {
            RawSocket socket = RawSocket.connect(server).resetAtClose();
            socket.send(1);
            socket.await(1);
        }
        System.out.println(CONNECTED + connections);
        while (System.in.read() >= 0) {
            // Nothing is asked of it.
        }
        Runtime.getRuntime().halt(0);
    }
}
