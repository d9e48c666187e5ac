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
    private final int window;

    /// Sends what was granted, soon.
    private final Runnable flush;

    private final ArrayDeque<CollectedBody> waiting = new ArrayDeque<>(0);

    /// Bytes that were received, but for those of the favoured body.
    private long bytes;

    /// Bytes that streams were granted, and have not sent.
    private long granted;

    /// True while windows are taken back.
    private boolean closed;

    private @Nullable CollectedBody favoured;

    /// @param limit bytes beyond which only one body goes on
    /// @param window of a stream
    /// @param flush sends what windows were granted
    CollectedBodies(Http2Connection h2, int limit, int window, Runnable flush) {
        this.h2 = h2;
        this.limit = limit;
        this.window = window;
        this.flush = flush;
    }

    /// Makes a body that is yet to begin.
    ///
    /// @param announced its length; -1 if that is not known
    CollectedBody of(Http2Stream stream, long announced) {
        return new CollectedBody(this, stream, announced);
    }

    /// A body begins to be collected.
    void begin(CollectedBody body) {
        if (closed) {
            wait(body);
            serve();
        }
    }

    /// A body begins that its handler reads as a stream, or a tunnel: it has a window in any case.
    void pass(Http2Stream stream) {
        if (closed) {
            stream.grantWindow();
        }
    }

    /// A body has become longer.
    ///
    /// @param spent bytes of those that were granted
    /// @return whether its client may go on
    boolean add(CollectedBody body, int length, int spent) {
        granted -= spent;
        if (body == favoured) {
            return true;
        }
        bytes += length;
        if (closed) {
            if (body.needs(window) > 0 && !body.isGranted() && !waiting.contains(body)) {
                wait(body);
                serve();
            }
            return body == favoured;
        }
        if (bytes > limit) {
            close(body);
        }
        return true;
    }

    private void close(CollectedBody first) {
        closed = true;
        favour(first);
        h2.closeWindows();
        for (Http2Stream stream : h2.streams()) {
            if (stream.mayReceive() && stream.attachment() instanceof Http2ServerStream wire) {
                CollectedBody body = wire.collected();
                if (body == null || !body.isCollecting()) {
                    stream.grantWindow();
                } else if (body != first) {
                    wait(body);
                }
            }
        }
        first.goOn();
        flush.run();
        serve(); // without the favoured body there is room again
    }

    private void favour(CollectedBody body) {
        favoured = body;
        bytes -= body.bytes();
        granted -= body.giveUpGrant();
    }

    private void wait(CollectedBody body) {
        waiting.add(body);
        body.hold();
    }

    private void serve() {
        CollectedBody next = waiting.peekFirst();
        while (next != null) {
            int needs = next.needs(window);
            if (favoured == null) {
                waiting.removeFirst();
                favour(next);
                next.goOn();
                flush.run();
            } else if (bytes + granted + needs <= limit) {
                waiting.removeFirst();
                granted += needs;
                next.goOn(needs);
                flush.run();
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
    void remove(CollectedBody body) {
        granted -= body.giveUpGrant();
        if (favoured == body) {
            favoured = null;
        } else {
            bytes -= body.bytes();
        }
        boolean _ = waiting.remove(body);
        serve();
    }
}
