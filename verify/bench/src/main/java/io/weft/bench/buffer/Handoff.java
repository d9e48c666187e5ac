package io.weft.bench.buffer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A bounded queue from one producer to one consumer, the same for all sides. Each index is of one
/// thread alone; a slot that is not null is full.
final class Handoff<T> {
    private static final int CAPACITY = 1024;

    private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(CAPACITY);
    private final Cursor producer = new Cursor();
    private final Cursor consumer = new Cursor();

    /// Padded, so that the two threads do not share a cache line by accident.
    @SuppressWarnings("UnusedVariable")
    private static final class Cursor {
        private long p1, p2, p3, p4, p5, p6, p7, p8;
        private int next;
        private long q1, q2, q3, q4, q5, q6, q7, q8;
    }

    boolean offer(T value) {
        int slot = producer.next & (CAPACITY - 1);
        if (slots.getAcquire(slot) != null) {
            return false;
        }
        slots.setRelease(slot, value);
        producer.next++;
        return true;
    }

    @Nullable T poll() {
        int slot = consumer.next & (CAPACITY - 1);
        T value = slots.getAcquire(slot);
        if (value != null) {
            slots.setRelease(slot, null);
            consumer.next++;
        }
        return value;
    }
}
