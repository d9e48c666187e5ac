package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A source of a body, read by a thread that blocks.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BodyInputStreamTest {
    /// Has nothing until it is closed.
    private static final class Silent implements BodySource {
        final CountDownLatch asked = new CountDownLatch(1);
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public Step read(Buffer out) {
            asked.countDown();
            return closed.get() > 0 ? Step.END : Step.WAIT;
        }

        @Override
        public void close() {
            var _ = closed.incrementAndGet();
        }
    }

    private final Silent silent = new Silent();
    private final InputStream in = Body.of(silent).asInputStream();

    @Test
    void interruptGivesTheBodyUp() throws Exception {
        AtomicReference<Throwable> outcome = new AtomicReference<>();
        Thread reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        var _ = in.read();
                                    } catch (IOException e) {
                                        outcome.set(e);
                                    }
                                });
        silent.asked.await();
        reader.interrupt();
        reader.join();
        assertThat(outcome.get()).isInstanceOf(InterruptedIOException.class);
        assertThat(silent.closed).hasValue(1);
        in.close();
        assertThat(silent.closed).hasValue(1);
        assertThatThrownBy(in::read).hasMessageContaining("closed");
    }

    @Test
    void closeByAnotherThreadEndsTheRead() throws Exception {
        Thread closer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        silent.asked.await();
                                        in.close();
                                    } catch (IOException | InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        assertThat(in.read()).isEqualTo(-1);
        closer.join();
    }
}
