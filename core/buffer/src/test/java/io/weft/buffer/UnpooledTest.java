package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.ffi.Pages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnpooledTest {
    private final BufferAllocator pooled = new BufferAllocator(new MemoryBudget(4 << 20));
    private final BufferAllocator unpooled = pooled.withoutPools();

    @AfterEach
    void nothingIsLeft() {
        pooled.detachThread();
        pooled.trim();
        assertThat(pooled.reservedBytes()).isZero();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void eachBufferHasPagesOfItsOwnAndGivesThemBackAtOnce() {
        unpooled.attachThread();
        Buffer one = unpooled.allocate(100);
        Buffer two = unpooled.allocate(Pages.SIZE + 1);
        assertThat(unpooled.reservedBytes()).isEqualTo(3L * Pages.SIZE);
        assertThat(unpooled.metrics().used()).isEqualTo(3L * Pages.SIZE);
        one.release();
        two.release();
        assertThat(unpooled.reservedBytes()).isZero();
        unpooled.detachThread();
    }

    @Test
    void copiesAndGrownBuffersAreUnpooledToo() {
        Buffer buffer = unpooled.allocate(100);
        buffer.writeOffset(100).ensureWritable(2 * Pages.SIZE);
        Buffer copy = buffer.copy();
        assertThat(unpooled.metrics().largeBlocks()).isEqualTo(2);
        assertThat(pooled.metrics().used()).isZero();
        buffer.release();
        copy.release();
    }

    @Test
    void bothHaveOneCap() {
        pooled.attachThread();
        List<Buffer> open = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            open.add(pooled.allocate(1000));
        }
        assertThatThrownBy(() -> unpooled.allocate(2 << 20))
                .isInstanceOf(MemoryLimitException.class);
        open.forEach(Buffer::release);
        unpooled.allocate(2 << 20).release();
        assertThat(BufferAllocator.unpooled()).isSameAs(BufferAllocator.unpooled());
        assertThat(BufferAllocator.unpooled().limitBytes())
                .isEqualTo(BufferAllocator.pooled().limitBytes());
    }
}
