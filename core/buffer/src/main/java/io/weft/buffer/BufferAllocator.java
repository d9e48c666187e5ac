package io.weft.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The source of buffers.
///
/// Threads that called [#attachThread], as event loops do, allocate from blocks of their own
/// without a lock, and get back what other threads release. Other threads, virtual ones included,
/// share a few pools, without waiting for each other. Buffers above 256 KiB are reserved singly. A
/// hard cap, `io.weft.memory.max`, stands behind all of them; at it, [#allocate] throws
/// [MemoryLimitException] and nothing else changes.
///
/// Memory that is free goes back to the system when it was not needed for [#TRIM_INTERVAL_NANOS]
/// twice: loops see to that through [#idle]. Programs without loops may call [#trim].
public final class BufferAllocator {
    /// The largest buffer there is: 1 GiB.
    public static final int MAX_CAPACITY = 1 << 30;

    /// The interval at which [#idle] gives memory back: 10 s.
    public static final long TRIM_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// The longest time for which an allocation that would fail waits for loops that it has woken:
    /// 10 ms.
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final BufferAllocator POOLED = new BufferAllocator(MemoryBudget.PROCESS);

    private static final BufferAllocator UNPOOLED = POOLED.withoutPools();

    static {
        // Loaded now: when memory runs out, descriptors may have too, and then no class can be
        // loaded.
        var _ = MemoryLimitException.class;
        BufferEvents.prepare();
    }

    @SuppressWarnings("ThreadLocalUsage") // allocators are for good, but in tests
    private final ThreadLocal<@Nullable Pool> pools = new ThreadLocal<>();

    private final ConcurrentLinkedQueue<Pool> withoutOwner = new ConcurrentLinkedQueue<>();
    private final List<Pool> attached = new CopyOnWriteArrayList<>();

    /// Null when every buffer is reserved singly.
    private final @Nullable SharedPools shared;

    /// The allocator that gives memory back before an allocation fails: the one with pools.
    private final BufferAllocator trimmer;

    private final LargeBlocks large;
    private final MemoryBudget budget;

    /// Counts requests that all threads give memory back.
    private final AtomicInteger pressure = new AtomicInteger();

    private final AtomicLong lastSharedTrim = new AtomicLong();
    private final long patienceNanos;

    BufferAllocator(MemoryBudget budget) {
        this(budget, PATIENCE_NANOS);
    }

    BufferAllocator(MemoryBudget budget, long patienceNanos) {
        this.budget = budget;
        this.patienceNanos = patienceNanos;
        trimmer = this;
        shared =
                new SharedPools(
                        this,
                        budget,
                        SharedPools.countFor(Runtime.getRuntime().availableProcessors()));
        large = new LargeBlocks(this, budget, Math.min(32 << 20, budget.limit() / 8));
    }

    /// Without pools, under the same cap as `pooled`.
    private BufferAllocator(BufferAllocator pooled) {
        budget = pooled.budget;
        patienceNanos = pooled.patienceNanos;
        trimmer = pooled;
        shared = null;
        large = new LargeBlocks(this, budget, 0);
    }

    /// An allocator without pools beside this one.
    BufferAllocator withoutPools() {
        return new BufferAllocator(this);
    }

    /// The allocator to use.
    public static BufferAllocator pooled() {
        return POOLED;
    }

    /// An allocator that reserves whole pages for each buffer and gives them back at its release,
    /// under the same cap: slow and wasteful for small buffers, and none of them ever has another's
    /// bytes in it where memory can be given back.
    public static BufferAllocator unpooled() {
        return UNPOOLED;
    }

    /// The allocator whose block this is; the pooled one for blocks of others, such as engines.
    static BufferAllocator of(Block block) {
        return switch (block.home()) {
            case Slab slab when slab.pool != null -> slab.pool.allocator;
            case LargeBlocks blocks -> blocks.allocator;
            default -> POOLED;
        };
    }

    /// A buffer of `capacity` bytes with nothing readable; their content is undefined. The caller
    /// owns it. Writing more to it makes it grow, to [#MAX_CAPACITY] at most; `allocate(n, n)` has
    /// one that does not.
    ///
    /// @throws IllegalArgumentException unless 0 <= capacity <= [#MAX_CAPACITY]
    /// @throws MemoryLimitException when the cap is reached
    public Buffer allocate(int capacity) {
        return allocate(capacity, MAX_CAPACITY);
    }

