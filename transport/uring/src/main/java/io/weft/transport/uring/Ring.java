package io.weft.transport.uring;

import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Errno;
import io.weft.ffi.KernelTimespec;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.uring.Cqe;
import io.weft.ffi.uring.GetEventsArg;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.RingParams;
import io.weft.ffi.uring.Sqe;

/// The submission and completion rings that a process shares with the kernel (`io_uring(7)`).
///
/// Made disabled on any thread; [#enable] makes the calling thread its single issuer, which the
/// kernel enforces. Completions are run by the kernel only when that thread asks for them
/// (DEFER_TASKRUN): no interrupts of the loop.
final class Ring {
    private static final int MIN_CQ_ENTRIES = 2;
    private static final int MAX_CQ_ENTRIES = 65_536; // IORING_MAX_CQ_ENTRIES
    private static final int CQ_ENTRIES = Integer.getInteger("io.weft.uring.cqEntries", 4096);

    /// The kernel wants at least as many completions to fit as submissions.
    private static final int ENTRIES = Math.min(512, CQ_ENTRIES);

    private static final int BASE_FLAGS =
            IoUring.IORING_SETUP_R_DISABLED
                    | IoUring.IORING_SETUP_SINGLE_ISSUER
                    | IoUring.IORING_SETUP_DEFER_TASKRUN
                    | IoUring.IORING_SETUP_TASKRUN_FLAG
                    | IoUring.IORING_SETUP_SUBMIT_ALL
                    | IoUring.IORING_SETUP_CLAMP
                    | IoUring.IORING_SETUP_CQSIZE;
    private static final int NEEDED =
            IoUring.IORING_FEAT_SINGLE_MMAP
                    | IoUring.IORING_FEAT_NODROP
                    | IoUring.IORING_FEAT_SUBMIT_STABLE
                    | IoUring.IORING_FEAT_EXT_ARG
                    | IoUring.IORING_FEAT_CQE_SKIP;

    private final RingCalls kernel;
    private final int fd;
    private final long rings;
    private final long ringsLength;
    private final long sqes;
    private final long sqesLength;
    private final long sqHeadAddress;
    private final long sqTailAddress;
    private final long sqFlagsAddress;
    private final int sqEntries;
    private final int sqMask;
    private final long cqHeadAddress;
    private final long cqTailAddress;
    private final int cqMask;
    private final long cqes;

    /// The argument of a wait with a timeout: getevents_arg, then its timespec.
    private final long waitArgument = Memory.allocate(GetEventsArg.SIZE + KernelTimespec.SIZE, 8);

    private int sqTail;
    private int sqSubmitted;
    private int cqHead;
    private int cqSeen;

    Ring(RingCalls kernel) throws EngineUnavailableException {
        this.kernel = kernel;
        if (CQ_ENTRIES < MIN_CQ_ENTRIES || CQ_ENTRIES > MAX_CQ_ENTRIES) {
            throw new EngineUnavailableException(
                    "io.weft.uring.cqEntries: "
                            + CQ_ENTRIES
                            + " (expected: "
                            + MIN_CQ_ENTRIES
                            + " to "
                            + MAX_CQ_ENTRIES
                            + ")");
        }
        // Written now also to load their classes, for which there may be no descriptor at the first
        // timeout.
        KernelTimespec.put(waitArgument + GetEventsArg.SIZE, 0);
        GetEventsArg.put(waitArgument, waitArgument + GetEventsArg.SIZE);
        long params = Memory.allocate(RingParams.SIZE, 8);
        try {
            boolean indexed = false;
            int made = setup(params, BASE_FLAGS | IoUring.IORING_SETUP_NO_SQARRAY);
            if (made == -Errno.EINVAL) { // before 6.6
                indexed = true;
                made = setup(params, BASE_FLAGS);
            }
            if (made < 0) {
                throw new EngineUnavailableException(
                        "io_uring_setup: "
                                + Errno.describe(-made)
                                + switch (-made) {
                                    case Errno.EINVAL -> " (expected: kernel 6.1 or newer)";
                                    case Errno.ENOMEM ->
                                            " (expected: room in the limit of locked memory, ulimit -l)";
                                    default -> "";
                                });
            }
            fd = made;
            int features = Memory.getInt(params + RingParams.FEATURES);
            if ((features & NEEDED) != NEEDED) {
                Libc.close(fd);
                throw new EngineUnavailableException(
                        "features: "
                                + Integer.toHexString(features)
                                + " (expected: all of "
                                + Integer.toHexString(NEEDED)
                                + ")");
            }
            sqEntries = Memory.getInt(params + RingParams.SQ_ENTRIES);
            int cqEntries = Memory.getInt(params + RingParams.CQ_ENTRIES);
            long cqesOffset = offset(params, RingParams.CQ_OFF_CQES);
            long arrayOffset = offset(params, RingParams.SQ_OFF_ARRAY);
            ringsLength =
                    Math.max(
                            cqesOffset + (long) cqEntries * Cqe.SIZE,
                            indexed ? arrayOffset + sqEntries * 4L : 0);
            sqesLength = (long) sqEntries * Sqe.SIZE;
            rings = map(ringsLength, IoUring.IORING_OFF_SQ_RING);
            sqes = map(sqesLength, IoUring.IORING_OFF_SQES);
            sqHeadAddress = rings + offset(params, RingParams.SQ_OFF_HEAD);
            sqTailAddress = rings + offset(params, RingParams.SQ_OFF_TAIL);
            sqFlagsAddress = rings + offset(params, RingParams.SQ_OFF_FLAGS);
            sqMask = sqEntries - 1;
            cqHeadAddress = rings + offset(params, RingParams.CQ_OFF_HEAD);
            cqTailAddress = rings + offset(params, RingParams.CQ_OFF_TAIL);
            cqMask = cqEntries - 1;
            cqes = rings + cqesOffset;
            if (indexed) {
                for (int i = 0; i < sqEntries; i++) {
                    Memory.putInt(rings + arrayOffset + i * 4L, i);
                }
            }
        } finally {
            Memory.free(params, RingParams.SIZE);
        }
    }

