package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.uring.BufReg;
import io.weft.ffi.uring.BufRing;
import io.weft.ffi.uring.Cqe;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.RingParams;
import io.weft.ffi.uring.Sqe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A kernel that takes submissions and completes them when, in which order and with what the test
/// wants. Its completion queue is as small as the test wants, and overflows as the real one does:
/// what has no room waits for the next `io_uring_enter`.
final class ScriptedKernel implements RingCalls {
    private static final int HEAD = 0;
    private static final int TAIL = 4;
    private static final int FLAGS = 8;
    private static final int CQ_HEAD = 16;
    private static final int CQ_TAIL = 20;
    private static final int CQES = 64;

    /// A submission that the kernel has taken and not completed for good.
    static final class Submission {
        final int opcode;
        final int file;
        final long address;
        final int length;
        final long userData;

        /// A receive goes on until it is cancelled, or there is no buffer.
        final boolean multishot;

        /// True once a cancellation was asked for.
        boolean cancelled;

        /// Its result is known; what comes last is the notification.
        boolean resulted;

        private Submission(long sqe) {
            opcode = Memory.getByte(sqe + Sqe.OPCODE);
            file = Memory.getInt(sqe + Sqe.FD);
            address = Memory.getLong(sqe + Sqe.ADDR);
            length = Memory.getInt(sqe + Sqe.LEN);
            userData = Memory.getLong(sqe + Sqe.USER_DATA);
            multishot =
                    opcode == IoUring.IORING_OP_RECV
                            && (Memory.getShort(sqe + Sqe.IOPRIO) & IoUring.IORING_RECV_MULTISHOT)
                                    != 0;
        }
    }

    private record Completion(long userData, int result, int flags) {}

    /// In the order in which they were submitted.
    final List<Submission> pending = new ArrayList<>();

    /// Submissions that cancel others.
    final List<Submission> cancels = new ArrayList<>();

    /// Number of submissions that it takes before it answers [#refusal].
    int takes = Integer.MAX_VALUE;

    int refusal = Errno.EBUSY;

    /// Calls of `io_uring_enter`.
    int entered;

    /// Bytes of the socket that receives by calls bring, those that count on from [#firstWaiting].
    int waiting;

    int firstWaiting;

    /// Result of a receive by a call when no bytes wait.
    int otherwise = -Errno.EAGAIN;

    /// Receives by calls.
    int calls;

    /// The connection was reset, or has ended in both directions.
    boolean over;

    private final int cqEntries;
    private final Queue<Completion> overflow = new ArrayDeque<>();
    private int sqEntries;
    private long rings;
    private long sqes;
    private long bufferRing;
    private int bufferHead;

    /// @param cqEntries a power of two
    ScriptedKernel(int cqEntries) {
        this.cqEntries = cqEntries;
    }

    // ---- what the ring calls ----

    @Override
    public int setup(int entries, long params) {
        sqEntries = entries;
        Memory.putInt(params + RingParams.SQ_ENTRIES, entries);
        Memory.putInt(params + RingParams.CQ_ENTRIES, cqEntries);
        Memory.putInt(params + RingParams.FEATURES, -1);
        Memory.putInt(params + RingParams.SQ_OFF_HEAD, HEAD);
        Memory.putInt(params + RingParams.SQ_OFF_TAIL, TAIL);
        Memory.putInt(params + RingParams.SQ_OFF_FLAGS, FLAGS);
        Memory.putInt(params + RingParams.CQ_OFF_HEAD, CQ_HEAD);
        Memory.putInt(params + RingParams.CQ_OFF_TAIL, CQ_TAIL);
        Memory.putInt(params + RingParams.CQ_OFF_CQES, CQES);
        return Libc.eventfd(0, Libc.EFD_CLOEXEC); // a descriptor that can be closed
    }

    @Override
    public long map(int ring, long length, long what) {
        long address = Memory.allocate(length, 64);
        Memory.fill(address, length, (byte) 0);
        if (what == IoUring.IORING_OFF_SQES) {
            sqes = address;
        } else {
            rings = address;
        }
        return address;
    }

    @Override
    public void unmap(long address, long length) {
        Memory.free(address, length);
    }

    @Override
    public int register(int ring, int opcode, long argument, int count) {
        if (opcode == IoUring.IORING_REGISTER_PBUF_RING) {
            bufferRing = Memory.getLong(argument + BufReg.RING_ADDR);
        }
        return 0;
    }

    @Override
    public int enter(
            int ring,
            int submissions,
            int minComplete,
            int flags,
            long argument,
            long argumentSize) {
        entered++;
        int taken = Math.min(submissions, takes);
        int head = Memory.getInt(rings + HEAD);
        for (int i = 0; i < taken; i++, head++) {
            take(new Submission(sqes + (long) (head & (sqEntries - 1)) * Sqe.SIZE));
        }
        Memory.putIntRelease(rings + HEAD, head);
        while (!overflow.isEmpty() && hasRoom()) {
            put(overflow.remove());
        }
        if (overflow.isEmpty()) {
            Memory.putInt(rings + FLAGS, 0);
        }
        if (taken < submissions) {
            return -refusal;
        }
        return minComplete > 0 && isEmpty() ? -Errno.ETIME : taken;
    }

    @Override
    public boolean isOver(int file) {
        return over;
    }

