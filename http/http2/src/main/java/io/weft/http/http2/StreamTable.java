package io.weft.http.http2;

import org.jspecify.annotations.Nullable;

/// Streams that are not closed, by their numbers, and how those that closed last did.
final class StreamTable {
    /// The ways in which a stream has closed.
    enum End {
        /// Nothing is known: it was never opened, or that was long ago.
        UNKNOWN,
        /// Both sides said that they had sent everything.
        COMPLETE,
        /// The peer reset it.
        RESET_BY_PEER,
        /// This side reset it; frames that were under way may still come in.
        RESET_HERE
    }

    private @Nullable Http2Stream[] slots = new Http2Stream[8];
    private int size;

    /// Bytes of the heads of all requests that are open.
    private int headBytes;

    private final LastStreams complete = new LastStreams(128);
    private final LastStreams resetByPeer = new LastStreams(128);

    /// Kept apart, and longer: what comes for them is nobody's fault.
    private final LastStreams resetHere = new LastStreams(4096);

    int size() {
        return size;
    }

    @Nullable Http2Stream get(int id) {
        Http2Stream s = slots[slot(id)];
        while (s != null && s.id() != id) {
            s = s.next;
        }
        return s;
    }

    void add(Http2Stream stream) {
        if (size >= slots.length * 2) {
            grow();
        }
        int slot = slot(stream.id());
        stream.next = slots[slot];
        slots[slot] = stream;
        size++;
    }

    private void grow() {
        @Nullable Http2Stream[] old = slots;
        slots = new Http2Stream[old.length * 4];
        for (Http2Stream first : old) {
            for (Http2Stream s = first; s != null; ) {
                Http2Stream following = s.next;
                int slot = slot(s.id());
                s.next = slots[slot];
                slots[slot] = s;
                s = following;
            }
        }
    }

    void remove(Http2Stream stream, End how) {
        int slot = slot(stream.id());
        Http2Stream before = null;
        for (Http2Stream s = slots[slot]; s != null; s = s.next) {
            if (s == stream) {
                if (before == null) {
                    slots[slot] = s.next;
                } else {
                    before.next = s.next;
                }
                s.next = null;
                size--;
                headBytes -= stream.headBytes;
                stream.headBytes = 0;
                remember(stream.id(), how);
                return;
            }
            before = s;
        }
    }

    /// Remembers the end of a stream that may never have been in the table.
    void remember(int id, End how) {
        switch (how) {
            case COMPLETE -> complete.add(id);
            case RESET_BY_PEER -> resetByPeer.add(id);
            case RESET_HERE -> resetHere.add(id);
            case UNKNOWN -> throw new IllegalArgumentException("an end that is not known");
        }
    }

    /// Tells how the stream has closed.
    End end(int id) {
        if (resetHere.contains(id)) {
            return End.RESET_HERE;
        }
        if (resetByPeer.contains(id)) {
            return End.RESET_BY_PEER;
        }
        return complete.contains(id) ? End.COMPLETE : End.UNKNOWN;
    }

    /// Counts the head of a stream until that is removed.
    void heldHead(Http2Stream stream, int bytes) {
        stream.headBytes = bytes;
        headBytes += bytes;
    }

    int headBytes() {
        return headBytes;
    }

    /// Returns all streams, for walks in which streams may be removed.
    Http2Stream[] all() {
        Http2Stream[] all = new Http2Stream[size];
        int i = 0;
        for (Http2Stream first : slots) {
            for (Http2Stream s = first; s != null; s = s.next) {
                all[i++] = s;
            }
        }
        return all;
    }

    private int slot(int id) {
        return (id >>> 1) & (slots.length - 1);
    }
}
