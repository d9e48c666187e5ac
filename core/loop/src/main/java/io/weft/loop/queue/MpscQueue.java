package io.weft.loop.queue;

import static java.lang.invoke.MethodHandles.arrayElementVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A bounded first-in first-out queue for many producers and one consumer, the owner.
///
/// Its slots are in chunks that are there while elements are in them: an empty queue has one or
/// two, whatever its bound, and they stay in the caches. A chunk belongs to one run of positions;
/// [#chunks] is a ring of twice as many as the bound needs, so that two runs of which elements may
/// be waiting never have the same place in it.
///
/// A producer claims a position by moving `tail` with a compare-and-set, then publishes its element
/// there. The owner never waits for it: where the next position is claimed but not published,
/// [#poll] returns null although [#isEmpty] is false, and the owner must not sleep.
///
/// No element is lost or overwritten, because:
///
/// - *One producer a position.* `tail` only changes by compare-and-set from `t` to `t + 1`, or by
///   [#close], which sets its sign bit, after which no compare-and-set from a claimed value
///   succeeds.
/// - *The element is complete when the owner sees it.* The producer stores it with release, the
///   owner loads the slot with acquire.
/// - *A slot is free when it is claimed.* The owner clears the slot, then stores `head` with
///   release. A producer claims `t` only if `t < limit`, and `limit` is some earlier
///   `head + capacity` that it, or the producer that stored `limit` with release, loaded with
///   acquire. So the clearing of position `t - capacity` happens before the new store. `limit` may
///   go backwards when two producers race to store it: it stays a value that was once right, and
///   `head` only grows.
/// - *A chunk is the right one.* A producer finds or installs the chunk of `t` before it claims
///   `t`: it has room then, or throws and nothing was claimed. The owner takes a chunk out when it
///   has taken its last element, and stores `head` after that. So a producer that has seen
///   `t < limit` does not find the chunk of `t - 2 * capacity`; and the one that it finds stays
///   until `t` has been claimed and published, if its claim succeeds. If not, what it may have
///   installed is the empty chunk of a later run.
///
/// - *The owner does not fall asleep over an element.* The compare-and-set comes before whatever
///   the producer reads volatile after its offer, such as the flag that the owner sleeps; and the
///   owner, having set that flag before, reads `tail` volatile in [#isEmpty].
///
/// Positions are 63 bits wide and do not wrap in practice: 2^63 offers at a thousand million a
/// second take 292 years.
public final class MpscQueue<E> implements TaskQueue<E> {
    private static final VarHandle SLOT =
            arrayElementVarHandle(Object[].class).withInvokeExactBehavior();
    private static final VarHandle CHUNK =
            arrayElementVarHandle(Object[][].class).withInvokeExactBehavior();
    private static final VarHandle SPARE = spareHandle();
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

    private static final int CHUNK_SIZE = 1024;

    private static final long CLOSED = Long.MIN_VALUE;

    private final long[] counters = new long[4 * STRIDE];
    private final int capacity;

    private final int slotMask;
    private final int slotBits;
    private final @Nullable Object[] @Nullable [] chunks;

    // The chunk of the head, or null before it is looked up. Of the owner.
    private @Nullable Object @Nullable [] current;

    // One that is empty. Of whoever takes it by exchange.
    @SuppressWarnings("UnusedVariable") // accessed by SPARE
    private @Nullable Object @Nullable [] spare;

    /// A queue that holds `capacity` elements, rounded up to a power of two.
    ///
    /// @throws IllegalArgumentException unless `capacity` is in 1..2^30
    public MpscQueue(int capacity) {
        this(capacity, CHUNK_SIZE);
    }

    /// @param chunkSize slots a chunk at most, a power of two
    MpscQueue(int capacity, int chunkSize) {
        checkCapacity(capacity);
        this.capacity = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        int size = Math.min(this.capacity, chunkSize);
        slotMask = size - 1;
        slotBits = Integer.numberOfTrailingZeros(size);
        chunks = new @Nullable Object[2 * (this.capacity / size)][];
        COUNTER.setRelease(counters, LIMIT, (long) this.capacity);
    }