    @Override
    public int receive(int file, long address, int length) {
        calls++;
        if (waiting == 0) {
            return otherwise;
        }
        int received = Math.min(waiting, length);
        for (int i = 0; i < received; i++) {
            Memory.putByte(address + i, (byte) (firstWaiting + i));
        }
        waiting -= received;
        firstWaiting += received;
        return received;
    }

    private void take(Submission submission) {
        switch (submission.opcode) {
            case IoUring.IORING_OP_CLOSE -> Libc.close(submission.file);
            case IoUring.IORING_OP_ASYNC_CANCEL -> {
                cancels.add(submission);
                for (Submission p : pending) {
                    p.cancelled |=
                            submission.file >= 0
                                    ? p.file == submission.file
                                    : p.userData == submission.address;
                }
            }
            default -> pending.add(submission);
        }
    }

    // ---- what the test says ----

    /// The only pending submission of this kind.
    Submission only(int opcode) {
        List<Submission> found = pending.stream().filter(p -> p.opcode == opcode).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /// The last completion of `submission`.
    void complete(Submission submission, int result) {
        assertThat(pending.remove(submission)).isTrue();
        int flags = submission.resulted ? IoUring.IORING_CQE_F_NOTIF : 0;
        add(new Completion(submission.userData, submission.resulted ? 0 : result, flags));
    }

    /// The completion of an accept that goes on, with a descriptor that can be closed.
    void accept(Submission accept, boolean moreAreWaiting) {
        int more = moreAreWaiting ? IoUring.IORING_CQE_F_SOCK_NONEMPTY : 0;
        int connection = Libc.eventfd(0, Libc.EFD_CLOEXEC);
        add(new Completion(accept.userData, connection, IoUring.IORING_CQE_F_MORE | more));
    }

    /// The result of a send that is not copied; its notification follows.
    void result(Submission send, int result) {
        assertThat(send.resulted).isFalse();
        send.resulted = true;
        add(new Completion(send.userData, result, IoUring.IORING_CQE_F_MORE));
    }

    /// The kernel reads the buffer of `send` no more.
    void notify(Submission send, boolean copied) {
        assertThat(send.resulted).isTrue();
        assertThat(pending.remove(send)).isTrue();
        int usage = copied ? IoUring.IORING_NOTIF_USAGE_ZC_COPIED : 0;
        add(new Completion(send.userData, usage, IoUring.IORING_CQE_F_NOTIF));
    }

    /// A completion of a receive into the next provided buffer, filled with bytes that count on
    /// from `first`.
    ///
    /// @param more whether the receive goes on
    /// @return false when there is no buffer: the receive ended with ENOBUFS instead
    boolean receive(Submission receive, int length, int first, boolean more) {
        return receive(receive, length, first, more ? IoUring.IORING_CQE_F_MORE : 0);
    }

    /// As above.
    ///
    /// @param flags of the completion, beside those of its buffer
    boolean receive(Submission receive, int length, int first, int flags) {
        int tail = Memory.getShort(bufferRing + BufRing.TAIL);
        if ((short) bufferHead == (short) tail) {
            complete(receive, -Errno.ENOBUFS);
            return false;
        }
        long buffer =
                bufferRing + (long) (bufferHead++ & (ReceiveBuffers.COUNT - 1)) * BufRing.SIZE;
        long address = Memory.getLong(buffer + BufRing.ADDR);
        assertThat(length).isLessThanOrEqualTo(Memory.getInt(buffer + BufRing.LEN));
        for (int i = 0; i < length; i++) {
            Memory.putByte(address + i, (byte) (first + i));
        }
        int id = Memory.getShort(buffer + BufRing.BID);
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            assertThat(pending.remove(receive)).isTrue();
        }
        add(
                new Completion(
                        receive.userData,
                        length,
                        id << IoUring.IORING_CQE_BUFFER_SHIFT
                                | IoUring.IORING_CQE_F_BUFFER
                                | flags));
        return true;
    }

    private void add(Completion completion) {
        if (overflow.isEmpty() && hasRoom()) {
            put(completion);
        } else {
            overflow.add(completion);
            Memory.putInt(rings + FLAGS, IoUring.IORING_SQ_CQ_OVERFLOW);
        }
    }

    private boolean isEmpty() {
        return Memory.getInt(rings + CQ_TAIL) == Memory.getInt(rings + CQ_HEAD);
    }

    private boolean hasRoom() {
        return Memory.getInt(rings + CQ_TAIL) - Memory.getInt(rings + CQ_HEAD) < cqEntries;
    }

    private void put(Completion completion) {
        int tail = Memory.getInt(rings + CQ_TAIL);
        long cqe = rings + CQES + (long) (tail & (cqEntries - 1)) * Cqe.SIZE;
        Memory.putLong(cqe + Cqe.USER_DATA, completion.userData);
        Memory.putInt(cqe + Cqe.RES, completion.result);
        Memory.putInt(cqe + Cqe.FLAGS, completion.flags);
        Memory.putIntRelease(rings + CQ_TAIL, tail + 1);
    }

    /// One of what is pending, but for the read that waits for a wake-up.
    @Nullable Submission any(RandomGenerator random) {
        List<Submission> found =
                pending.stream().filter(p -> p.opcode != IoUring.IORING_OP_READ).toList();
        return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
    }
}
