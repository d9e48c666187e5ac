package io.weft.http.server;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The bodies of one connection's requests that are collected in memory, until these are answered:
/// a handler that takes its time has them meanwhile. Beyond the limit one body goes on; others
/// wait as soon as they have sent what their windows let them. Thread: the loop.
final class CollectedBodies {
    private final int limit;
    private final ArrayDeque<Http2ServerStream> waiting = new ArrayDeque<>(0);
    private long bytes;

    /// Goes on whatever there is, so that one at least gets to its end.
    private @Nullable Http2ServerStream favoured;

    /// @param limit bytes beyond which only one body goes on
    CollectedBodies(int limit) {
        this.limit = limit;
    }

    /// A body has become longer.
    ///
    /// @return whether its client may go on
    boolean add(Http2ServerStream stream, int length) {
        bytes += length;
        if (bytes <= limit || favoured == stream) {
            return true;
        }
        if (favoured == null) {
            favoured = stream;
            return true;
        }
        if (!waiting.contains(stream)) {
            waiting.add(stream);
        }
        return false;
    }

    /// A request is answered, or given up.
    void remove(Http2ServerStream stream, long length) {
        bytes -= length;
        waiting.remove(stream);
        if (favoured == stream) {
            favoured = null;
        }
        while (!waiting.isEmpty() && (bytes <= limit || favoured == null)) {
            Http2ServerStream next = waiting.removeFirst();
            if (bytes > limit) {
                favoured = next;
            }
            next.goOn();
        }
    }
}
