package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
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

    private static void firstRelease(Buffer buffer) {
        buffer.release();
    }

    @Test
    void aSecondReleaseNamesTheFirst() {
        Buffer buffer = BufferAllocator.pooled().allocate(16);
        firstRelease(buffer);
        for (Runnable misuse :
                List.<Runnable>of(buffer::release, buffer::retain, () -> buffer.getByte(0))) {
            Throwable thrown = catchThrowable(misuse::run);
            assertThat(thrown)
                    .isInstanceOf(IllegalReferenceCountException.class)
                    .hasMessage("references: 0 (expected: at least 1)");
            Throwable first = Objects.requireNonNull(thrown.getCause());
            assertThat(first).hasMessage("released by " + Thread.currentThread().getName());
            assertThat(first.getStackTrace())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("firstRelease");
        }
    }

    @Test
    void anOpenBufferHasNoRelease() {
        Buffer buffer = BufferAllocator.pooled().allocate(16);
        assertThat(Ledger.releaseOf(buffer)).isNull();
        buffer.release();
    }
}
