package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.Gather;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.NativeAccess;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.posix.Reception;
import io.weft.transport.uring.ScriptedKernel.Submission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine on a ring whose completions the test writes: orders and results that a real kernel
/// shows once in a month.
class ScriptedRingTest {
    private final long seed = Long.getLong("io.weft.test.seed", 1);

    @BeforeAll
    static void onLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "descriptors of Linux");
        assumeTrue(NativeAccess.refusal() == null, NativeAccess.refusal());
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// A stream on a kernel of its own, and what it was told.
    static final class Rig implements StreamEvents, AutoCloseable {
        final ScriptedKernel kernel;
        final UringEngine engine;
        final UringStream stream;
        final Queue<Buffer> kept = new ArrayDeque<>();

        /// Bytes that came, each of which is one more than that before it.
        int received;

        int batches;
        int sent;
        int ends;
        int closes;
        boolean sending;
        boolean keeps;
        boolean closesAtEnd;

        /// Pieces after which it pauses, and those after which it closes; 0: never.
        int pausesAfter;

        int closesAfter;

        /// Receives at once when it has paused.
        boolean receivesAgain;

        boolean pausesAtComplete;

        /// Runs within the failure, before the close.
        Consumer<IOException> atFailure = _ -> {};

        Rig(int cqEntries) {
            this(cqEntries, 0);
        }

        /// Nanoseconds.
        long now;

        Rig(int cqEntries, int zeroCopyFrom) {
            kernel = new ScriptedKernel(cqEntries);
            try {
                engine = new UringEngine(kernel, zeroCopyFrom, () -> now);
            } catch (EngineUnavailableException e) {
                throw new AssertionError(e);
            }
            engine.start();
            stream = stream(this);
        }

        UringStream stream(StreamEvents events) {
            return stream(Reception.BYTES, events);
        }

        UringStream stream(Reception reception, StreamEvents events) {
            int fd = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0);
            assertThat(fd).isNotNegative();
            return new UringStream(engine, fd, reception, events);
        }

        void poll() {
            engine.poll(0);
        }

        /// Arms the receive.
        Submission receive() {
            stream.receive();
            poll();
            return kernel.only(IoUring.IORING_OP_RECV);
        }

        void send(int length) {
            sending = true;
            Buffer bytes = BufferAllocator.pooled().allocate(length).writeOffset(length);
            kept.add(bytes);
            stream.send(
                    new Gather() {
                        @Override
                        public int count() {
                            return 1;
                        }

                        @Override
                        public Buffer buffer(int index) {
                            return bytes;
                        }
                    });
        }

        private void alive() {
            assertThat(closes).as("told after it was closed").isZero();
        }

        @Override
        public void connected() {
            throw new AssertionError("connected (expected: never asked for)");
        }

        @Override
        public void received(Buffer bytes) {
            alive();
            for (int i = 0; i < bytes.readableBytes(); i++) {
                assertThat(bytes.getByte(i)).isEqualTo((byte) received++);
            }
            if (keeps) {
                kept.add(bytes);
            } else {
                bytes.release();
            }
            if (pausesAfter > 0 && --pausesAfter == 0) {
                stream.pause();
                if (receivesAgain) {
                    stream.receive();
                }
            }
            if (closesAfter > 0 && --closesAfter == 0) {
                stream.close(true);
            }
        }

        @Override
        public void received(DescriptorMessage message) {
            throw new AssertionError("descriptors (expected: never asked for)");
        }

        @Override
        public void receiveComplete() {
            alive();
            batches++;
            if (pausesAtComplete) {
                stream.pause();
                if (receivesAgain) {
                    stream.receive();
                }
            }
        }

        @Override
        public void inputClosed() {
            alive();
            assertThat(++ends).isOne();
            if (closesAtEnd) {
                stream.close(false);
            }
        }

        @Override
        public void sent(int count) {
            alive();
            assertThat(sending).isTrue();
            sending = false;
            sent += count;
        }

        /// As a channel does.
        @Override
        public void failed(IOException cause) {
            alive();
            atFailure.accept(cause);
            stream.close(true);
        }

        @Override
        public void closed() {
            assertThat(++closes).isOne();
        }

        void dropKept() {
            kept.forEach(Buffer::release);
            kept.clear();
        }

        @Override
        public void close() {
            stream.close(true);
            for (int i = 0; i < 100; i++) {
                poll();
                for (Submission p; (p = kernel.any(new Random(1))) != null; ) {
                    kernel.complete(p, -Errno.ECANCELED);
                }
            }
            dropKept();
            poll();
            assertThat(closes).isOne();
            assertThat(engine.slots.isEmpty()).isTrue();
            assertThat(engine.buffers.home()).isEqualTo(ReceiveBuffers.COUNT);
            engine.close();
        }
    }

    @Test
    void completionsBeyondTheRingAreFetchedInOrder() {
        try (Rig rig = new Rig(2)) {
            Submission receive = rig.receive();
            for (int i = 0; i < 100; i++) {
                rig.kernel.receive(receive, 10, 10 * i, true);
            }
            for (int i = 0; i < 100 && rig.received < 1_000; i++) {
                rig.poll();
            }
            assertThat(rig.received).isEqualTo(1_000);
        }
    }

    /// Sends so much that it is not copied.
    private static Submission sendUncopied(Rig rig) {
        rig.send(1_000);
        rig.poll();
        return rig.kernel.only(IoUring.IORING_OP_SEND_ZC);
    }

    @Test
    void whatIsSentUncopiedIsKeptUntilItsNotification() {
        try (Rig rig = new Rig(16, 1_000)) {
            Submission send = sendUncopied(rig);
            Buffer bytes = rig.kept.element();
            rig.kernel.result(send, 1_000);
            rig.poll();
            assertThat(rig.sent).isEqualTo(1_000);
            assertThat(bytes.references()).isEqualTo(2);
            rig.kernel.notify(send, false);
            rig.poll();
            assertThat(bytes.references()).isEqualTo(1);
        }
    }

    @Test
    void sendsMayFollowBeforeNotificationsThatComeInAnyOrder() {
        try (Rig rig = new Rig(16, 1_000)) {
            List<Submission> sends = new ArrayList<>();
            for (int i = 1; i <= 10; i++) {
                rig.send(1_000);
                rig.poll();
                Submission send = rig.kernel.pending.getLast();
                sends.add(send);
                rig.kernel.result(send, 1_000);
                rig.poll();
                assertThat(rig.sent).isEqualTo(i * 1_000);
            }
            List<Buffer> buffers = List.copyOf(rig.kept);
            for (int i : new int[] {9, 0, 5, 4, 6, 1, 2, 8, 7, 3}) {
                assertThat(buffers.get(i).references()).isEqualTo(2);
                rig.kernel.notify(sends.get(i), false);
                rig.poll();
                assertThat(buffers.get(i).references()).isEqualTo(1);
            }
        }
    }

    @Test
    void aNotificationAfterTheCloseReachesItsBufferAndNobodyElse() {
        try (Rig rig = new Rig(16, 1_000)) {
            Submission send = sendUncopied(rig);
            Buffer bytes = rig.kept.element();
            rig.kernel.result(send, 1_000);
            rig.poll();
            rig.stream.close(false);
            assertThat(rig.closes).isOne();
            assertThat(rig.engine.isIdle()).isFalse();
            try (Rig other = new Rig(16)) {
                UringStream next = rig.stream(other);
                assertThat(next.slot).isEqualTo(rig.stream.slot);
                rig.poll();
                rig.kernel.notify(send, false);
                rig.poll();
                assertThat(bytes.references()).isEqualTo(1);
                assertThat(other.sent).isZero();
                next.close(true);
                other.closes = 0;
            }
        }
    }

    @Test
    void aCloseDuringAnUncopiedSendWaitsForItsResult() {
        try (Rig rig = new Rig(16, 1_000)) {
            Submission send = sendUncopied(rig);
            rig.stream.close(true);
            rig.poll();
            assertThat(send.cancelled).isTrue();
            assertThat(rig.closes).isZero();
            rig.kernel.result(send, -Errno.ECANCELED);
            rig.poll();
            assertThat(rig.closes).isOne();
            rig.kernel.notify(send, false);
            rig.poll();
            assertThat(rig.kept.element().references()).isEqualTo(1);
        }
    }

    @Test
    void whatTheKernelMayStillReadIsKeptForEver() {
        Rig rig = new Rig(16, 1_000);
        Submission send = sendUncopied(rig);
        Buffer bytes = rig.kept.element();
        rig.kernel.result(send, 1_000);
        rig.poll();
        rig.stream.close(true);
        rig.engine.close();
        assertThat(bytes.references()).isEqualTo(2);
        bytes.release();
        bytes.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOMEM, Errno.ENOBUFS})
    void whereItCannotBeDoneSendsAreCopiedForGood(int errno) {
        try (Rig rig = new Rig(16, 1_000)) {
            rig.kernel.complete(sendUncopied(rig), -errno);
            rig.poll();
            assertThat(rig.sent).isZero();
            assertThat(rig.closes).isZero();
            for (int i = 1; i <= 2; i++) {
                rig.send(1_000);
                rig.poll();
                rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), 1_000);
                rig.poll();
                assertThat(rig.sent).isEqualTo(i * 1_000);
            }
        }
    }

    @Test
    void whatTheKernelCopiesAfterAllIsCopiedForGood() {
        try (Rig rig = new Rig(16, 1_000)) {
            Submission send = sendUncopied(rig);
            rig.kernel.result(send, 1_000);
            rig.kernel.notify(send, true);
            rig.poll();
            rig.send(1_000);
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), 1_000);
            rig.poll();
            assertThat(rig.sent).isEqualTo(2_000);
        }
    }

    @Test
    void fewBytesAreCopied() {
        try (Rig rig = new Rig(16, 1_000)) {
            rig.send(999);
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), 999);
            rig.poll();
            assertThat(rig.sent).isEqualTo(999);
        }
    }

    @Test
    void whatTheKernelDoesNotTakeIsOfferedAgain() {
        try (Rig rig = new Rig(16)) {
            rig.kernel.takes = 0;
            rig.send(100);
            for (int errno : new int[] {Errno.EBUSY, Errno.EAGAIN, Errno.EINTR}) {
                rig.kernel.refusal = errno;
                rig.poll();
            }
            rig.kernel.takes = Integer.MAX_VALUE;
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), 100);
            rig.poll();
            assertThat(rig.sent).isEqualTo(100);
        }
    }

    @Test
    void aRingThatIsBrokenSaysSo() {
        try (Rig rig = new Rig(16)) {
            rig.kernel.takes = 0;
            rig.kernel.refusal = Errno.EFAULT;
            rig.send(1);
            assertThatThrownBy(rig::poll)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("EFAULT");
            rig.kernel.takes = Integer.MAX_VALUE;
        }
    }

    @Test
    void whatComesForAnEarlierOwnerOfTheSlotIsDropped() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            rig.stream.close(true);
            rig.poll();
            rig.kernel.complete(receive, -Errno.ECANCELED);
            rig.poll();
            assertThat(rig.closes).isOne();
            try (Rig other = new Rig(16)) {
                UringStream next = rig.stream(other);
                assertThat(next.slot).isEqualTo(rig.stream.slot);
                rig.kernel.pending.add(receive);
                rig.kernel.receive(receive, 10, 0, false);
                rig.poll();
                assertThat(other.received).isZero();
                next.close(true);
                other.closes = 0;
            }
        }
    }

    @Test
    void aStreamThatTheEndOfItsInputClosesAsksForNothingElse() {
        try (Rig rig = new Rig(16)) {
            rig.closesAtEnd = true;
            rig.kernel.complete(rig.receive(), 0);
            rig.poll();
            rig.poll();
            assertThat(rig.closes).isOne();
            assertThat(rig.kernel.cancels).isEmpty();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .containsOnly(IoUring.IORING_OP_READ);
        }
    }

    /// A send takes the error of a reset, and its completion may be behind that of the receive.
    @Test
    void resetIsNoEndOfInputThoughASendHasTakenItsError() {
        for (boolean byCalls : new boolean[] {false, true}) {
            try (Rig rig = new Rig(64)) {
                Submission receive = byCalls ? ReceiveByCallsTest.fill(rig) : rig.receive();
                rig.send(1);
                rig.poll();
                rig.kernel.over = true;
                rig.kernel.otherwise = 0;
                rig.kernel.complete(receive, byCalls ? Epoll.EPOLLIN : 0);
                rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_SEND), -Errno.ECONNRESET);
                rig.poll();
                rig.poll();
                assertThat(rig.ends).isZero();
                assertThat(rig.closes).isOne();
            }
        }
    }

    /// The peer has sent its FIN behind ours, and the connection waits for nothing.
    @Test
    void endOfAConnectionThatHasEndedInBothDirectionsIsNoReset() {
        for (boolean sends : new boolean[] {false, true}) {
            try (Rig rig = new Rig(64)) {
                Submission receive = rig.receive();
                rig.kernel.over = !sends;
                if (sends) {
                    rig.send(1);
                    rig.poll();
                }
                rig.kernel.complete(receive, 0);
                rig.poll();
                assertThat(rig.ends).isOne();
                assertThat(rig.closes).isZero();
            }
        }
    }

    @Test
    void closingCancelsEachByItsUserData() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            rig.send(1);
            rig.stream.close(false);
            rig.poll();
            assertThat(receive.cancelled).isTrue();
            assertThat(rig.kernel.only(IoUring.IORING_OP_SEND).cancelled).isTrue();
            assertThat(rig.kernel.cancels).hasSize(2).allMatch(cancel -> cancel.file < 0);
        }
    }

    @Test
    void renewAReceiveBeforeTheKernelLosesCountOfWakeUps() {
        try (Rig rig = new Rig(64)) {
            Submission receive = rig.receive();
            int more = IoUring.IORING_CQE_F_MORE | IoUring.IORING_CQE_F_SOCK_NONEMPTY;
            for (int i = 0; i < 40; i++) {
                assertThat(rig.kernel.cancels).hasSize(i < 32 ? 0 : 1);
                rig.kernel.receive(receive, 1, i, more);
                rig.poll();
                rig.poll();
            }
            rig.kernel.complete(receive, -Errno.ECANCELED);
            rig.poll();
            assertThat(rig.receive()).isNotSameAs(receive).matches(next -> next.multishot);
            assertThat(rig.received).isEqualTo(40);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void renewAReceiveThatTookMoreThanAFewBuffersAtOnce(int before) {
        try (Rig rig = new Rig(64)) {
            Submission receive = rig.receive();
            int more = IoUring.IORING_CQE_F_MORE | IoUring.IORING_CQE_F_SOCK_NONEMPTY;
            for (int i = 0; i < before; i++) {
                rig.kernel.receive(receive, 1, i, more);
            }
            rig.kernel.receive(receive, 1, before, IoUring.IORING_CQE_F_MORE);
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.cancels).hasSize(before < 4 ? 0 : 1);
            assertThat(rig.received).isEqualTo(before + 1);
        }
    }

    @Test
    void receiveOnceAtATimeFromAUnixDomainSocket() {
        try (Rig rig = new Rig(64)) {
            rig.stream.pause();
            UringStream unix = rig.stream(Reception.UNIX_BYTES, rig);
            for (int i = 0; i < 3; i++) {
                unix.receive();
                rig.poll();
                Submission receive = rig.kernel.only(IoUring.IORING_OP_RECV);
                assertThat(receive.multishot).isFalse();
                rig.kernel.receive(receive, 1, i, 0);
                rig.poll();
            }
            unix.close(true);
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_RECV), -Errno.ECANCELED);
            rig.poll();
            rig.closes = 0;
        }
    }

    @Test
    void aStreamWithoutAReceiveBufferGoesOnWhenOneHasComeBack() {
        try (Rig rig = new Rig(512)) {
            exhaust(rig);
            rig.dropKept();
            rig.poll();
            assertThat(rig.kernel.receive(rig.kernel.only(IoUring.IORING_OP_RECV), 1, 0, true))
                    .isTrue();
            rig.poll();
            assertThat(rig.received).isEqualTo(ReceiveBuffers.COUNT + 1);
        }
    }

    /// Has the application keep all buffers of the ring while there is no memory for copies.
    private static void exhaust(Rig rig) {
        rig.keeps = true;
        Submission receive = rig.receive();
        for (int i = 0; i < ReceiveBuffers.COUNT; i++) {
            assertThat(rig.kernel.receive(receive, 1, i, true)).isTrue();
        }
        assertThat(rig.kernel.receive(receive, 1, 0, true)).isFalse();
        AllocationTap.set(ScriptedRingTest::refuse);
        rig.poll();
        AllocationTap.set(null);
        assertThat(rig.engine.buffers.isEmpty()).isTrue();
        rig.poll();
        assertThat(rig.kernel.pending)
                .extracting(p -> p.opcode)
                .containsOnly(IoUring.IORING_OP_READ);
    }

    private static void refuse(int capacity) {
        throw AllocationTap.refusal(capacity);
    }

    @Test
    void inputOfAPauseIsHandedUpByALaterPollAheadOfWhatCameSince() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            rig.stream.pause();
            rig.kernel.receive(receive, 10, 0, true);
            rig.poll();
            rig.stream.receive();
            assertThat(rig.received).as("within receive").isZero();
            rig.kernel.receive(receive, 10, 10, true);
            rig.kernel.complete(receive, 0);
            rig.poll();
            assertThat(rig.received).isEqualTo(20);
            assertThat(rig.ends).isOne();
        }
    }

    @Test
    void inputOfAPauseWithoutMemoryFailsTheStream() {
        try (Rig rig = new Rig(16)) {
            IOException[] failure = {null};
            rig.atFailure = cause -> failure[0] = cause;
            Submission receive = rig.receive();
            rig.stream.pause();
            rig.kernel.receive(receive, 10, 0, true);
            AllocationTap.set(
                    _ -> {
                        throw new OutOfMemoryError("on purpose");
                    });
            try {
                assertThatCode(rig::poll).doesNotThrowAnyException();
            } finally {
                AllocationTap.set(null);
            }
            assertThat(failure[0]).hasRootCauseInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void endOfAPauseIsToldByALaterPoll() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            rig.stream.pause();
            rig.kernel.complete(receive, 0);
            rig.poll();
            rig.stream.receive();
            assertThat(rig.ends).as("within receive").isZero();
            rig.poll();
            assertThat(rig.ends).isOne();
        }
    }

    @Test
    void pauseBeforeTheNextPollKeepsWhatIsHeld() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            rig.stream.pause();
            rig.kernel.receive(receive, 10, 0, true);
            rig.poll();
            rig.stream.receive();
            rig.stream.pause();
            rig.poll();
            assertThat(rig.received).isZero();
            rig.stream.receive();
            rig.poll();
            assertThat(rig.received).isEqualTo(10);
        }
    }

    @Test
    void peerThatSendsFasterThanIsTakenGetsOneBufferAReceive() {
        try (Rig rig = new Rig(16)) {
            Submission receive = rig.receive();
            assertThat(receive.multishot).isTrue();
            rig.stream.pause();
            rig.kernel.receive(receive, ReceiveBuffers.SIZE, 0, true);
            rig.poll();
            rig.kernel.complete(receive, -Errno.ECANCELED);
            rig.poll();
            rig.stream.receive();
            for (int i = 1; i <= 3; i++) {
                rig.poll();
                rig.poll();
                Submission one = rig.kernel.only(IoUring.IORING_OP_RECV);
                assertThat(one.multishot).isFalse();
                rig.kernel.receive(one, ReceiveBuffers.SIZE, i * ReceiveBuffers.SIZE, false);
            }
            rig.poll();
            rig.poll();
            Submission last = rig.kernel.only(IoUring.IORING_OP_RECV);
            rig.kernel.receive(last, 10, 4 * ReceiveBuffers.SIZE, false);
            rig.poll();
            rig.poll();
            assertThat(rig.received).isEqualTo(4 * ReceiveBuffers.SIZE + 10);
            assertThat(rig.kernel.only(IoUring.IORING_OP_RECV).multishot).isTrue();
        }
    }

    @Test
    void streamThatFoundNoBufferTakesOneAReceive() {
        try (Rig rig = new Rig(512)) {
            exhaust(rig);
            rig.dropKept();
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.only(IoUring.IORING_OP_RECV).multishot).isFalse();
        }
    }

    @Test
    void plentyOfReceiveBuffersAreNeverCopied() {
        try (Rig rig = new Rig(512)) {
            rig.keeps = true;
            Submission receive = rig.receive();
            for (int i = 0; i < ReceiveBuffers.COUNT / 2; i++) {
                rig.kernel.receive(receive, 1, i, true);
            }
            rig.poll();
            assertThat(rig.engine.buffers.home()).isEqualTo(ReceiveBuffers.COUNT / 2);
        }
    }

    @Test
    void oneStreamKeepsHalfOfTheRingAtMost() {
        try (Rig rig = new Rig(512)) {
            rig.keeps = true;
            Submission receive = rig.receive();
            for (int i = 0; i < 2 * ReceiveBuffers.COUNT; i++) {
                assertThat(rig.kernel.receive(receive, 1, i, true)).isTrue();
                rig.poll();
            }
            assertThat(rig.received).isEqualTo(2 * ReceiveBuffers.COUNT);
            assertThat(rig.engine.buffers.home()).isEqualTo(ReceiveBuffers.COUNT / 2);
        }
    }

    @Test
    void manyStreamsLeaveAQuarterOfTheRing() {
        try (Rig rig = new Rig(512)) {
            List<UringStream> streams = new ArrayList<>();
            List<Buffer> kept = new ArrayList<>();
            for (int i = 0; i < ReceiveBuffers.COUNT; i++) {
                UringStream stream = rig.stream(new Keeper(kept));
                streams.add(stream);
                stream.receive();
                rig.poll();
                Submission receive = rig.kernel.pending.getLast();
                assertThat(rig.kernel.receive(receive, 1, i, true)).isTrue();
                rig.poll();
                rig.kernel.complete(receive, 0);
                rig.poll();
            }
            assertThat(kept).hasSize(ReceiveBuffers.COUNT);
            assertThat(rig.engine.buffers.home()).isEqualTo(ReceiveBuffers.COUNT / 4);
            kept.forEach(Buffer::release);
            streams.forEach(stream -> stream.close(true));
        }
    }

    /// Keeps what it gets.
    private record Keeper(List<Buffer> kept) implements StreamEvents {
        @Override
        public void connected() {}

        @Override
        public void received(Buffer bytes) {
            kept.add(bytes);
        }

        @Override
        public void received(DescriptorMessage message) {}

        @Override
        public void receiveComplete() {}

        @Override
        public void inputClosed() {}

        @Override
        public void sent(int count) {}

        @Override
        public void failed(IOException cause) {}

        @Override
        public void closed() {}
    }

    @Test
    void streamWithoutMemoryForCopiesWaitsUntilThereIsSome() {
        try (Rig rig = new Rig(512)) {
            exhaust(rig);
            AllocationTap.set(ScriptedRingTest::refuse);
            rig.kept.remove().release();
            rig.now += Starvation.RETRY_NANOS;
            rig.poll();
            assertThat(rig.kernel.pending).hasSize(1);
            AllocationTap.set(null);
            rig.poll();
            assertThat(rig.kernel.pending).hasSize(1); // looks for memory now and then only
            rig.now += Starvation.RETRY_NANOS;
            rig.poll();
            Submission again = rig.kernel.only(IoUring.IORING_OP_RECV);
            assertThat(rig.kernel.receive(again, 1, ReceiveBuffers.COUNT, true)).isTrue();
            rig.poll();
            assertThat(rig.received).isEqualTo(ReceiveBuffers.COUNT + 1);
            assertThat(rig.engine.buffers.home()).isOne(); // it was copied
        }
    }

    @Test
    void starvationOfASecondIsLoggedOnceAMinute() {
        try (Rig rig = new Rig(512)) {
            exhaust(rig);
            AllocationTap.set(ScriptedRingTest::refuse);
            rig.now += Starvation.WARN_NANOS - 1;
            rig.poll();
            assertThat(rig.engine.starvation.warnings()).isZero();
            rig.now += 1;
            rig.poll();
            rig.now += Starvation.WARN_AGAIN_NANOS - 1;
            rig.poll();
            assertThat(rig.engine.starvation.warnings()).isOne();
            rig.now += 1;
            rig.poll();
            assertThat(rig.engine.starvation.warnings()).isEqualTo(2);
            AllocationTap.set(null);
        }
    }

    @Test
    void asManyStreamsAreFedAsThereAreBuffers() {
        try (Rig rig = new Rig(512)) {
            exhaust(rig);
            List<UringStream> streams = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                UringStream stream = rig.stream(new Keeper(List.of()));
                streams.add(stream);
                stream.receive();
            }
            rig.poll();
            for (int i = 0; i < 20; i++) {
                Submission one = rig.kernel.pending.getLast();
                rig.kernel.complete(one, -Errno.ENOBUFS);
            }
            rig.poll();
            for (int i = 0; i < 3; i++) {
                rig.kept.remove().release();
            }
            rig.poll();
            assertThat(rig.kernel.pending).hasSize(1 + 3);
            rig.poll();
            assertThat(rig.kernel.pending).hasSize(1 + 6);
            streams.forEach(stream -> stream.close(true));
        }
    }

    @Test
    void pollForErrorsThatEndedIsAskedAgain() {
        try (Rig rig = new Rig(16)) {
            rig.kernel.complete(rig.receive(), 0);
            rig.poll();
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_POLL_ADD), 0);
            rig.poll();
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_POLL_ADD), -Errno.EINVAL);
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .doesNotContain(IoUring.IORING_OP_POLL_ADD);
        }
    }

    private static ListenHandle listen(Rig rig, List<IOException> pauses) throws IOException {
        return rig.engine.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ChannelOptions.DEFAULT,
                new ListenEvents() {
                    @Override
                    public void accepted(Accepted connection) {
                        connection.close();
                    }

                    @Override
                    public void exhausted(IOException cause) {
                        pauses.add(cause);
                    }

                    @Override
                    public void closed() {}
                });
    }

    @Test
    void listenerPausesWhenAcceptFailsAgainAndAgain() throws IOException {
        try (Rig rig = new Rig(16)) {
            List<IOException> pauses = new ArrayList<>();
            ListenHandle listener = listen(rig, pauses);
            listener.accept();
            for (int i = 0; i < 64; i++) {
                assertThat(pauses).isEmpty();
                rig.poll();
                rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_ACCEPT), -Errno.EPERM);
                rig.poll();
            }
            assertThat(pauses).hasSize(1);
            rig.poll();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .doesNotContain(IoUring.IORING_OP_ACCEPT);
            listener.accept();
            rig.poll();
            listener.close();
        }
    }

    @Test
    void pausingAListenerIsNoFailureOfAccept() throws IOException {
        try (Rig rig = new Rig(16)) {
            List<IOException> pauses = new ArrayList<>();
            ListenHandle listener = listen(rig, pauses);
            for (int i = 0; i < 200; i++) {
                listener.accept();
                rig.poll();
                listener.pause();
                rig.poll();
                rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_ACCEPT), -Errno.ECANCELED);
                rig.poll();
            }
            assertThat(pauses).isEmpty();
            listener.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32})
    void renewAnAcceptThatTookManyConnectionsAtOnce(int before) throws IOException {
        try (Rig rig = new Rig(64)) {
            ListenHandle listener = listen(rig, new ArrayList<>());
            listener.accept();
            rig.poll();
            Submission accept = rig.kernel.only(IoUring.IORING_OP_ACCEPT);
            for (int i = 0; i < before; i++) {
                rig.kernel.accept(accept, true);
            }
            rig.kernel.accept(accept, false);
            rig.poll();
            rig.poll();
            assertThat(accept.cancelled).isEqualTo(before == 32);
            rig.kernel.complete(accept, -Errno.ECANCELED);
            rig.poll();
            rig.poll();
            assertThat(rig.kernel.only(IoUring.IORING_OP_ACCEPT)).isNotSameAs(accept);
            listener.close();
        }
    }

    @Test
    void sharedListenerClosedByItsLastAcceptAcceptsNothingMore() throws IOException {
        try (Rig rig = new Rig(16)) {
            ListenHandle[] listener = {null};
            int[] closes = {0};
            listener[0] =
                    rig.engine.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ChannelOptions.DEFAULT,
                            new ListenEvents() {
                                @Override
                                public void accepted(Accepted connection) {
                                    connection.close();
                                    listener[0].close();
                                }

                                @Override
                                public void exhausted(IOException cause) {}

                                @Override
                                public void closed() {
                                    closes[0]++;
                                }
                            });
            assertThat(listener[0].descriptor()).isNotNegative(); // shared from now on
            listener[0].accept();
            rig.poll();
            Submission accept = rig.kernel.only(IoUring.IORING_OP_ACCEPT);
            rig.kernel.complete(accept, Libc.eventfd(0, Libc.EFD_CLOEXEC));
            rig.poll();
            rig.poll();
            assertThat(closes[0]).isOne();
            assertThat(rig.kernel.pending)
                    .extracting(p -> p.opcode)
                    .containsOnly(IoUring.IORING_OP_READ);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listenerWhoseCallbackThrowsGoesOnUnlessItWasPaused(boolean pauses) throws IOException {
        try (Rig rig = new Rig(16)) {
            ListenHandle[] listener = {null};
            listener[0] =
                    rig.engine.listen(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            ChannelOptions.DEFAULT,
                            new ListenEvents() {
                                @Override
                                public void accepted(Accepted connection) {}

                                @Override
                                public void exhausted(IOException cause) {
                                    if (pauses) {
                                        listener[0].pause();
                                    }
                                    throw new IllegalStateException("on purpose");
                                }

                                @Override
                                public void closed() {}
                            });
            listener[0].accept();
            rig.poll();
            rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_ACCEPT), -Errno.EMFILE);
            assertThatThrownBy(rig::poll).hasMessage("on purpose");
            rig.poll();
            assertThat(
                            rig.kernel.pending.stream()
                                    .anyMatch(p -> p.opcode == IoUring.IORING_OP_ACCEPT))
                    .isEqualTo(!pauses);
            listener[0].close();
        }
    }

    @Test
    void datagramSocketWhosePollFailsAgainAndAgainCloses() throws IOException {
        try (Rig rig = new Rig(16)) {
            List<String> told = new ArrayList<>();
            DatagramHandle socket =
                    rig.engine.datagrams(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            null,
                            ChannelOptions.DEFAULT,
                            new DatagramEvents() {
                                @Override
                                public void received(Datagram datagram) {}

                                @Override
                                public void receiveComplete() {}

                                @Override
                                public void sent(int count) {}

                                @Override
                                public void failed(IOException cause) {
                                    told.add("failed");
                                }

                                @Override
                                public void closed() {
                                    told.add("closed");
                                }
                            });
            socket.receive();
            for (int i = 0; i < 16; i++) {
                rig.poll();
                rig.kernel.complete(rig.kernel.only(IoUring.IORING_OP_POLL_ADD), -Errno.EINVAL);
                rig.poll();
            }
            assertThat(told).containsExactly("failed", "closed");
        }
    }

    /// Completions come in any order, with any calls between them: bytes come once and in order,
    /// the end and the closing are told once, and nothing is left.
    @Test
    void noOrderOfCompletionsConfusesAStream() {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            try (Rig rig = new Rig(1 << (1 + random.nextInt(5)))) {
                run(rig, random);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ", script " + i, e);
            }
        }
    }

    private static void run(Rig rig, Random random) {
        int[] given = {0};
        for (int step = random.nextInt(200); step >= 0 && rig.closes == 0; step--) {
            switch (random.nextInt(12)) {
                case 0 -> rig.stream.receive();
                case 1 -> rig.stream.pause();
                case 2, 3 -> {
                    if (!rig.sending && rig.stream.descriptor() >= 0) {
                        rig.send(1 + random.nextInt(100));
                    }
                }
                case 4 -> rig.keeps = random.nextBoolean();
                case 5 -> {
                    if (!rig.sending) {
                        rig.dropKept();
                    }
                }
                case 6 -> {
                    if (random.nextInt(20) == 0) {
                        rig.stream.close(random.nextBoolean());
                    }
                }
                case 7 ->
                        rig.kernel.takes =
                                random.nextBoolean() ? random.nextInt(3) : Integer.MAX_VALUE;
                case 8 -> rig.poll();
                default -> {
                    Submission one = rig.kernel.any(random);
                    if (one != null) {
                        complete(rig, one, given, random);
                    }
                }
            }
        }
        rig.kernel.takes = Integer.MAX_VALUE;
    }

    private static void complete(Rig rig, Submission one, int[] given, Random random) {
        if (one.cancelled && random.nextBoolean()) {
            rig.kernel.complete(one, -Errno.ECANCELED);
            return;
        }
        switch (one.opcode) {
            case IoUring.IORING_OP_RECV -> {
                switch (random.nextInt(20)) {
                    case 0 -> rig.kernel.complete(one, 0);
                    case 1 -> rig.kernel.complete(one, -Errno.ECONNRESET);
                    case 2 -> rig.kernel.complete(one, -Errno.EINTR);
                    case 3 -> rig.kernel.complete(one, -Errno.ENOBUFS);
                    default -> receive(rig, one, given, random);
                }
            }
            case IoUring.IORING_OP_POLL_ADD -> {
                if (Operation.of(one.userData) == Operation.POLL_IN) {
                    readable(rig, given, random);
                }
                rig.kernel.complete(one, Epoll.EPOLLIN);
            }
            case IoUring.IORING_OP_SEND -> {
                int[] results = {
                    1 + random.nextInt(one.length),
                    one.length,
                    -Errno.EINTR,
                    -Errno.EAGAIN,
                    -Errno.EPIPE
                };
                rig.kernel.complete(one, results[random.nextInt(results.length)]);
            }
            default -> rig.kernel.complete(one, 0);
        }
    }

    /// Has a receive into the ring bring what waits in the socket, a few bytes or a full buffer.
    private static void receive(Rig rig, Submission one, int[] given, Random random) {
        ScriptedKernel kernel = rig.kernel;
        if (kernel.waiting == 0) {
            boolean full = random.nextInt(4) == 0;
            readable(rig, given, full ? ReceiveBuffers.SIZE : 1 + random.nextInt(50));
        }
        int length = Math.min(kernel.waiting, ReceiveBuffers.SIZE);
        int flags = random.nextInt(5) > 0 ? IoUring.IORING_CQE_F_MORE : 0;
        flags |= random.nextBoolean() ? IoUring.IORING_CQE_F_SOCK_NONEMPTY : 0;
        if (kernel.receive(one, length, kernel.firstWaiting, flags)) {
            kernel.waiting -= length;
            kernel.firstWaiting += length;
        }
    }

    /// The socket has bytes for receives by calls, or its end, or an error, or nothing.
    private static void readable(Rig rig, int[] given, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> rig.kernel.otherwise = 0;
            case 1 -> rig.kernel.otherwise = -Errno.ECONNRESET;
            case 2 -> {}
            default -> readable(rig, given, 1 + random.nextInt(1 << random.nextInt(20)));
        }
    }

    private static void readable(Rig rig, int[] given, int length) {
        ScriptedKernel kernel = rig.kernel;
        kernel.firstWaiting = given[0] - kernel.waiting;
        kernel.waiting += length;
        given[0] += length;
    }
}
