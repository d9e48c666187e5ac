package io.weft.testkit;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/// Ports for servers that cannot choose one and tell it, as programs of others.
///
/// A port that was bound to 0 and let go may be anybody's a moment later: the system gives it to
/// whoever binds to 0 or connects. These ports are below those that systems give by themselves.
public final class Ports {
    private static final int FIRST = 16_384;
    private static final int COUNT = 8_192; // pairs up to 32_768, where Linux begins

    /// Each listens at the port behind a port of ours, so that no other process takes that.
    private static final List<ServerSocket> CLAIMS = new ArrayList<>();

    private static int next = (int) (ProcessHandle.current().pid() * 61 % COUNT);

    private Ports() {}

    /// Returns a port of the loopback address at which neither TCP nor UDP is served, and that no
    /// process gets by this method as long as this one runs.
    ///
    /// @throws IOException if there is none
    public static synchronized int free() throws IOException {
        IOException last = new IOException("no port");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + 2 * next;
            next = (next + 1) % COUNT;
            try {
                ServerSocket claim = listen(port + 1);
                if (isFree(port)) {
                    CLAIMS.add(claim);
                    return port;
                }
                claim.close();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static boolean isFree(int port) {
        try (ServerSocket tcp = listen(port);
                DatagramSocket udp = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            return tcp.isBound() && udp.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
