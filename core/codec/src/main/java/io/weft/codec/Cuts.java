package io.weft.codec;

import io.weft.buffer.Buffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Large buffers of an [Output] in their order, and how many small bytes stand before each.
final class Cuts {
    private static final int FIRST_ROOM = 8;

    private @Nullable Buffer[] large = new @Nullable Buffer[FIRST_ROOM];

    /// Small bytes before each large buffer, behind the one before it.
    private int[] small = new int[FIRST_ROOM];

    private int first;
    private int end;

    /// All of `small`.
    private int bytes;

    /// In all large buffers, which change no more.
    private long largeBytes;

    int count() {
        return end - first;
    }

    /// @param before small bytes in all, of which those of earlier buffers are known
    void add(int before, Buffer buffer) {
        if (end == large.length) {
            makeRoom();
        }
        large[end] = buffer;
        small[end] = before - bytes;
        bytes = before;
        largeBytes += buffer.readableBytes();
        end++;
    }

    /// Moves what is left to the front, of arrays twice as long where most of it is left.
    private void makeRoom() {
        int count = count();
        boolean grows = count > large.length / 2;
        @Nullable Buffer[] buffers = grows ? new @Nullable Buffer[2 * large.length] : large;
        int[] lengths = grows ? new int[2 * small.length] : small;
        System.arraycopy(large, first, buffers, 0, count);
        System.arraycopy(small, first, lengths, 0, count);
        Arrays.fill(buffers, count, large.length, null);
        large = buffers;
        small = lengths;
        first = 0;
        end = count;
    }

    long largeBytes() {
        return largeBytes;
    }

    private Buffer at(int index) {
        Buffer buffer = large[index];
        if (buffer == null) {
            throw new AssertionError("buffer " + index + ": none (expected: added)");
        }
        return buffer;
    }

    /// Takes the small bytes before the next buffer, once.
    int takeSmall() {
        int length = small[first];
        small[first] = 0;
        bytes -= length;
        return length;
    }

    Buffer takeLarge() {
        Buffer next = at(first);
        largeBytes -= next.readableBytes();
        large[first] = null;
        first++;
        if (first == end) {
            first = 0;
            end = 0;
        }
        return next;
    }

    /// Releases all but the first `count` buffers.
    void truncate(int count) {
        while (count() > count) {
            end--;
            bytes -= small[end];
            largeBytes -= at(end).readableBytes();
            at(end).release();
            large[end] = null;
        }
    }
}
