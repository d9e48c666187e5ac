package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import java.util.ArrayDeque;

/// A socket's receive buffer: what has arrived and was not read, and whether the end has.
final class Inflow {
    /// Of the first some bytes may be read already.
    private final ArrayDeque<byte[]> arrived = new ArrayDeque<>();

    private int size;
    private int readOfFirst;
    private boolean ended;

    void add(byte[] bytes) {
        arrived.add(bytes);
        size += bytes.length;
    }

    /// Nothing comes behind what has arrived.
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /// Returns the number of bytes that can be read.
    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /// Moves `length` bytes into `bytes`, of those that can be read.
    void read(Buffer bytes, int length) {
        for (int left = length; left > 0; ) {
            byte[] first = arrived.getFirst();
            int count = Math.min(left, first.length - readOfFirst);
            bytes.writeBytes(first, readOfFirst, count);
            readOfFirst += count;
            left -= count;
            if (readOfFirst == first.length) {
                arrived.removeFirst();
                readOfFirst = 0;
            }
        }
        size -= length;
    }

    void clear() {
        arrived.clear();
        size = 0;
        readOfFirst = 0;
    }
}
