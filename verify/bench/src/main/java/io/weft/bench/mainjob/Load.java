package io.weft.bench.mainjob;

import java.util.List;

/// The kinds of load that the load generator puts on a server.
enum Load {
    PLAIN("plain", "one request at a time", 1),
    PIPELINED("pipelined", "16 pipelined requests", 16),
    NEW_CONNECTION("new-connection", "a new connection for every request", 1),
    SATURATED("saturated", "one request at a time, the server at its limit", 1),
    SATURATED_PIPELINED(
            "saturated-pipelined", "16 pipelined requests, the server at its limit", 16);

    static final int CONNECTIONS = 64;

    final String label;
    final String title;
    final int depth;

    Load(String label, String title, int depth) {
        this.label = label;
        this.title = title;
        this.depth = depth;
    }

    /// Tells if it comes from `saturate`, which costs less than a server, and not from wrk.
    boolean saturates() {
        return this == SATURATED || this == SATURATED_PIPELINED;
    }

    List<String> wrkOptions() {
        return this == NEW_CONNECTION ? List.of("-H", "Connection: close") : List.of();
    }
}
