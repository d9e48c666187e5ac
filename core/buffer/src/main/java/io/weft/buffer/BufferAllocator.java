package io.weft.buffer;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Where buffers come from.
///
/// Threads that called [#attachThread], as event loops do, allocate from blocks of their own without a lock, and get
/// back what other threads release. Other threads' buffers are reserved singly. A hard cap, `io.weft.memory.max`,
/// stands behind both; at it, [#allocate] throws [MemoryLimitException] and nothing else changes.
public final class BufferAllocator {
    /// The largest buffer there is: 1 GiB.
    public static final int MAX_CAPACITY = 1 << 30;

    private static final BufferAllocator POOLED = new BufferAllocator();
    private static final Block.Home SYSTEM =
            block -> MemoryBudget.release(block.address, block.size);

    private static final ThreadLocal<@Nullable Pool> POOLS = new ThreadLocal<>();
    private final ConcurrentLinkedQueue<Pool> withoutOwner = new ConcurrentLinkedQueue<>();

    private BufferAllocator() {}

    public static BufferAllocator pooled() {
        return POOLED;
    }

    /// A buffer of `capacity` bytes with nothing readable; their content is undefined. The caller owns it.
    ///
    /// @throws IllegalArgumentException unless 0 <= capacity <= [#MAX_CAPACITY]
    /// @throws MemoryLimitException when the cap is reached
    public Buffer allocate(int capacity) {
        return allocate(capacity, MAX_CAPACITY);
    }

    /// As [#allocate(int)], but writing to the buffer makes it grow to `maxCapacity` bytes at most.
    ///
    /// @throws IllegalArgumentException unless 0 <= capacity <= maxCapacity <= [#MAX_CAPACITY]
    /// @throws MemoryLimitException when the cap is reached
    public Buffer allocate(int capacity, int maxCapacity) {
        if (maxCapacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "maxCapacity: " + maxCapacity + " (expected: at most " + MAX_CAPACITY + ")");
        }
        if (capacity < 0 || capacity > maxCapacity) {
            throw new IllegalArgumentException(
                    "capacity: " + capacity + " (expected: 0 to " + maxCapacity + ")");
        }
        Block block = block(capacity);
        return new Buffer(block, block.address, capacity, maxCapacity);
    }

    Block block(int capacity) {
        if (Ledger.isOn()) {
            Tapped.tell(capacity);
        }
        if (capacity <= Pool.CHUNK) {
            Pool pool = POOLS.get();
            if (pool != null) {
                return pool.take(Pool.sizeClass(capacity));
            }
        }
        int size = Math.max(capacity, 1 << Pool.MIN_SHIFT);
        return new Block(MemoryBudget.reserve(size), size, SYSTEM, 0);
    }

    /// Gives the current thread blocks of its own until [#detachThread]. Attaching twice changes nothing.
    public void attachThread() {
        if (POOLS.get() == null) {
            Pool pool = withoutOwner.poll();
            if (pool == null) {
                pool = new Pool();
            }
            pool.owner = Thread.currentThread();
            pool.bias.enter();
            POOLS.set(pool);
        }
    }

    /// Hands the current thread's blocks to the next thread that attaches; its open buffers stay valid.
    public void detachThread() {
        Pool pool = POOLS.get();
        if (pool != null) {
            pool.bias.leave();
            pool.owner = null;
            POOLS.remove();
            withoutOwner.add(pool);
        }
    }

    /// Finishes the releases that other threads left to the current one; event loops call it between their rounds.
    public void settle() {
        bias().settle();
    }

    Bias bias() {
        Pool pool = POOLS.get();
        return pool == null ? Bias.NONE : pool.bias;
    }

    /// Bytes reserved from the system now, for open buffers and for free blocks.
    public long reservedBytes() {
        return MemoryBudget.reserved();
    }

    /// The hard cap on [#reservedBytes].
    public long limitBytes() {
        return MemoryBudget.LIMIT;
    }
}
