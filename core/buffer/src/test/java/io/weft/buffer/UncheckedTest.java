package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs in a JVM of its own with `-Dio.weft.checkBounds=false -Dio.weft.checkAccessible=false`.
/// What is accessed wrongly here is memory of the test's own: the rest of a larger buffer, and a
/// released block, which nobody else gets meanwhile.
@Tag("unchecked")
class UncheckedTest {
    @BeforeEach
    void attach() {
        assertThat(System.getProperty("io.weft.checkBounds")).isEqualTo("false");
        BufferAllocator.pooled().attachThread();
    }

    @AfterEach
    void everyBufferWasReleased() {
        BufferAllocator.pooled().detachThread();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void anIndexIsNotChecked() {
        Buffer whole = BufferAllocator.pooled().allocate(256);
        Buffer b = whole.slice(0, 16);
        b.setLong(100, 7);
        assertThat(b.getLong(100)).isEqualTo(7);
        assertThat(whole.getByte(107)).isEqualTo((byte) 7);
        b.release();
        whole.release();
    }

    @Test
    void aReleasedBufferIsNotFoundOut() {
        Buffer b = BufferAllocator.pooled().allocate(16).writeLong(7);
        b.release();
        b.setLong(8, 8);
        assertThat(b.getLong(8)).isEqualTo(8);
        b.readOffset(0);
        assertThat(b.readableBytes()).isEqualTo(8);
        b.readLong();
    }

    @Test
    void whatCostsNothingIsCheckedStill() {
        Buffer b = BufferAllocator.pooled().allocate(16).writeLong(7);
        Buffer readOnly = b.asReadOnly();
        assertThatThrownBy(() -> readOnly.setByte(0, 1))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(() -> b.skipReadable(9)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> b.slice(10, 7)).isInstanceOf(IndexOutOfBoundsException.class);
        readOnly.release();
        b.release();
        assertThatThrownBy(b::release).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::retain).isInstanceOf(IllegalReferenceCountException.class);
    }

    /// Everything else is as it is with checks.
    @Nested
    class Contract extends BufferContractTest {}
}
