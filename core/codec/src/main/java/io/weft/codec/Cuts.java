package io.weft.codec;

import io.weft.buffer.Buffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Large buffers of an [Output] in their order, and how many small bytes stand before each.
final class Cuts {
    private @Nullable Buffer[] large = new @Nullable Buffer[4];

    /// Small bytes before each large buffer, behind the one before it.
    private int[] small = new int[4];

    private int first;
    private int end;

    /// All of `small`.
    private int bytes;

    int count() {
        return end - first;
    }

    /// @param before small bytes in all, of which those of earlier buffers are known
    void add(int before, Buffer buffer) {
        if (end == large.length) {
            large = Arrays.copyOf(large, 2 * end);
            small = Arrays.copyOf(small, 2 * end);
        }
        large[end] = buffer;
        small[end] = before - bytes;
        bytes = before;
        end++;
    }

    long largeBytes() {
        long sum = 0;
        for (int i = first; i < end; i++) {
            sum += at(i).readableBytes();
        }
        return sum;
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
            at(end).release();
            large[end] = null;
        }
    }
}
