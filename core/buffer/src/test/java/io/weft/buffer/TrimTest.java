package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.ffi.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrimTest {
    private static final long INTERVAL = BufferAllocator.TRIM_INTERVAL_NANOS;

    private final BufferAllocator allocator = new BufferAllocator(new MemoryBudget(8 << 20));
    private final List<Buffer> open = new ArrayList<>();
    private long now = -5;

    @BeforeEach
    void attach() {
        allocator.attachThread();
        idle(1);
    }

    @AfterEach
    void nothingIsLeft() {
        open.forEach(Buffer::release);
        allocator.detachThread();
        allocator.trim();
        assertThat(allocator.reservedBytes()).isZero();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private long idle(int intervals) {
        long next = 0;
        for (int i = 0; i < intervals; i++) {
            now += INTERVAL;
            next = allocator.idle(now);
        }
        return next;
    }

    private void allocate(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            open.add(allocator.allocate(capacity));
        }
    }

    private void releaseAll() {
        open.forEach(Buffer::release);
        open.clear();
    }

    @Test
    void aBurstIsGivenBackWithinTwoIntervals() {
        allocate(2_000, 1000);
        assertThat(allocator.reservedBytes()).isGreaterThan(2_000_000);
        releaseAll();
        assertThat(idle(1)).isEqualTo(INTERVAL);
        assertThat(allocator.reservedBytes()).isGreaterThan(2_000_000);
        assertThat(idle(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void aBufferKeepsItsSlabOnly() {
        allocate(2_000, 1000);
        Buffer kept = open.remove(1_000);
        kept.writeByte(42);
        releaseAll();
        idle(2);
        assertThat(allocator.reservedBytes()).isEqualTo(32 << 10);
        assertThat(kept.getByte(0)).isEqualTo((byte) 42);
        open.add(kept);
    }

    @Test
    void sizesThatTakeTurnsKeepTheirSlabs() {
        takeTurns();
        takeTurns();
        Buffer probe = allocator.allocate(100);
        long address = probe.address();
        probe.release();
        long reserved = allocator.reservedBytes();
        takeTurns();
        assertThat(allocator.reservedBytes()).isEqualTo(reserved);
        Buffer again = allocator.allocate(100);
        open.add(again);
        assertThat(again.address()).isEqualTo(address);
    }

    private void takeTurns() {
        for (int size = 100; size < 60_000; size *= 2) {
            allocator.allocate(size).release();
        }
    }

    @Test
    void whatIsUsedAgainIsNotGivenBack() {
        for (int i = 0; i < 5; i++) {
            allocate(100, 16 << 10);
            releaseAll();
            idle(1);
        }
        assertThat(allocator.reservedBytes()).isEqualTo((13 * 128) << 10);
    }

    @Test
    void lessThanAnIntervalChangesNothing() {
        allocate(1000, 1000);
        releaseAll();
        long before = allocator.reservedBytes();
        for (int i = 0; i < 9; i++) {
            now += INTERVAL / 10;
            allocator.idle(now);
        }
        assertThat(allocator.reservedBytes()).isEqualTo(before);
    }

    @Test
    void freeMemoryServesAnySize() {
        allocate(4_000, 1000);
        long before = allocator.reservedBytes();
        releaseAll();
        allocate(240, 16 << 10);
        assertThat(allocator.reservedBytes()).isLessThanOrEqualTo(before + (1 << 20));
        releaseAll();
        allocate(12, 1 << 18);
        assertThat(allocator.reservedBytes()).isLessThanOrEqualTo(before + (2 << 20));
    }

    @Test
    void memoryIsGivenBackBeforeTheCapRefuses() {
        allocate(7_000, 1000);
        releaseAll();
        allocate(1, 6 << 20);
        releaseAll();
        allocate(7_000, 1000);
    }

    @Test
    void theCapRefusesAndChangesNothing() {
        assertThatThrownBy(() -> allocate(10_000, 1000)).isInstanceOf(MemoryLimitException.class);
        long before = allocator.reservedBytes();
        assertThat(before).isEqualTo(allocator.limitBytes());
        for (int capacity : new int[] {1000, 1 << 20, 2 << 20}) {
            assertThatThrownBy(() -> allocator.allocate(capacity))
                    .isInstanceOf(MemoryLimitException.class)
                    .hasMessageContaining("expected: at most " + (8 << 20));
        }
        assertThat(allocator.reservedBytes()).isEqualTo(before);
        open.removeLast().release();
        allocate(1, 1000);
    }

    @Test
    void largeBlocksStayForAWhile() {
        BufferAllocator roomy = new BufferAllocator(new MemoryBudget(64 << 20));
        roomy.attachThread();
        Buffer first = roomy.allocate(6 << 20);
        long address = first.address();
        first.release();
        assertThat(roomy.reservedBytes()).isEqualTo(6 << 20);
        Buffer second = roomy.allocate(5 << 20);
        assertThat(second.address()).isEqualTo(address);
        second.release();
        for (int i = 0; i < 2; i++) {
            now += INTERVAL;
            roomy.idle(now);
        }
        assertThat(roomy.reservedBytes()).isZero();
        roomy.detachThread();
    }

    @Test
    void staleAccessToLargeBlocksHarmsNobody() {
        allocate(2, 3 << 20);
        long address = open.getFirst().address();
        releaseAll();
        allocator.trim();
        Memory.putByte(address + 100, (byte) 1);
        assertThat(Memory.getByte(address + (2 << 20))).isZero();
    }

    @Test
    void aRequestOfAnotherThreadIsMetAtTheNextMoment() throws InterruptedException {
        allocate(1000, 1000);
        releaseAll();
        Thread other = Thread.ofPlatform().start(allocator::trim);
        other.join();
        assertThat(allocator.reservedBytes()).isPositive();
        allocator.idle(now);
        assertThat(allocator.reservedBytes()).isZero();
    }

    @Test
    void whatOthersReleasedIsGivenBackToo() throws InterruptedException {
        allocate(1000, 1000);
        Thread other = Thread.ofPlatform().start(this::releaseAll);
        other.join();
        idle(2);
        assertThat(allocator.reservedBytes()).isZero();
    }
}
