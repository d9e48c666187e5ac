package io.weft.buffer;

import org.jspecify.annotations.Nullable;

/// The buffers that a composite is made of: a queue in flat arrays, so that a byte is found without
/// touching a buffer.
///
/// A component's content is its readable bytes, at least one. Positions count from the first byte
/// that was ever appended, so that removing from the front renumbers nothing: index 0 of the
/// composite is position `origin`.
final class Components {
    private static final int INITIAL = 8;
    private static final int MAX_STEPS = 4;
    private static final int[] NO_ENDS = {};
    private static final long[] NO_BASES = {};
    private static final @Nullable Buffer[] NO_BUFFERS = {};

    private @Nullable Buffer[] buffers = NO_BUFFERS;

    /// Position behind each component.
    private int[] ends = NO_ENDS;

    /// Address of each component less its position.
    private long[] bases = NO_BASES;

    private int first;
    private int end;
    private int origin;

    /// See [#makeRuns].
    private int[] runs = NO_ENDS;

    private int runShift;

    /// Since the last change; after as many as there are components it pays to make runs.
    private int searches;

    int count() {
        return end - first;
    }

    int length() {
        return end == first ? 0 : ends[end - 1] - origin;
    }

    // ---- by slot; `first` to `end` are in use ----

    /// The slot that has `index`, which is inside.
    int find(int index) {
        int position = index + origin;
        if (runs.length > 0) {
            int slot = runs[index >>> runShift];
            for (int steps = 0; steps < MAX_STEPS; steps++) {
                if (ends[slot] > position) {
                    return slot;
                }
                slot++;
            }
        } else if (++searches > count()) {
            makeRuns();
        }
        return search(position);
    }

    /// The choice in the loop is a conditional move: random access would mispredict every branch.
    private int search(int position) {
        int at = first;
        for (int left = end - first; left > 1; ) {
            int half = left >>> 1;
            at = ends[at + half - 1] <= position ? at + half : at;
            left -= half;
        }
        return at;
    }

    /// Notes which slot has the first byte of each run of 2^n bytes, about two runs a component, so
    /// that one look and a step or two find a slot. Where many components share a run, searching
    /// goes on as before.
    private void makeRuns() {
        runShift = 31 - Integer.numberOfLeadingZeros(Math.max(1, length() / count() / 2));
        int[] made = new int[((length() - 1) >>> runShift) + 1];
        int slot = first;
        for (int run = 0; run < made.length; run++) {
            while (end(slot) <= run << runShift) {
                slot++;
            }
            made[run] = slot;
        }
        runs = made;
    }

    /// Components have come, gone or moved.
    void changed() {
        runs = NO_ENDS;
        searches = 0;
    }

    int start(int slot) {
        return slot == first ? 0 : ends[slot - 1] - origin;
    }

    int end(int slot) {
        return ends[slot] - origin;
    }

    /// Address of index 0, were all memory like the component's.
    long base(int slot) {
        return bases[slot] + origin;
    }

    Buffer buffer(int slot) {
        Buffer buffer = buffers[slot];
        if (buffer == null) {
            throw new AssertionError("slot: " + slot + " (expected: " + first + " to " + end + ")");
        }
        return buffer;
    }

    /// The slot `n` behind the first one.
    int slot(int n) {
        return first + n;
    }

    // ---- as a queue ----

    /// Takes over `buffer`, which has readable bytes.
    void append(Buffer buffer) {
        if (end == ends.length || nextPosition() > Integer.MAX_VALUE - buffer.readableBytes()) {
            makeRoom();
        }
        int start = nextPosition();
        buffers[end] = buffer;
        bases[end] = buffer.address() + buffer.readOffset() - start;
        ends[end] = start + buffer.readableBytes();
        end++;
    }

    private int nextPosition() {
        return end == first ? origin : ends[end - 1];
    }

    /// Moves to the front, and counts positions from 0 again.
    private void makeRoom() {
        int count = count();
        int capacity = Math.max(INITIAL, count * 2);
        @Nullable Buffer[] newBuffers = new @Nullable Buffer[capacity];
        int[] newEnds = new int[capacity];
        long[] newBases = new long[capacity];
        for (int i = 0; i < count; i++) {
            newBuffers[i] = buffers[first + i];
            newEnds[i] = ends[first + i] - origin;
            newBases[i] = bases[first + i] + origin;
        }
        buffers = newBuffers;
        ends = newEnds;
        bases = newBases;
        first = 0;
        end = count;
        origin = 0;
    }

    /// Hands over the first component.
    Buffer removeFirst() {
        Buffer buffer = buffer(first);
        buffers[first] = null;
        origin = ends[first];
        first++;
        return buffer;
    }

    /// Cuts `length` bytes, fewer than it has, off the first component; the caller owns them.
    Buffer splitFirst(int length) {
        Buffer head = buffer(first).split(length);
        origin += length;
        return head;
    }

    /// Drops `length` bytes from the front.
    void dropFirst(int length) {
        while (length > 0) {
            int n = end(first);
            if (n > length) {
                buffer(first).skipReadable(length);
                origin += length;
                return;
            }
            removeFirst().release();
            length -= n;
        }
    }

    /// Drops what is behind the first `length` bytes.
    void truncate(int length) {
        while (end > first && start(end - 1) >= length) {
            end--;
            Buffer last = buffer(end);
            buffers[end] = null;
            last.release();
        }
        if (end > first && end(end - 1) > length) {
            Buffer last = buffer(end - 1);
            last.writeOffset(last.writeOffset() - (end(end - 1) - length));
            ends[end - 1] = length + origin;
        }
    }

    void release() {
        truncate(0);
        buffers = NO_BUFFERS;
        ends = NO_ENDS;
        bases = NO_BASES;
        first = 0;
        end = 0;
        origin = 0;
    }
}