    /// As [#allocate(int)], but the buffer grows to `maxCapacity` bytes at most.
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
        Pool pool = pools.get();
        if (pool != null && capacity <= SizeClasses.MAX_SIZE) {
            return pool.take(SizeClasses.of(capacity));
        }
        return blockElsewhere(capacity);
    }

    private Block blockElsewhere(int capacity) {
        if (shared != null && capacity <= SizeClasses.MAX_SIZE) {
            Block block = shared.take(SizeClasses.of(capacity));
            if (block != null) {
                return block;
            }
        }
        return large.take(capacity);
    }

    // ---- threads ----

    /// Gives the current thread blocks of its own until [#detachThread]. If this returns true, the
    /// caller must call that before the thread ends. Attaching twice changes nothing.
    ///
    /// @return false if the thread has blocks of its own already, or this allocator gives none
    public boolean attachThread() {
        return attach(null);
    }

    /// As [#attachThread()], for a thread that sleeps between calls of [#idle].
    ///
    /// @param wakeUp makes the thread call [#idle] soon; called by any thread that finds memory
    ///     used up, as other threads may have released buffers that only their own thread can reuse
    public boolean attachThread(Runnable wakeUp) {
        return attach(Objects.requireNonNull(wakeUp, "wakeUp"));
    }

    private boolean attach(@Nullable Runnable wakeUp) {
        if (shared == null || pools.get() != null) {
            return false;
        }
        Pool pool = withoutOwner.poll();
        if (pool == null) {
            pool = new Pool(this, budget, new Bias());
            attached.add(pool);
        }
        pool.owner = Thread.currentThread();
        pool.bias.enter();
        pool.wakeUp = wakeUp;
        pools.set(pool);
        return true;
    }

    /// Hands the current thread's blocks to the next thread that attaches, and those that are free
    /// to the system; its open buffers stay valid.
    public void detachThread() {
        Pool pool = pools.get();
        if (pool != null) {
            pool.bias.leave();
            pool.wakeUp = null;
            pool.trim(true);
            pool.asked = false;
            pool.owner = null;
            pools.remove();
            withoutOwner.add(pool);
        }
    }

    /// Finishes the releases that other threads left to the current one; event loops call it
    /// between their rounds.
    public void settle() {
        bias().settle();
    }

    Bias bias() {
        Pool pool = pools.get();
        return pool == null ? Bias.NONE : pool.bias;
    }

    // ---- giving memory back ----

    /// Tells that the current thread has a moment: what other threads released is
    /// [settled][#settle], and memory that it does not need may go back to the system. Loops call
    /// this each round; it gives memory back every [#TRIM_INTERVAL_NANOS], or when memory has
    /// become scarce. Leaks that the garbage collector has found are reported.
    ///
    /// @param now nanoseconds, of any clock that is the same for all calls of a thread
    /// @return after how many nanoseconds to call again at the latest; `Long.MAX_VALUE` when there
    ///   is nothing to give back
    public long idle(long now) {
        Pool pool = pools.get();
        if (pool == null) {
            return Long.MAX_VALUE;
        }
        BufferLeaks.check();
        pool.bias.settle();
        pool.answer();
        int requests = pressure.get();
        if (pool.pressureSeen != requests) {
            pool.pressureSeen = requests;
            pool.trim(true);
        }
        long left = pool.nextTrim - now;
        if (left <= 0 || left > TRIM_INTERVAL_NANOS) { // the latter before the first call
            pool.nextTrim = now + TRIM_INTERVAL_NANOS;
            pool.trim(false);
            trimShared(now);
        }
        return budget.reserved() == 0 ? Long.MAX_VALUE : pool.nextTrim - now;
    }

    /// Trims memory that no thread owns, once an interval, on the first thread that comes.
    private void trimShared(long now) {
        long last = lastSharedTrim.get();
        long since = now - last;
        // A negative time is that of another clock.
        if ((since < 0 || since >= TRIM_INTERVAL_NANOS)
                && lastSharedTrim.compareAndSet(last, now)) {
            if (shared != null) {
                shared.trim(false);
            }
            large.age(false);
            trimWithoutOwner(false);
        }
    }

    /// Gives back to the system what is free and within the current thread's reach: its own blocks,
    /// shared ones, those of threads that have detached, large ones. Other attached threads do the
    /// same at their next [#idle].
    ///
    /// @return bytes by which [#reservedBytes] fell at once
    public long trim() {
        if (shared == null) {
            return trimmer.trim();
        }
        Pool own = pools.get();
        pressure.getAndIncrement();
        long bytes = own == null ? 0 : own.trim(true);
        return bytes + shared.trim(true) + large.age(true) + trimWithoutOwner(true);
    }

    private long trimWithoutOwner(boolean all) {
        long bytes = 0;
        for (int n = withoutOwner.size(); n > 0; n--) {
            Pool pool = withoutOwner.poll();
            if (pool == null) {
                break;
            }
            bytes += pool.trim(all);
            withoutOwner.add(pool);
        }
        return bytes;
    }

    /// Called before an allocation fails, by a thread that takes from `taking`, if from any.
    void makeRoom(@Nullable Pool taking) {
        BufferLeaks.check();
        if (taking != null) {
            taking.trim(true); // a shared pool would be found busy
        }
        trim();
        trimmer.askOthers();
    }

    /// Wakes the loops of other pools, where buffers that their threads alone can take back may
    /// have been released long ago, and waits for them a moment. If a loop was asked before and has
    /// not come to answer, it is busy and is not waited for again. Two loops may wait for each
    /// other, so this one answers meanwhile.
    private void askOthers() {
        Pool own = pools.get();
        List<Pool> asked = new ArrayList<>();
        for (Pool pool : attached) {
            if (pool != own && pool.ask()) {
                asked.add(pool);
            }
        }
        long start = System.nanoTime();
        for (Pool pool : asked) {
            while (pool.asked && System.nanoTime() - start < patienceNanos) {
                if (own != null) {
                    own.answer();
                }
                LockSupport.parkNanos(this, 20_000);
            }
        }
    }

    // ---- figures ----

    /// Returns the sizes of open and of free memory in all pools. Takes time in proportion to the
    /// memory reserved, from any thread, and costs the allocating threads nothing.
    public AllocatorMetrics metrics() {
        Census census = new Census();
        attached.forEach(census::add);
        if (shared != null) {
            for (Pool pool : shared.pools()) {
                census.add(pool);
            }
        }
        return census.metrics(large, budget);
    }

    /// Bytes reserved from the system now, for open buffers and for free blocks.
    public long reservedBytes() {
        return budget.reserved();
    }

    /// The hard cap on [#reservedBytes].
    public long limitBytes() {
        return budget.limit();
    }
}
