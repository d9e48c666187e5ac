package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LedgerTest {
    private static WeakReference<Buffer> leaked() {
        return new WeakReference<>(BufferAllocator.pooled().allocate(16));
    }

    @Test
    void buffersAreOnItUntilTheirRelease() {
        assertThat(Ledger.isOn()).isTrue();
        Buffer a = BufferAllocator.pooled().allocate(16);
        Buffer b = BufferAllocator.pooled().allocate(16);
        a.release();
        assertThat(Ledger.takeOpen()).hasSize(1);
        assertThat(Ledger.takeOpen()).isEmpty();
        b.release();
    }

    @Test
    @Timeout(60)
    void itKeepsNoBufferFromBeingCollectedAndForgetsNone() {
        WeakReference<Buffer> buffer = leaked();
        while (buffer.get() != null) {
            System.gc();
        }
        assertThat(Ledger.takeOpen()).hasSize(1);
    }
}
