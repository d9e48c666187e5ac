package io.weft.loop;

import static java.lang.invoke.MethodHandles.arrayElementVarHandle;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A bounded first-in first-out queue for many producers and one consumer, the owner. Its array is there from the start.
///
/// A producer claims a position by moving `tail` with a compare-and-set, then publishes its element there. The owner
/// never waits for it: where the next position is claimed but not published, [#poll] returns null although [#isEmpty] is
/// false, and the owner must not sleep.
///
/// Why no element is lost or overwritten:
///
/// - *One producer a position.* `tail` only changes by compare-and-set from `t` to `t + 1`, or by [#close], which sets its
///   sign bit, after which no compare-and-set from a claimed value succeeds.
/// - *The element is complete when the owner sees it.* The producer stores it with release, the owner loads the slot with
///   acquire.
/// - *A slot is free when it is claimed.* The owner clears the slot, then stores `head` with release. A producer claims
///   `t` only if `t < limit`, and `limit` is some earlier `head + capacity` that it, or the producer that stored `limit` with
///   release, loaded with acquire. So the clearing of position `t - capacity` happens before the new store. `limit` may
///   go backwards when two producers race to store it: it stays a value that was once right, and `head` only grows.
///
/// - *The owner does not fall asleep over an element.* The compare-and-set comes before whatever the producer reads volatile
///   after its offer, such as whether the owner sleeps; and the owner, who said so before, reads `tail` volatile in
///   [#isEmpty].
///
/// Positions are 63 bits wide and do not wrap in practice: 2^63 offers at a thousand million a second take 292 years.
public final class MpscQueue<E> implements TaskQueue<E> {
    private static final VarHandle SLOT =
            arrayElementVarHandle(Object[].class).withInvokeExactBehavior();
    private static final VarHandle COUNTER =
            arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    // Indices of the counters: 128 bytes apart, as adjacent lines are fetched in pairs, and as far
    // from the array's
    // ends, so that neither a neighbour on the heap nor the array's own length shares a line with
    // them.
    private static final int STRIDE = 128 / Long.BYTES;
    private static final int TAIL = STRIDE;
    private static final int LIMIT = 2 * STRIDE;
    private static final int HEAD = 3 * STRIDE;

    private static final long CLOSED = Long.MIN_VALUE;

    private final long[] counters = new long[4 * STRIDE];
    private final @Nullable Object[] slots;
    private final int mask;

    /// A queue that holds `capacity` elements, rounded up to a power of two.
    ///
    /// @throws IllegalArgumentException unless `capacity` is in 1..2^30
    public MpscQueue(int capacity) {
        checkCapacity(capacity);
        int size = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        slots = new @Nullable Object[size];
        mask = size - 1;
        COUNTER.setRelease(counters, LIMIT, (long) size);
    }

    static void checkCapacity(int capacity) {
        if (capacity < 1 || capacity > 1 << 30) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: 1..2^30)");
        }
    }

    /// Adds `element`, from any thread. Lock-free.
    ///
    /// @return false when the queue is full (or the executor that owns it has closed it)
    @Override
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long tail;
        do {
            tail = (long) COUNTER.getAcquire(counters, TAIL);
            if (tail < 0) {
                return false;
            }
            if (tail >= (long) COUNTER.getAcquire(counters, LIMIT) && !raiseLimit(tail)) {
                return false;
            }
        } while (!COUNTER.compareAndSet(counters, TAIL, tail, tail + 1));
        SLOT.setRelease(slots, (int) tail & mask, (Object) element);
        return true;
    }

    private boolean raiseLimit(long tail) {
        long limit = (long) COUNTER.getAcquire(counters, HEAD) + capacity();
        if (tail >= limit) {
            return false;
        }
        COUNTER.setRelease(counters, LIMIT, limit);
        return true;
    }

    /// Takes the oldest element, or null when there is none or its producer has not published it yet. Owner only.
    @Override
    @SuppressWarnings("unchecked") // only offer(E) fills slots
    public @Nullable E poll() {
        long head = (long) COUNTER.get(counters, HEAD);
        int slot = (int) head & mask;
        Object element = (Object) SLOT.getAcquire(slots, slot);
        if (element != null) {
            slots[slot] = null;
            COUNTER.setRelease(counters, HEAD, head + 1);
        }
        return (E) element;
    }

    /// True when no offer is outstanding, a claimed but not yet published one included. Any thread; exact for the owner
    /// of a closed queue, else a snapshot.
    @Override
    public boolean isEmpty() {
        // The head first, as in size(). The tail volatile: see offer.
        long head = (long) COUNTER.getAcquire(counters, HEAD);
        return ((long) COUNTER.getVolatile(counters, TAIL) & ~CLOSED) <= head;
    }

    /// How many elements there are, claimed but not yet published ones included. Any thread; a snapshot.
    @Override
    public int size() {
        // The head first: it never passes the tail, so that the difference cannot be negative.
        long head = (long) COUNTER.getAcquire(counters, HEAD);
        long tail = (long) COUNTER.getAcquire(counters, TAIL) & ~CLOSED;
        return (int) Math.min(tail - head, capacity());
    }

    /// How many elements have been polled so far. Any thread; a snapshot.
    @Override
    public long polled() {
        return (long) COUNTER.getAcquire(counters, HEAD);
    }

    /// How many elements there is room for.
    @Override
    public int capacity() {
        return mask + 1;
    }

    /// Refuses every later offer. What was accepted before stays to be polled: an offer is accepted exactly if its claim
    /// came before this, so nothing can slip in between the owner's last look and the end. Any thread.
    @Override
    public void close() {
        long _ = (long) COUNTER.getAndBitwiseOr(counters, TAIL, CLOSED);
    }

    @Override
    public boolean isClosed() {
        return (long) COUNTER.getAcquire(counters, TAIL) < 0;
    }
}
