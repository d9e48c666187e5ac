package io.weft.testkit;

import com.sun.management.ThreadMXBean;
import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One stream through one decoder, the way a connection feeds it: what it leaves unread is offered
/// again with more behind it, in another buffer. Writes down what comes out, and watches memory.
final class LabRun implements AutoCloseable {
    /// Reserved by a decoder whatever it received.
    private static final long FREE = 4096;

    /// Heap that decoding may take, garbage included: much, as each buffer has its stack trace on
    /// the ledger, but never what a length of four bytes can declare.
    private static final long HEAP_FREE = 1L << 20;

    private static final long HEAP_EACH = 16L << 10;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int MIN_BLOCK = 256;

    private final Subject subject;
    private final Machine machine;
    private final List<String> events = new ArrayList<>();

    /// The last event, if it is a piece that others were added to; else null.
    private @Nullable StringBuilder piece;

    private final long base = used();
    private @Nullable Buffer unread;
    private long received;
    private long heap;
    private boolean failed;

    /// Which allocation of the decoder's, from 1 on, fails; 0: none.
    private int failing;

    int allocations;

    LabRun(Subject subject) {
        this.subject = subject;
        if (subject.machine == null) {
            throw new IllegalStateException(subject.name + ": no decoder (expected: one)");
        }
        machine = subject.machine.get();
    }

    /// Returns the events that `wire`, cut at these places, gives.
    static List<String> trace(Subject subject, byte[] wire, int... cuts) {
        try (LabRun run = new LabRun(subject)) {
            int from = 0;
            for (int cut : cuts) {
                run.feed(wire, from, cut);
                from = cut;
            }
            run.feed(wire, from, wire.length);
            run.end();
            return run.events();
        }
    }

    static List<String> traceOfSingleBytes(Subject subject, byte[] wire) {
        try (LabRun run = new LabRun(subject)) {
            for (int i = 0; i < wire.length; i++) {
                run.feed(wire, i, i + 1);
            }
            run.end();
            return run.events();
        }
    }

    /// Returns the events that the first `length` bytes and then the end of input give.
    static List<String> traceOfPrefix(Subject subject, byte[] wire, int length) {
        try (LabRun run = new LabRun(subject)) {
            run.feed(wire, 0, length);
            run.end();
            return run.events();
        }
    }

    /// Runs with the `nth` allocation failing; false when there were fewer.
    static boolean failAllocation(Subject subject, byte[] wire, int nth) {
        try (LabRun run = new LabRun(subject)) {
            run.failing = nth;
            int half = wire.length / 2;
            try {
                run.feed(wire, 0, half);
                run.feed(wire, half, wire.length);
                run.end();
            } catch (MemoryLimitException e) {
                // Refused here, as it should be.
            }
            return run.allocations >= nth;
        }
    }

    void feed(byte[] wire, int from, int to) {
        Buffer before = unread;
        unread = null;
        int kept = before == null ? 0 : before.readableBytes();
        Buffer in = BufferAllocator.pooled().allocate(kept + to - from);
        if (before != null) {
            in.writeBytes(before);
            before.release();
        }
        in.writeBytes(wire, from, to - from);
        received += to - from;
        unread = in;
        guarded(() -> machine.decode(in, this::took));
        if (failed && !in.isReadable()) {
            return;
        }
        if (failed) {
            // After an error input is taken and ignored.
            int events = this.events.size();
            guarded(() -> machine.decode(in, this::took));
            if (in.isReadable() || this.events.size() != events) {
                throw new AssertionError(
                        subject + ": goes on after an error (expected: ignores its input)");
            }
        }
    }

    void end() {
        guarded(() -> machine.end(this::took));
    }

    private void took(Object message) {
        String event = subject.describe.apply(message);
        int last = events.size() - 1;
        if (event.startsWith(Subject.PIECE)
                && last >= 0
                && events.get(last).startsWith(Subject.PIECE)) {
            if (piece == null) {
                piece = new StringBuilder(events.get(last));
            }
            piece.append(event, Subject.PIECE.length(), event.length());
        } else {
            add(event);
        }
    }

    private void add(String event) {
        events().add(event);
    }

    private List<String> events() {
        if (piece != null) {
            events.set(events.size() - 1, piece.toString());
            piece = null;
        }
        return events;
    }

    private void guarded(Runnable call) {
        AllocationTap.set(this::allocating);
        long heapBefore = THREADS.getCurrentThreadAllocatedBytes();
        try {
            call.run();
        } catch (RuntimeException e) {
            boolean refusal = failing != 0 && e instanceof MemoryLimitException;
            if (refusal || !subject.error.isInstance(e)) {
                throw e;
            }
            if (failed) {
                throw new AssertionError(subject + ": a second error", e);
            }
            failed = true;
            add("error " + e.getClass().getSimpleName() + ": " + e.getMessage());
        } finally {
            AllocationTap.set(null);
        }
        heap += THREADS.getCurrentThreadAllocatedBytes() - heapBefore;
        checkMemory();
    }

    private void allocating(int capacity) {
        if (++allocations == failing) {
            throw AllocationTap.refusal(capacity);
        }
        check("one allocation", capacity, bound());
    }

    private long bound() {
        return Math.max(FREE, 2 * received) + subject.reserves;
    }

    private static long used() {
        BufferAllocator.pooled().settle(); // released is then free
        return BufferAllocator.pooled().metrics().used();
    }

    /// Blocks come in sizes, four a doubling: that much more than asked for is allowed.
    private void checkMemory() {
        Buffer in = unread;
        long mine = in == null ? 0 : in.capacity();
        long rounding = (mine + bound()) / 4 + MIN_BLOCK;
        check("reserved", used() - base - mine, bound() + rounding);
        check("heap", heap, HEAP_FREE + HEAP_EACH * received + 2 * subject.reserves);
    }

    private void check(String what, long bytes, long bound) {
        if (bytes > bound) {
            throw new AssertionError(
                    subject
                            + ": "
                            + what
                            + ": "
                            + bytes
                            + " bytes after receiving "
                            + received
                            + " (expected: at most "
                            + bound
                            + ")");
        }
    }

    @Override
    public void close() {
        machine.close();
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    static Consumer<Object> nowhere(Subject subject) {
        return message -> {
            var _ = subject.describe.apply(message);
        };
    }
}
