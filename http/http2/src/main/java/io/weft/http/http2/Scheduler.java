package io.weft.http.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Streams that have something to send and a window for it, in the order in which they are served
/// (RFC 9218, 10): by urgency; within one, those that are not incremental one after the other by
/// their numbers, and incremental ones in turn. Both kinds share the connection by halves.
final class Scheduler {
    private static final int URGENCIES = 8;

    private final List<ArrayDeque<Http2Stream>> whole = queues();
    private final List<ArrayDeque<Http2Stream>> turns = queues();
    private int size;
    private boolean turn;

    private static List<ArrayDeque<Http2Stream>> queues() {
        List<ArrayDeque<Http2Stream>> queues = new ArrayList<>(URGENCIES);
        for (int i = 0; i < URGENCIES; i++) {
            queues.add(new ArrayDeque<>(2));
        }
        return queues;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Http2Stream stream) {
        if (stream.scheduled) {
            return;
        }
        stream.scheduled = true;
        size++;
        Priority p = stream.priority();
        ArrayDeque<Http2Stream> queue = queue(p);
        // A stream that is not incremental goes on where it was: before later ones.
        Http2Stream first = p.incremental() ? null : queue.peekFirst();
        if (first != null && stream.id() < first.id()) {
            queue.addFirst(stream);
        } else {
            queue.addLast(stream);
        }
    }

    void remove(Http2Stream stream) {
        if (stream.scheduled) {
            stream.scheduled = false;
            size--;
            queue(stream.priority()).remove(stream);
        }
    }

    /// Takes the stream whose turn it is; null when there is none.
    @Nullable Http2Stream next() {
        if (size == 0) {
            return null;
        }
        for (int i = 0; i < URGENCIES; i++) {
            Http2Stream stream = (turn ? turns : whole).get(i).pollFirst();
            if (stream == null) {
                stream = (turn ? whole : turns).get(i).pollFirst();
            }
            if (stream != null) {
                turn = !turn;
                stream.scheduled = false;
                size--;
                return stream;
            }
        }
        throw new AssertionError(size + " streams, none queued");
    }

    private ArrayDeque<Http2Stream> queue(Priority p) {
        return (p.incremental() ? turns : whole).get(p.urgency());
    }
}
