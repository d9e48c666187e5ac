package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocatorMetricsTest {
    private final BufferAllocator allocator = new BufferAllocator(new MemoryBudget(64 << 20));
    private final List<Buffer> open = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        open.forEach(Buffer::release);
        allocator.detachThread();
        allocator.trim();
        assertThat(allocator.metrics())
                .isEqualTo(new AllocatorMetrics(0, 0, 0, 64 << 20, List.of(), 0, 0));
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void eachSizeIsCounted() {
        allocator.attachThread();
        for (int i = 0; i < 40; i++) {
            open.add(allocator.allocate(1000));
        }
        open.add(allocator.allocate(16 << 10));
        open.add(allocator.allocate(3 << 20));
        open.removeFirst().release();
        AllocatorMetrics metrics = allocator.metrics();
        assertThat(metrics.sizeClasses())
                .containsExactly(
                        new AllocatorMetrics.SizeClass(1024, 39, 25),
                        new AllocatorMetrics.SizeClass(16 << 10, 1, 7));
        assertThat(metrics.used()).isEqualTo(39 * 1024 + (16 << 10) + (3 << 20));
        assertThat(metrics.pinned()).isEqualTo((64 << 10) + (128 << 10) + (3 << 20));
        assertThat(metrics.reserved()).isEqualTo(metrics.pinned());
        assertThat(metrics.largeBlocks()).isEqualTo(1);
        assertThat(metrics.largeBytes()).isEqualTo(3 << 20);
    }

    @Test
    void blocksOfThreadsWithoutPoolsAreCounted() {
        open.add(allocator.allocate(100));
        assertThat(allocator.metrics().used()).isEqualTo(128);
        open.removeFirst().release();
        allocator.trim();
        assertThat(allocator.metrics().used()).isZero();
    }

    @Test
    void whatIsFreeBesideAnOpenBufferIsPinned() {
        allocator.attachThread();
        for (int i = 0; i < 3200; i++) {
            open.add(allocator.allocate(1000));
        }
        Buffer kept = open.removeLast();
        open.forEach(Buffer::release);
        open.clear();
        open.add(kept);
        AllocatorMetrics metrics = allocator.metrics();
        assertThat(metrics.used()).isEqualTo(1024);
        assertThat(metrics.pinned()).isEqualTo(32 << 10);
        assertThat(metrics.reserved()).isEqualTo(3200 << 10);
        allocator.trim();
        assertThat(allocator.reservedBytes()).isEqualTo(metrics.pinned());
    }
}