    private static VarHandle spareHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(MpscQueue.class, "spare", Object[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// @throws IllegalArgumentException unless a queue may have this capacity
    public static void checkCapacity(int capacity) {
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
        @Nullable Object[] chunk;
        do {
            tail = (long) COUNTER.getAcquire(counters, TAIL);
            if (tail < 0) {
                return false;
            }
            if (tail >= (long) COUNTER.getAcquire(counters, LIMIT) && !raiseLimit(tail)) {
                return false;
            }
            chunk = chunk(tail);
        } while (!COUNTER.compareAndSet(counters, TAIL, tail, tail + 1));
        SLOT.setRelease(chunk, (int) tail & slotMask, (Object) element);
        return true;
    }

    private @Nullable Object[] chunk(long position) {
        int place = place(position);
        @Nullable Object[] chunk = (Object[]) CHUNK.getAcquire(chunks, place);
        return chunk != null ? chunk : install(place);
    }

    private int place(long position) {
        return (int) (position >>> slotBits) & (chunks.length - 1);
    }

    private @Nullable Object[] install(int place) {
        Object[] made = (Object[]) SPARE.getAndSet(this, (Object[]) null);
        if (made == null) {
            made = new Object[slotMask + 1];
        }
        Object[] found = (Object[]) CHUNK.compareAndExchange(chunks, place, (Object[]) null, made);
        if (found == null) {
            return made;
        }
        SPARE.setRelease(this, made);
        return found;
    }

    private boolean raiseLimit(long tail) {
        long limit = (long) COUNTER.getAcquire(counters, HEAD) + capacity;
        if (tail >= limit) {
            return false;
        }
        COUNTER.setRelease(counters, LIMIT, limit);
        return true;
    }

    /// Takes the oldest element, or null when there is none or its producer has not published it
    /// yet. Owner only.
    @Override
    @SuppressWarnings("unchecked") // only offer(E) fills slots
    public @Nullable E poll() {
        long head = (long) COUNTER.get(counters, HEAD);
        @Nullable Object[] chunk = current;
        if (chunk == null) {
            chunk = (Object[]) CHUNK.getAcquire(chunks, place(head));
            if (chunk == null) {
                return null;
            }
            current = chunk;
        }
        int slot = (int) head & slotMask;
        Object element = (Object) SLOT.getAcquire(chunk, slot);
        if (element != null) {
            chunk[slot] = null;
            if (slot == slotMask) {
                takeOut(chunk, head);
            }
            COUNTER.setRelease(counters, HEAD, head + 1);
        }
        return (E) element;
    }

    private void takeOut(@Nullable Object[] chunk, long head) {
        current = null;
        CHUNK.setRelease(chunks, place(head), (Object[]) null);
        SPARE.setRelease(this, chunk);
    }

    /// True when no offer is outstanding, a claimed but not yet published one included. Any thread;
    /// exact for the owner of a closed queue, else a snapshot.
    @Override
    public boolean isEmpty() {
        // The head first, as in size(). The tail volatile: see offer.
        long head = (long) COUNTER.getAcquire(counters, HEAD);
        return ((long) COUNTER.getVolatile(counters, TAIL) & ~CLOSED) <= head;
    }

    /// Returns the number of elements, claimed but not yet published ones included. Any thread; a
    /// snapshot.
    @Override
    public int size() {
        // The head first: it never passes the tail, so that the difference cannot be negative.
        long head = (long) COUNTER.getAcquire(counters, HEAD);
        long tail = (long) COUNTER.getAcquire(counters, TAIL) & ~CLOSED;
        return (int) Math.min(tail - head, capacity);
    }

    /// Returns the number of elements that have been polled so far. Any thread; a snapshot.
    @Override
    public long polled() {
        return (long) COUNTER.getAcquire(counters, HEAD);
    }

    /// {@inheritDoc}
    ///
    /// Those that are claimed but not yet published included.
    @Override
    public long accepted() {
        return (long) COUNTER.getAcquire(counters, TAIL) & ~CLOSED;
    }

    /// Returns the number of elements that there is room for.
    @Override
    public int capacity() {
        return capacity;
    }

    /// Refuses every later offer. What was accepted before stays to be polled: an offer is accepted
    /// exactly if its claim came before this, so nothing can slip in between the owner's last look
    /// and the end. Any thread.
    @Override
    public void close() {
        long _ = (long) COUNTER.getAndBitwiseOr(counters, TAIL, CLOSED);
    }

    @Override
    public boolean isClosed() {
        return (long) COUNTER.getAcquire(counters, TAIL) < 0;
    }
}
