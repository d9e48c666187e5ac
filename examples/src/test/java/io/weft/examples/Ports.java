package io.weft.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// Ports for programs that cannot choose one and say which.
final class Ports {
    private Ports() {}

    /// A port that was free a moment ago. Another program may take it before the one it is for.
    static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