    private int setup(long params, int flags) {
        Memory.fill(params, RingParams.SIZE, (byte) 0);
        Memory.putInt(params + RingParams.FLAGS, flags);
        Memory.putInt(params + RingParams.CQ_ENTRIES, CQ_ENTRIES);
        return kernel.setup(ENTRIES, params);
    }

    private static long offset(long params, int member) {
        return Integer.toUnsignedLong(Memory.getInt(params + member));
    }

    private long map(long length, long what) throws EngineUnavailableException {
        long address = kernel.map(fd, length, what);
        if (address < 0 && address > -4096) {
            Libc.close(fd);
            throw new EngineUnavailableException(
                    "mmap of the ring: " + Errno.describe((int) -address));
        }
        return address;
    }

    /// Makes the calling thread the ring's issuer.
    void enable() {
        int result = register(IoUring.IORING_REGISTER_ENABLE_RINGS, 0, 0);
        if (result < 0) {
            throw new IllegalStateException("io_uring enable: " + Errno.describe(-result));
        }
    }

    /// On the issuer's thread.
    int register(int opcode, long argument, int count) {
        return kernel.register(fd, opcode, argument, count);
    }

    // ---- submission ----

    /// Queues a submission and returns its address, for flags to be added; the kernel sees it with
    /// the next [#enter].
    long submit(int opcode, int file, long off, long addr, int len, int opFlags, long userData) {
        if (sqTail - Memory.getIntAcquire(sqHeadAddress) == sqEntries) {
            enter(0, 0);
            if (sqTail == sqSubmitted + sqEntries) {
                throw new IllegalStateException(
                        "submission queue: full (expected: taken by the kernel)");
            }
        }
        long sqe = sqes + (long) (sqTail & sqMask) * Sqe.SIZE;
        Sqe.put(sqe, opcode, file, off, addr, len, opFlags, userData);
        sqTail++;
        return sqe;
    }

    /// Has the kernel end the operation that was submitted with `userData`.
    void cancel(long userData) {
        submit(IoUring.IORING_OP_ASYNC_CANCEL, -1, 0, userData, 0, 0, Operation.IGNORED);
    }

    /// Gives the kernel what was queued, and takes completions from it; waits for one at most
    /// `timeoutNanos` when there is none. Spares the call when there is nothing to give and nothing
    /// to take.
    void poll(long timeoutNanos) {
        release();
        boolean ready = Memory.getIntAcquire(cqTailAddress) != cqHead;
        if (timeoutNanos != 0 && !ready) {
            enter(1, timeoutNanos);
        } else if (sqTail != sqSubmitted || kernelHasMore()) {
            enter(0, 0);
        }
    }

    private boolean kernelHasMore() {
        int more = IoUring.IORING_SQ_TASKRUN | IoUring.IORING_SQ_CQ_OVERFLOW;
        return (Memory.getIntVolatile(sqFlagsAddress) & more) != 0;
    }

    private void enter(int minComplete, long timeoutNanos) {
        Memory.putIntRelease(sqTailAddress, sqTail);
        int flags = IoUring.IORING_ENTER_GETEVENTS;
        long argument = 0;
        long argumentSize = 0;
        if (minComplete > 0 && timeoutNanos != Long.MAX_VALUE) {
            KernelTimespec.put(waitArgument + GetEventsArg.SIZE, timeoutNanos);
            flags |= IoUring.IORING_ENTER_EXT_ARG;
            argument = waitArgument;
            argumentSize = GetEventsArg.SIZE;
        }
        int result =
                kernel.enter(fd, sqTail - sqSubmitted, minComplete, flags, argument, argumentSize);
        // What the kernel took it has taken even when the wait was cut short, so its head tells and
        // not the result.
        sqSubmitted = Memory.getIntAcquire(sqHeadAddress);
        if (result < 0
                && result != -Errno.ETIME
                && result != -Errno.EINTR
                && result != -Errno.EBUSY
                && result != -Errno.EAGAIN) {
            throw new IllegalStateException("io_uring_enter: " + Errno.describe(-result));
        }
    }

    // ---- completion ----

    /// Gives the entries that have been read back to the kernel.
    private void release() {
        if (cqHead != cqSeen) {
            cqHead = cqSeen;
            Memory.putIntRelease(cqHeadAddress, cqHead);
        }
    }

    /// The address of the next completion, or 0. It is the kernel's again with the next call.
    long next() {
        release();
        if (Memory.getIntAcquire(cqTailAddress) == cqHead) {
            return 0;
        }
        cqSeen = cqHead + 1;
        return cqes + (long) (cqHead & cqMask) * Cqe.SIZE;
    }

    /// Returns the number of completions that wait.
    int ready() {
        return Memory.getIntAcquire(cqTailAddress) - cqSeen;
    }

    void close() {
        kernel.unmap(sqes, sqesLength);
        kernel.unmap(rings, ringsLength);
        Libc.close(fd);
        Memory.free(waitArgument, GetEventsArg.SIZE + KernelTimespec.SIZE);
    }
}
