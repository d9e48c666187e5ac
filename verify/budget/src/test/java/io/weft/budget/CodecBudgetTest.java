package io.weft.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.Output;
import io.weft.codec.StepDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Counts what the parts that all codecs share cost in objects, once the JIT has settled: a change
/// here moves every protocol.
class CodecBudgetTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 2000;
    private static final int ROUNDS = 2000;

    private static final byte[] SMALL = new byte[40];
    private static final int LARGE = 4096;
    private static final int FRAME = 64;

    private final Buffer large =
            BufferAllocator.pooled().allocate(LARGE).writeBytes(new byte[LARGE]);
    private long bytes;

    /// Made once: a new one for each call is an object that the JIT leaves out in some runs only.
    private final Consumer<Buffer> sink = this::take;

    private void take(Buffer buffer) {
        bytes += buffer.readableBytes();
        buffer.release();
    }

    @AfterEach
    void release() {
        large.release();
    }

    /// Takes frames of one length, and hands out a constant for each.
    private static final class Frames extends StepDecoder<String> {
        @Override
        protected boolean step(Buffer in, Consumer<? super String> out) {
            if (in.readableBytes() < FRAME) {
                return false;
            }
            in.skipReadable(FRAME);
            out.accept("frame");
            return true;
        }
    }

    /// Runs an operation until one round of it is within its budget, at most [#ROUNDS] rounds.
    ///
    /// @param operation returns a number of what it has done, for which the budget is
    private static void check(String name, IntSupplier operation) throws IOException {
        Properties budgets = new Properties();
        try (InputStream in = CodecBudgetTest.class.getResourceAsStream("/codec.properties")) {
            budgets.load(in);
        }
        long budget = Long.parseLong(budgets.getProperty(name));
        long each = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && each > budget; round++) {
            long count = 0;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUND; i++) {
                count += operation.getAsInt();
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(count).isPositive();
            each = allocated / count;
        }
        System.out.printf("%s: %d bytes%n", name, each);
        assertThat(each).isLessThanOrEqualTo(budget);
    }

    private static void small(Output out) {
        out.buffer(SMALL.length).writeBytes(SMALL);
    }

    private void large(Output out) {
        out.add(large.retain());
    }

    @Test
    void smallMessagesStayWithinTheirBudget() throws IOException {
        try (Output out = new Output()) {
            check(
                    "output.small",
                    () -> {
                        for (int i = 0; i < 16; i++) {
                            small(out);
                        }
                        out.drain(sink);
                        return 16;
                    });
        }
        assertThat(bytes).isPositive();
    }

    @Test
    void largeMessagesWithHeadsStayWithinTheirBudget() throws IOException {
        try (Output out = new Output()) {
            check(
                    "output.large",
                    () -> {
                        for (int i = 0; i < 4; i++) {
                            small(out);
                            large(out);
                        }
                        out.drain(sink);
                        return 4;
                    });
        }
    }

    @Test
    void outputsOfOneMessageStayWithinTheirBudget() throws IOException {
        check(
                "output.new",
                () -> {
                    try (Output out = new Output()) {
                        small(out);
                        large(out);
                        out.drain(sink);
                    }
                    return 1;
                });
    }

    @Test
    void messagesThatAreTakenBackStayWithinTheirBudget() throws IOException {
        try (Output out = new Output()) {
            check(
                    "output.rollback",
                    () -> {
                        Output.Mark mark = out.mark();
                        small(out);
                        large(out);
                        out.rollback(mark);
                        return 1;
                    });
        }
    }

    @Test
    void receivesOfWholeFramesStayWithinTheirBudget() throws IOException {
        check("decode.whole", receive(16 * FRAME));
    }

    @Test
    void receivesOfPartsOfFramesStayWithinTheirBudget() throws IOException {
        check("decode.cut", receive(FRAME / 2 * 3));
    }

    /// Decodes what is received in buffers of one length; returns the number of receives.
    private static IntSupplier receive(int length) {
        byte[] received = new byte[length];
        Cumulation cumulation = new Cumulation();
        Frames decoder = new Frames();
        Consumer<String> ignored = _ -> {};
        return () -> {
            for (int i = 0; i < 4; i++) {
                Buffer in = BufferAllocator.pooled().allocate(length).writeBytes(received);
                decoder.decode(cumulation.add(in), ignored);
                cumulation.trim();
            }
            return 4;
        };
    }
}
