package io.weft.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Counts what one frame of DATA costs in objects, written and read, once the JIT has settled.
class Http2DataBudgetTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FRAME = 1024;
    private static final int BATCH = 16;
    private static final int ROUND = 2000;
    private static final int ROUNDS = 100;

    /// One side, whose frames gather in a buffer of its own.
    private static final class Side implements Http2Events, AutoCloseable {
        final Buffer out = BufferAllocator.pooled().allocate(64 << 10);
        final Http2Connection h2;
        @Nullable Http2Stream stream;
        long received;
        private final Buffer payload =
                BufferAllocator.pooled().allocate(FRAME).writeBytes(new byte[FRAME]);

        Side(Http2Connection.Role role) {
            h2 = new Http2Connection(role, Http2Limits.DEFAULT, () -> 0, () -> out, this);
            h2.start();
        }

        /// Writes a batch of frames, as many as the peer's windows take.
        int write() {
            Http2Stream to = stream;
            int frames = 0;
            while (to != null && frames < BATCH && to.room() >= FRAME) {
                to.data(payload.retain().readOffset(0), false);
                frames++;
            }
            return frames;
        }

        @Override
        public void request(Http2Stream opened, RequestHead head, boolean end) {
            stream = opened;
        }

        @Override
        public void data(Http2Stream from, Buffer data, boolean end) {
            int length = data.readableBytes();
            received += length;
            data.release();
            from.consumed(length);
        }

        @Override
        public void trailers(Http2Stream from, Headers trailers) {}

        @Override
        public void reset(Http2Stream from, int code) {
            throw new IllegalStateException(from + ": reset with " + code);
        }

        @Override
        public void send(Http2Stream to) {}

        @Override
        public void failed(Http2Exception cause) {
            throw cause;
        }

        @Override
        public void close() {
            h2.close();
            out.release();
            payload.release();
        }
    }

    private static void move(Side from, Side to) {
        Buffer bytes = BufferAllocator.pooled().allocate(Math.max(1, from.out.readableBytes()));
        bytes.writeBytes(from.out);
        from.out.clear();
        to.h2.receive(bytes);
    }

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    @Test
    void aFrameOfDataStaysWithinItsBudget() throws IOException {
        Properties budgets = new Properties();
        try (InputStream in =
                Http2DataBudgetTest.class.getResourceAsStream("/http2-data.properties")) {
            budgets.load(in);
        }
        long mostWritten = Long.parseLong(budgets.getProperty("write"));
        long mostRead = Long.parseLong(budgets.getProperty("read"));
        try (Side client = new Side(Http2Connection.Role.CLIENT);
                Side server = new Side(Http2Connection.Role.SERVER)) {
            move(client, server);
            move(server, client);
            client.stream =
                    client.h2.request(
                            new RequestHead(
                                    Method.POST,
                                    "http",
                                    RequestTarget.of("/"),
                                    null,
                                    Headers.of("host", "weft.test"),
                                    -1),
                            false);
            move(client, server);
            long written = Long.MAX_VALUE;
            long read = Long.MAX_VALUE;
            for (int round = 0;
                    round < ROUNDS && (written > mostWritten || read > mostRead);
                    round++) {
                long frames = 0;
                written = 0;
                read = 0;
                for (int i = 0; i < ROUND; i++) {
                    long before = allocated();
                    frames += client.write();
                    long between = allocated();
                    move(client, server);
                    long after = allocated();
                    move(server, client);
                    written += between - before;
                    read += after - between;
                }
                assertThat(frames).isPositive();
                written /= frames;
                read /= frames;
            }
            System.out.printf("bytes a frame of DATA: written %d, read %d%n", written, read);
            assertThat(server.received).isPositive();
            assertThat(written).isLessThanOrEqualTo(mostWritten);
            assertThat(read).isLessThanOrEqualTo(mostRead);
        }
    }
}
