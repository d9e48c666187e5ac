package io.weft.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/// Ports for programs that cannot choose one and say which, and ports where nobody listens.
public final class Ports {
    /// Bound for good, so that the system gives the port to nobody else.
    private static final List<Socket> HOLDERS = new ArrayList<>();

    private Ports() {}

    /// Returns a port where nobody listens. A program that asks for it may all the same, as long as
    /// it sets SO_REUSEADDR, which servers do: its holder does not listen.
    public static synchronized int free() throws IOException {
        Socket holder = new Socket();
        HOLDERS.add(holder);
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return holder.getLocalPort();
    }
}
