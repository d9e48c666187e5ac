package io.weft.examples;

import java.util.List;

/// Options that the examples of one kind take, beside a host, a port and a number of loops.
public enum Taken {
    /// Streams over TCP, UDT or SCTP or at a serial port, inside TLS or not.
    STREAMS(true, true),
    /// The same, without TLS.
    PLAIN_STREAMS(true, false),
    /// Protocols of TCP alone, such as HTTP, and clients; inside TLS or not.
    SOCKETS(false, true),
    /// The same without TLS, and datagrams.
    PLAIN_SOCKETS(false, false);

    private static final List<String> ENGINES =
            List.of("auto", "io_uring", "epoll", "nio", "kqueue");
    private static final List<String> ALL =
            List.of("auto", "io_uring", "epoll", "nio", "kqueue", "udt", "sctp", "serial");

    private final boolean streams;
    private final boolean tls;

    Taken(boolean streams, boolean tls) {
        this.streams = streams;
        this.tls = tls;
    }

    List<String> transports() {
        return streams ? ALL : ENGINES;
    }

    /// Returns the options as `--help` shows them.
    public String usage() {
        return "[--host H] [--port N] [--transport "
                + String.join("|", transports())
                + "]"
                + (streams ? " [--device PATH]" : "")
                + " [--loops N]"
                + (tls ? " [--tls]" : "");
    }

    boolean hasDevice() {
        return streams;
    }
}
