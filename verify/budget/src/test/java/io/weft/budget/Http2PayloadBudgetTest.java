package io.weft.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.Setting;
import io.weft.http.http2.Settings;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Counts what a frame of DATA costs in objects whose payload is not copied, from the call to the
/// channel, once the JIT has settled.
class Http2PayloadBudgetTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAYLOAD = 4096;
    private static final int ROUND = 2000;
    private static final int ROUNDS = 100;
    private static final int WINDOW = Integer.MAX_VALUE - 65_535;

    private final OutgoingFrames frames = new OutgoingFrames(BufferAllocator::pooled);
    private final Consumer<Buffer> channel = Buffer::release;

    /// Hears nothing of interest.
    private static final class Silent implements Http2Events {
        @Override
        public void data(Http2Stream stream, Buffer data, boolean end) {
            data.release();
        }

        @Override
        public void trailers(Http2Stream stream, Headers trailers) {}

        @Override
        public void reset(Http2Stream stream, int code) {}

        @Override
        public void send(Http2Stream stream) {}

        @Override
        public void failed(Http2Exception cause) {
            throw cause;
        }
    }

    private Http2Stream open(Http2Connection h2) {
        h2.start();
        Buffer peer = BufferAllocator.pooled().allocate(64);
        FrameEncoder.settings(Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, WINDOW), peer);
        FrameEncoder.windowUpdate(0, WINDOW, peer);
        h2.receive(peer);
        RequestTarget target = RequestTarget.of("/");
        Headers headers = Headers.of("host", "weft.test");
        return h2.request(new RequestHead(Method.POST, "http", target, null, headers, -1), false);
    }

    private void drainIfFull() {
        if (frames.bytes() >= OutgoingFrames.FULL) {
            var _ = frames.drainTo(channel);
        }
    }

    /// Measures rounds until one is within the budget.
    private void measure(String what, Consumer<Http2Stream> frame) throws IOException {
        long budget = budget(what);
        long each = Long.MAX_VALUE;
        Http2Connection h2 =
                new Http2Connection(
                        Http2Connection.Role.CLIENT,
                        Http2Limits.DEFAULT,
                        () -> 0,
                        frames,
                        new Silent());
        try {
            Http2Stream stream = open(h2);
            for (int round = 0; round < ROUNDS && each > budget; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < ROUND; i++) {
                    frame.accept(stream);
                    drainIfFull();
                }
                each = (THREADS.getCurrentThreadAllocatedBytes() - before) / ROUND;
            }
            System.out.printf("bytes a frame of DATA, %s: %d%n", what, each);
            assertThat(stream.sent()).isPositive();
        } finally {
            h2.close();
            frames.release();
        }
        assertThat(each).isLessThanOrEqualTo(budget);
    }

    private static long budget(String what) throws IOException {
        Properties budgets = new Properties();
        try (InputStream in =
                Http2PayloadBudgetTest.class.getResourceAsStream("/http2-data.properties")) {
            budgets.load(in);
        }
        return Long.parseLong(budgets.getProperty(what));
    }

    @Test
    void aPayloadThatIsHandedOnStaysWithinItsBudget() throws IOException {
        try (Buffer payload =
                BufferAllocator.pooled().allocate(PAYLOAD).writeBytes(new byte[PAYLOAD])) {
            measure("reference", stream -> stream.data(payload.retain(), false));
        }
    }

    @Test
    void aPieceStaysWithinItsBudget() throws IOException {
        byte[] content = new byte[PAYLOAD];
        measure(
                "piece",
                stream -> {
                    Buffer piece = OutgoingFrames.piece(BufferAllocator.pooled(), PAYLOAD);
                    stream.frame(piece.writeBytes(content), false);
                });
    }
}
