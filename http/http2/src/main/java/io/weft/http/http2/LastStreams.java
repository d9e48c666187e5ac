package io.weft.http.http2;

import java.util.Arrays;

/// The numbers of some streams, of which the last ones are kept.
final class LastStreams {
    private static final int FIRST = 16;

    private final int most;
    private int[] numbers = {};

    /// The place of the next one.
    private int next;

    private int count;

    /// @param most numbers that are kept, a power of two and at least 16
    LastStreams(int most) {
        this.most = most;
    }

    void add(int stream) {
        if (count == numbers.length && count < most) {
            numbers = Arrays.copyOf(numbers, Math.max(FIRST, count * 2));
            next = count;
        }
        numbers[next] = stream;
        next = (next + 1) & (numbers.length - 1);
        count = Math.min(count + 1, numbers.length);
    }

    boolean contains(int stream) {
        for (int i = 0; i < count; i++) {
            if (numbers[i] == stream) {
                return true;
            }
        }
        return false;
    }
}
