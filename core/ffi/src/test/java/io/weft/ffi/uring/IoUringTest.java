package io.weft.ffi.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.ffi.Errno;
import io.weft.ffi.KernelTimespec;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.Waits;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(300)
class IoUringTest {
    private static final int ENTRIES = 8;
    private static final long SIZE = 8192;
    private static final long USER_DATA = 0x8899AABBCCDDEEFFL;

    private final long memory = Memory.allocate(SIZE, 4096);
    private final long params = memory;
    private final long scratch = memory + 4096;
    private int ring = -1;
    private long rings;
    private long ringsLength;
    private long sqes;

    @BeforeEach
    void setUp() {
        Memory.fill(memory, SIZE, (byte) 0);
        int fd = locking(() -> IoUring.setup(ENTRIES, params));
        assumeTrue(
                fd != -Errno.ENOSYS && fd != -Errno.EPERM && fd != -Errno.ENOMEM,
                () -> "io_uring_setup: " + Errno.describe(-fd));
        assertThat(fd).as("descriptor, or -errno").isPositive();
        ring = fd;
        assumeTrue(
                (param(RingParams.FEATURES) & IoUring.IORING_FEAT_SINGLE_MMAP) != 0,
                "the kernel is older than 5.4");
        ringsLength =
                Math.max(
                        param(RingParams.SQ_OFF_ARRAY) + param(RingParams.SQ_ENTRIES) * 4L,
                        param(RingParams.CQ_OFF_CQES)
                                + param(RingParams.CQ_ENTRIES) * (long) Cqe.SIZE);
        rings = map(ringsLength, IoUring.IORING_OFF_SQ_RING);
        sqes = map((long) ENTRIES * Sqe.SIZE, IoUring.IORING_OFF_SQES);
    }

    /// The kernel ends rings in the background: what earlier tests' had locked counts against
    /// `RLIMIT_MEMLOCK` until then.
    private static int locking(IntSupplier call) {
        int result;
        int tries = 0;
        do {
            result = call.getAsInt();
        } while (result == -Errno.ENOMEM && ++tries < 100_000);
        return result;
    }

    @AfterEach
    void tearDown() {
        if (rings > 0) {
            Libc.munmap(rings, ringsLength);
            Libc.munmap(sqes, (long) ENTRIES * Sqe.SIZE);
        }
        if (ring >= 0) {
            Libc.close(ring);
        }
        Memory.free(memory, SIZE);
    }

    private long map(long length, long offset) {
        long address =
                Libc.mmap(
                        0,
                        length,
                        Libc.PROT_READ | Libc.PROT_WRITE,
                        Libc.MAP_SHARED | Libc.MAP_POPULATE,
                        ring,
                        offset);
        assertThat(address).as("address, or -errno").isPositive();
        return address;
    }

    private int param(int offset) {
        return Memory.getInt(params + offset);
    }

    /// The address of the `io_uring_params` member's target in the rings.
    private long at(int offset) {
        return rings + param(offset);
    }

    /// The address of the next submission.
    private long sqe() {
        int tail = Memory.getInt(at(RingParams.SQ_OFF_TAIL));
        return sqes + (long) (tail & (ENTRIES - 1)) * Sqe.SIZE;
    }

    private int submit(int minComplete) {
        int tail = Memory.getInt(at(RingParams.SQ_OFF_TAIL));
        int index = tail & (ENTRIES - 1);
        Memory.putInt(at(RingParams.SQ_OFF_ARRAY) + index * 4L, index);
        Memory.putIntRelease(at(RingParams.SQ_OFF_TAIL), tail + 1);
        return IoUring.enter(ring, 1, minComplete, IoUring.IORING_ENTER_GETEVENTS, 0, 0);
    }

    private long nextCqe() {
        int head = Memory.getInt(at(RingParams.CQ_OFF_HEAD));
        assertThat(Memory.getIntAcquire(at(RingParams.CQ_OFF_TAIL))).isGreaterThan(head);
        int mask = Memory.getInt(at(RingParams.CQ_OFF_RING_MASK));
        Memory.putIntRelease(at(RingParams.CQ_OFF_HEAD), head + 1);
        return at(RingParams.CQ_OFF_CQES) + (long) (head & mask) * Cqe.SIZE;
    }

    @Test
    void ringIsCloseOnExec() {
        assertThat(Libc.fcntl(ring, Libc.F_GETFD, 0)).isEqualTo(Libc.FD_CLOEXEC);
    }

    @Test
    void noOperationCompletesWithItsUserData() {
        Memory.fill(sqe(), Sqe.SIZE, (byte) -1);
        Sqe.put(sqe(), IoUring.IORING_OP_NOP, -1, 0, 0, 0, 0, USER_DATA);
        assertThat(submit(1)).isEqualTo(1);
        long cqe = nextCqe();
        assertThat(Cqe.userData(cqe)).isEqualTo(USER_DATA);
        assertThat(Cqe.res(cqe)).isZero();
        assertThat(Cqe.flags(cqe)).isZero();
    }

