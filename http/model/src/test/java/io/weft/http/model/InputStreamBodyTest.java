package io.weft.http.model;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.BodySource.Step;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A body that is read from an [InputStream].
class InputStreamBodyTest {
    private final Semaphore woken = new Semaphore(0);

    /// Gives what the test puts there, and waits for more; an empty text is the end.
    private static final class Events extends InputStream {
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            String event;
            try {
                event = events.take();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (event.equals("fail")) {
                throw new IOException("on purpose");
            }
            byte[] text = event.getBytes(US_ASCII);
            System.arraycopy(text, 0, bytes, offset, text.length);
            return text.length == 0 ? -1 : text.length;
        }
    }

    private BodySource source(InputStream in) throws IOException {
        BodySource source = Body.of(in).source();
        source.onWake(woken::release);
        return source;
    }

    /// Reads until something is there, or the end is.
    private String next(BodySource source) throws Exception {
        try (Buffer out = BufferAllocator.pooled().allocate(1000)) {
            Step step = source.read(out);
            while (step == Step.WAIT && !out.isReadable()) {
                assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                step = source.read(out);
            }
            return out.readString(US_ASCII);
        }
    }

    @Test
    void streamThatIsNeverReadIsClosed() throws Exception {
        CountDownLatch closed = new CountDownLatch(2);
        InputStream in =
                new ByteArrayInputStream(new byte[1]) {
                    @Override
                    public void close() {
                        closed.countDown();
                    }
                };
        Body.of(in).source().close();
        Body.of(in, 1).source().close();
        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void eventsAreNotHeldBackUntilAPieceIsFull() throws Exception {
        Events in = new Events();
        BodySource source = source(in);
        for (int i = 0; i < 3; i++) {
            in.events.add("event " + i);
            assertThat(next(source)).isEqualTo("event " + i);
        }
        in.events.add("");
        assertThat(next(source)).isEmpty();
    }

    @Test
    void whatCameBeforeAFailureIsRead() throws Exception {
        Events in = new Events();
        BodySource source = source(in);
        in.events.add("event");
        assertThat(next(source)).isEqualTo("event");
        in.events.add("fail");
        assertThatThrownBy(() -> next(source)).hasRootCauseMessage("on purpose");
    }

    @Test
    void streamInMemoryIsReadToItsEnd() throws Exception {
        String text = "0123456789".repeat(10_000);
        BodySource source = source(new ByteArrayInputStream(text.getBytes(US_ASCII)));
        StringBuilder all = new StringBuilder();
        String piece = next(source);
        while (!piece.isEmpty()) {
            all.append(piece);
            piece = next(source);
        }
        assertThat(all).hasToString(text);
    }
}
