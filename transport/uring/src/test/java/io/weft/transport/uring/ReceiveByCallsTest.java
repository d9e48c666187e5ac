package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.uring.ScriptedKernel.Submission;
import io.weft.transport.uring.ScriptedRingTest.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams whose peers fill one buffer of the ring after the other, on a ring whose completions the
/// test writes.
class ReceiveByCallsTest {
    private static final int SIZE = ReceiveBuffers.SIZE;
    private static final int MORE = IoUring.IORING_CQE_F_MORE;
    private static final int NONEMPTY = IoUring.IORING_CQE_F_SOCK_NONEMPTY;
    private static final int LARGE = UringInput.LARGE_RECEIVE_SIZE;
    private static final int BATCH = UringInput.MAX_RECEIVES * LARGE;

    @BeforeAll
    static void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "descriptors of Linux");
        assumeTrue(NativeAccess.refusal() == null, NativeAccess.refusal());
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Has the ring fill buffers of a receive that goes on, and ends it when it is cancelled.
    ///
    /// @return the poll that follows
    static Submission fill(Rig rig) {
        Submission receive = rig.receive();
        for (int i = 0; i < 4; i++) {
            rig.kernel.receive(receive, SIZE, i * SIZE, MORE | NONEMPTY);
        }
        rig.kernel.receive(receive, 1, 4 * SIZE, MORE);
        rig.poll();
        rig.poll();
        assertThat(receive.cancelled).isTrue();
        rig.kernel.complete(receive, -Errno.ECANCELED);
        rig.poll();
        rig.poll();
        rig.kernel.firstWaiting = rig.received;
        rig.batches = 0;
        return rig.kernel.only(IoUring.IORING_OP_POLL_ADD);
    }

    private static void readable(Rig rig, Submission poll, int bytes) {
        rig.kernel.waiting += bytes;
        rig.kernel.complete(poll, Epoll.EPOLLIN);
        rig.poll();
        rig.poll();
    }

    @Test
    void inputIsReceivedInOneBatchOfLargePieces() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            rig.keeps = true;
            readable(rig, poll, 3 * LARGE + 1);
            assertThat(rig.received - before).isEqualTo(3 * LARGE + 1);
            assertThat(rig.kept)
                    .extracting(Buffer::readableBytes)
                    .containsExactly(LARGE, LARGE, LARGE, 1);
            assertThat(rig.kernel.calls).isEqualTo(4);
            assertThat(rig.batches).isOne();
            assertThat(rig.engine.buffers.home()).isEqualTo(ReceiveBuffers.COUNT);
            assertThat(rig.kernel.only(IoUring.IORING_OP_POLL_ADD)).isNotSameAs(poll);
        }
    }

    @Test
    void batchOfHalfAMebibyteIsFollowedByAPoll() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            readable(rig, poll, BATCH + SIZE);
            assertThat(rig.received - before).isEqualTo(BATCH);
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), 0);
            assertThat(rig.received - before).isEqualTo(BATCH + SIZE);
            assertThat(rig.batches).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SIZE - 1})
    void batchBelowABufferOfTheRingReturnsToReceivesThatGoOn(int bytes) {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            readable(rig, poll, bytes);
            assertThat(rig.received - before).isEqualTo(bytes);
            assertThat(rig.kernel.only(IoUring.IORING_OP_RECV).multishot).isTrue();
        }
    }

    @Test
    void fewFullBuffersChangeNothing() {
        try (Rig rig = new Rig(64)) {
            Submission receive = rig.receive();
            for (int i = 0; i < 3; i++) {
                rig.kernel.receive(receive, SIZE, i * SIZE, MORE | NONEMPTY);
            }
            rig.kernel.receive(receive, SIZE, 3 * SIZE, 0);
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.only(IoUring.IORING_OP_RECV).multishot).isTrue();
        }
    }

    @Test
    void peerThatSendsFasterThanIsTakenIsReceivedFromByCalls() {
        try (Rig rig = new Rig(64)) {
            Submission receive = rig.receive();
            rig.stream.pause();
            rig.kernel.receive(receive, SIZE, 0, MORE | NONEMPTY);
            rig.poll();
            rig.kernel.complete(receive, -Errno.ECANCELED);
            rig.poll();
            rig.stream.receive();
            rig.poll();
            rig.poll();
            Submission one = rig.kernel.only(IoUring.IORING_OP_RECV);
            assertThat(one.multishot).isFalse();
            rig.kernel.receive(one, SIZE, SIZE, NONEMPTY);
            rig.poll();
            rig.poll();
            rig.kernel.firstWaiting = rig.received;
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), LARGE);
            assertThat(rig.received).isEqualTo(2 * SIZE + LARGE);
        }
    }

    /// Pauses after the first piece.
    @Test
    void pausedStreamLeavesTheRestInTheSocket() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            rig.pausesAfter = 1;
            readable(rig, poll, 2 * LARGE);
            assertThat(rig.received - before).isEqualTo(LARGE);
            assertThat(rig.batches).isOne();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .containsOnly(IoUring.IORING_OP_READ);
            rig.stream.receive();
            rig.poll();
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), 0);
            assertThat(rig.received - before).isEqualTo(2 * LARGE);
        }
    }

    @Test
    void inputThatComesDuringAPauseStaysInTheSocket() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            rig.stream.pause();
            readable(rig, poll, LARGE);
            assertThat(rig.received - before).isZero();
            assertThat(rig.kernel.calls).isZero();
            rig.stream.receive();
            rig.poll();
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), 0);
            assertThat(rig.received - before).isEqualTo(LARGE);
        }
    }

    @Test
    void handlerThatPausesAndReceivesGetsTheRestInOrder() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            rig.pausesAfter = 1;
            rig.receivesAgain = true;
            readable(rig, poll, LARGE + 10);
            assertThat(rig.received - before).isEqualTo(LARGE + 10);
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), 10);
            assertThat(rig.received - before).isEqualTo(LARGE + 20);
            assertThat(rig.kernel.only(IoUring.IORING_OP_RECV).multishot).isTrue();
        }
    }

    @Test
    void endOfInputIsToldBehindTheBytes() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            rig.kernel.otherwise = 0;
            int before = rig.received;
            readable(rig, poll, LARGE);
            assertThat(rig.received - before).isEqualTo(LARGE);
            assertThat(rig.batches).isOne();
            assertThat(rig.ends).isOne();
        }
    }

    @Test
    void endBehindABatchThatPausedIsToldWhenReceivingAgain() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            rig.kernel.otherwise = 0;
            rig.pausesAtComplete = true;
            readable(rig, poll, LARGE);
            assertThat(rig.ends).isZero();
            rig.pausesAtComplete = false;
            rig.stream.receive();
            rig.poll();
            assertThat(rig.ends).isOne();
        }
    }

    @Test
    void endBehindABatchThatPausedAndReceivesAgainIsToldOnce() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            rig.kernel.otherwise = 0;
            rig.pausesAtComplete = true;
            rig.receivesAgain = true;
            readable(rig, poll, LARGE);
            assertThat(rig.ends).isOne();
            Submission errors = rig.kernel.only(IoUring.IORING_OP_POLL_ADD);
            rig.stream.close(false);
            rig.poll();
            assertThat(errors.cancelled).isTrue();
        }
    }

    @Test
    void errorEndsTheStreamBehindTheBytes() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            rig.kernel.otherwise = -Errno.ECONNRESET;
            int before = rig.received;
            readable(rig, poll, LARGE);
            assertThat(rig.received - before).isEqualTo(LARGE);
            assertThat(rig.closes).isOne();
        }
    }

    @Test
    void streamClosedByItsHandlerReceivesNothingMore() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            rig.closesAfter = 1;
            readable(rig, poll, 2 * LARGE);
            assertThat(rig.received - before).isEqualTo(LARGE);
            assertThat(rig.kernel.calls).isOne();
            assertThat(rig.closes).isOne();
        }
    }

    @Test
    void closeCancelsThePoll() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            rig.stream.close(false);
            rig.poll();
            assertThat(poll.cancelled).isTrue();
            assertThat(rig.closes).isZero();
            rig.kernel.complete(poll, -Errno.ECANCELED);
            rig.poll();
            assertThat(rig.closes).isOne();
        }
    }

    @Test
    void withoutMemoryBuffersOfTheRingAreUsedOneByOne() {
        try (Rig rig = new Rig(64)) {
            Submission poll = fill(rig);
            int before = rig.received;
            AllocationTap.set(
                    capacity -> {
                        throw AllocationTap.refusal(capacity);
                    });
            readable(rig, poll, LARGE);
            AllocationTap.set(null);
            assertThat(rig.kernel.calls).isZero();
            assertThat(rig.closes).isZero();
            Submission one = rig.kernel.only(IoUring.IORING_OP_RECV);
            assertThat(one.multishot).isFalse();
            rig.kernel.waiting = 0;
            rig.kernel.receive(one, SIZE, before, NONEMPTY);
            rig.poll();
            rig.poll();
            assertThat(rig.received - before).isEqualTo(SIZE);
            rig.kernel.only(IoUring.IORING_OP_POLL_ADD);
        }
    }

    /// The receive is over, and the stream receives again, before what came in the pause was handed
    /// up.
    @Test
    void heldInputIsHandedUpAheadOfThatInTheSocket() {
        try (Rig rig = new Rig(64)) {
            Submission receive = rig.receive();
            for (int i = 0; i < 4; i++) {
                rig.kernel.receive(receive, SIZE, i * SIZE, MORE | NONEMPTY);
            }
            rig.poll();
            rig.stream.pause();
            rig.kernel.receive(receive, 1, 4 * SIZE, MORE);
            rig.poll();
            rig.poll();
            rig.kernel.complete(receive, -Errno.ECANCELED);
            rig.pausesAfter = 1;
            rig.stream.receive();
            rig.poll();
            rig.poll();
            rig.stream.receive();
            rig.kernel.firstWaiting = 4 * SIZE + 1;
            rig.poll();
            readable(rig, rig.kernel.only(IoUring.IORING_OP_POLL_ADD), LARGE);
            assertThat(rig.received).isEqualTo(4 * SIZE + 1 + LARGE);
        }
    }
}
