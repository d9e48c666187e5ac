package io.weft.http.http2;

import org.jspecify.annotations.Nullable;

/// Streams that have something to send and a window for it, in the order in which they are served
/// (RFC 9218, 10): by urgency; within one, those that are not incremental one after the other by
/// their numbers, and incremental ones in turn. Both kinds share the connection by halves.
///
/// A queue for each urgency and kind is a ring of streams that are linked by
/// [Http2Stream#behind], known by its last one. A bit for each tells if it has any.
final class Scheduler {
    private static final int URGENCIES = 8;

    /// The bit of a queue's index that tells incremental streams from others.
    private static final int KIND = 1;

    private final @Nullable Http2Stream[] lasts = new @Nullable Http2Stream[URGENCIES * 2];

    /// The queues that are not empty.
    private int filled;

    /// The kind that goes first where both wait. It changes with each stream that is served.
    private int turn;

    boolean isEmpty() {
        return filled == 0;
    }

    void add(Http2Stream stream) {
        if (stream.behind != null) {
            return;
        }
        int queue = stream.queue;
        Http2Stream last = lasts[queue];
        if (last == null) {
            stream.behind = stream;
            lasts[queue] = stream;
            filled |= 1 << queue;
            return;
        }
        Http2Stream first = last.behind;
        stream.behind = first;
        last.behind = stream;
        // A stream that is not incremental goes on where it was: before later ones.
        if ((queue & KIND) != 0 || first == null || stream.id() > first.id()) {
            lasts[queue] = stream;
        }
    }

    void remove(Http2Stream stream) {
        Http2Stream next = stream.behind;
        if (next == null) {
            return;
        }
        Http2Stream before = stream;
        while (next != null && next != stream) {
            before = next;
            next = next.behind;
        }
        take(stream, before, stream.queue);
    }

    /// Takes the stream whose turn it is; null when there is none.
    @Nullable Http2Stream next() {
        int waiting = filled;
        if (waiting == 0) {
            return null;
        }
        int queue = Integer.numberOfTrailingZeros(waiting);
        queue |= turn & ~queue & waiting >>> (queue | KIND); // the other kind of this urgency
        turn ^= KIND;
        Http2Stream last = lasts[queue];
        Http2Stream first = last == null ? null : last.behind;
        if (last == null || first == null) {
            throw new AssertionError("queue: " + queue + " is empty (expected: a stream)");
        }
        take(first, last, queue);
        return first;
    }

    private void take(Http2Stream stream, Http2Stream before, int queue) {
        if (stream == before) {
            lasts[queue] = null;
            filled &= ~(1 << queue);
        } else {
            before.behind = stream.behind;
            if (lasts[queue] == stream) {
                lasts[queue] = before;
            }
        }
        stream.behind = null;
    }

    /// Returns the index of the queue for streams of a priority.
    static int queue(Priority priority) {
        return priority.urgency() << 1 | (priority.incremental() ? KIND : 0);
    }
}
