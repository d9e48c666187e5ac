package io.weft.http.server;

import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Stream;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The bodies of one connection's requests that are collected in memory, until these are answered:
/// a handler that takes its time has them meanwhile.
///
/// As long as they are within the limit, each stream has its window. The body that goes beyond is
/// favoured: it goes on whatever there is, so that one at least gets to its end. The windows of all
/// others are taken back, and from then on each waits until there is room for what it is granted.
/// So the connection holds the limit, what was under way when windows were closed, and one body.
///
/// Thread: the loop.
final class CollectedBodies {
    private final Http2Connection h2;
    private final int limit;
    private final ArrayDeque<Http2ServerStream> waiting = new ArrayDeque<>(0);

    /// Bytes that were received, but for those of the favoured body.
    private long bytes;

    /// Bytes that streams were granted, and have not sent.
    private long granted;

    /// True while windows are taken back.
    private boolean closed;

    private @Nullable Http2ServerStream favoured;

    /// @param limit bytes beyond which only one body goes on
    CollectedBodies(Http2Connection h2, int limit) {
        this.h2 = h2;
        this.limit = limit;
    }

    /// A body begins to be collected.
    void begin(Http2ServerStream stream) {
        if (closed) {
            wait(stream);
            serve();
        }
    }

    /// A body begins that its handler reads as a stream: it has a window in any case.
    void pass(Http2Stream stream) {
        if (closed) {
            stream.grantWindow();
        }
    }

    /// A body has become longer.
    ///
    /// @param spent bytes of those that were granted
    /// @return whether its client may go on
    boolean add(Http2ServerStream stream, int length, int spent) {
        granted -= spent;
        if (stream == favoured) {
            return true;
        }
        bytes += length;
        if (closed) {
            if (stream.needs() > 0 && !stream.isGranted() && !waiting.contains(stream)) {
                wait(stream);
                serve();
            }
            return stream == favoured;
        }
        if (bytes > limit) {
            close(stream);
        }
        return true;
    }

    private void close(Http2ServerStream first) {
        closed = true;
        favour(first);
        h2.closeWindows();
        for (Http2Stream stream : h2.streams()) {
            if (stream.mayReceive()
                    && stream.attachment() instanceof Http2ServerStream wire
                    && wire != first) {
                if (wire.isCollecting()) {
                    wait(wire);
                } else {
                    stream.grantWindow();
                }
            }
        }
        first.goOn();
    }

    private void favour(Http2ServerStream stream) {
        favoured = stream;
        bytes -= stream.collected();
        granted -= stream.giveUpGrant();
    }

    private void wait(Http2ServerStream stream) {
        waiting.add(stream);
        stream.hold();
    }

    private void serve() {
        Http2ServerStream next = waiting.peekFirst();
        while (next != null) {
            int needs = next.needs();
            if (favoured == null) {
                waiting.removeFirst();
                favour(next);
                next.goOn();
            } else if (bytes + granted + needs <= limit) {
                waiting.removeFirst();
                granted += needs;
                next.goOn(needs);
            } else {
                return;
            }
            next = waiting.peekFirst();
        }
        if (closed && favoured == null && granted == 0 && bytes <= limit / 2) {
            closed = false;
            h2.openWindows();
        }
    }

    /// A request is answered, given up, or its handler has had the body for long.
    void remove(Http2ServerStream stream) {
        granted -= stream.giveUpGrant();
        if (favoured == stream) {
            favoured = null;
        } else {
            bytes -= stream.collected();
        }
        boolean _ = waiting.remove(stream);
        serve();
    }
}