    @Test
    void readReportsTheErrorNumberOfABadDescriptor() {
        Sqe.put(sqe(), IoUring.IORING_OP_READ, -1, 0, scratch, 8, 0, 2);
        assertThat(submit(1)).isEqualTo(1);
        assertThat(Cqe.res(nextCqe())).isEqualTo(-Errno.EBADF);
    }

    @Test
    void waitEndsAtItsTimeout() {
        assumeTrue(
                (param(RingParams.FEATURES) & IoUring.IORING_FEAT_EXT_ARG) != 0,
                "the kernel is older than 5.11");
        long timespec = scratch + GetEventsArg.SIZE;
        KernelTimespec.put(timespec, 1);
        GetEventsArg.put(scratch, timespec);
        int flags = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG;
        int result =
                Waits.uninterrupted(
                        () -> IoUring.enter(ring, 0, 1, flags, scratch, GetEventsArg.SIZE));
        assertThat(result).isEqualTo(-Errno.ETIME);
    }

    @Test
    void probeTellsWhichOpcodesTheKernelKnows() {
        Memory.fill(scratch, Probe.SIZE + 256 * Probe.OP_SIZE, (byte) 0);
        assertThat(IoUring.register(ring, IoUring.IORING_REGISTER_PROBE, scratch, 256)).isZero();
        assertThat(Probe.supports(scratch, IoUring.IORING_OP_NOP)).isTrue();
        assertThat(Probe.supports(scratch, IoUring.IORING_OP_RECV)).isTrue();
        assertThat(Probe.supports(scratch, 255)).isFalse();
    }

    @Test
    void kernelFillsABufferOfTheRing() {
        long buffers = Memory.allocate(8192, 4096);
        int counter = Libc.eventfd(5, Libc.EFD_CLOEXEC);
        try {
            Memory.fill(buffers, 8192, (byte) 0);
            BufReg.put(scratch, buffers, 4, 7, 0);
            int error =
                    locking(
                            () ->
                                    IoUring.register(
                                            ring, IoUring.IORING_REGISTER_PBUF_RING, scratch, 1));
            assumeTrue(
                    error != -Errno.EINVAL && error != -Errno.ENOMEM,
                    () -> "before 5.19, or RLIMIT_MEMLOCK: " + Errno.describe(-error));
            assertThat(error).isZero();
            BufRing.put(buffers, 0, buffers + 4096, 64, 42);
            BufRing.putTail(buffers, 1);
            Sqe.put(sqe(), IoUring.IORING_OP_READ, counter, -1, 0, 8, 0, 3);
            Sqe.putFlags(sqe(), IoUring.IOSQE_BUFFER_SELECT);
            Sqe.putBufGroup(sqe(), 7);
            assertThat(submit(1)).isEqualTo(1);
            long cqe = nextCqe();
            assertThat(Cqe.res(cqe)).isEqualTo(8);
            assertThat(Cqe.flags(cqe) & IoUring.IORING_CQE_F_BUFFER).isNotZero();
            assertThat(Cqe.bufferId(Cqe.flags(cqe))).isEqualTo(42);
            assertThat(Memory.getLong(buffers + 4096)).isEqualTo(5);
            BufReg.put(scratch, 0, 0, 7, 0);
            assertThat(IoUring.register(ring, IoUring.IORING_UNREGISTER_PBUF_RING, scratch, 1))
                    .isZero();
        } finally {
            Libc.close(counter);
            // A ring that is still registered holds the pages, not the addresses.
            Memory.free(buffers, 8192);
        }
    }

    @Test
    void registeredRingIsEnteredByItsIndex() {
        Memory.putInt(scratch + RsrcUpdate.OFFSET, -1);
        Memory.putInt(scratch + RsrcUpdate.RESV, 0);
        Memory.putLong(scratch + RsrcUpdate.DATA, ring);
        int count = IoUring.register(ring, IoUring.IORING_REGISTER_RING_FDS, scratch, 1);
        assumeTrue(count != -Errno.EINVAL, "the kernel is older than 5.18");
        assertThat(count).isEqualTo(1);
        int index = Memory.getInt(scratch + RsrcUpdate.OFFSET);
        assertThat(IoUring.enter(index, 0, 0, IoUring.IORING_ENTER_REGISTERED_RING, 0, 0)).isZero();
        Memory.putLong(scratch + RsrcUpdate.DATA, 0); // or -EINVAL
        assertThat(IoUring.register(ring, IoUring.IORING_UNREGISTER_RING_FDS, scratch, 1))
                .isEqualTo(1);
    }

    @Test
    void failuresAreErrorNumbers() {
        assertThat(IoUring.setup(0, params)).isEqualTo(-Errno.EINVAL);
        assertThat(IoUring.enter(-1, 0, 0, 0, 0, 0)).isEqualTo(-Errno.EBADF);
        assertThat(IoUring.register(ring, 9999, 0, 0)).isEqualTo(-Errno.EINVAL);
    }
}
