package io.weft.bench.mainjob;

import java.util.List;

/// The kinds of load that the load generator puts on a server.
enum Load {
    PLAIN("plain", "one request at a time", 1),
    PIPELINED("pipelined", "16 pipelined requests", 16),
    NEW_CONNECTION("new-connection", "a new connection for every request", 1);

    static final int CONNECTIONS = 64;

    final String label;
    final String title;
    final int depth;

    Load(String label, String title, int depth) {
        this.label = label;
        this.title = title;
        this.depth = depth;
    }

    List<String> wrkOptions() {
        return this == NEW_CONNECTION ? List.of("-H", "Connection: close") : List.of();
    }
}
