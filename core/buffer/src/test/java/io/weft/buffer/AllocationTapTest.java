package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocationTapTest {
    private final List<Integer> heard = new ArrayList<>();

    @AfterEach
    void noTap() {
        AllocationTap.set(null);
    }

    @Test
    void hearsOfBuffersAndOfTheirGrowth() {
        AllocationTap.set(heard::add);
        try (Buffer buffer = BufferAllocator.pooled().allocate(320)) {
            buffer.writeOffset(320).writeByte(1);
        }
        assertThat(heard).containsExactly(320, 640);
    }

    @Test
    void aRefusedAllocationLeavesNothingBehind() {
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        assertThatThrownBy(() -> BufferAllocator.pooled().allocate(10))
                .isInstanceOf(MemoryLimitException.class);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void refusedGrowthLeavesTheBufferAsItWas() {
        try (Buffer buffer = BufferAllocator.pooled().allocate(256)) {
            buffer.writeOffset(256);
            AllocationTap.set(
                    capacity -> {
                        throw AllocationTap.refusal(capacity);
                    });
            assertThatThrownBy(() -> buffer.writeByte(1)).isInstanceOf(MemoryLimitException.class);
            assertThat(buffer.readableBytes()).isEqualTo(256);
        }
    }

    @Test
    void otherThreadsAreNotHeard() throws InterruptedException {
        AllocationTap.set(heard::add);
        Thread other =
                Thread.ofPlatform().start(() -> BufferAllocator.pooled().allocate(1).release());
        other.join();
        assertThat(heard).isEmpty();
    }
}
