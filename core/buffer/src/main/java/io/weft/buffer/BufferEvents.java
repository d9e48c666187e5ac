package io.weft.buffer;

import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// Events of JFR about memory, which are made only while JFR runs.
///
/// The first use of an event class, if only of a static method, has JFR register it, which takes up
/// to half a second of a start. So the question stands here, before those classes.
final class BufferEvents {
    private BufferEvents() {}

    /// Loads what asks, and the events where JFR runs already. When memory runs out, descriptors
    /// may have too, and then no class can be loaded.
    static void prepare() {
        if (FlightRecorder.isInitialized()) {
            List<Event> _ =
                    List.of(new ChunkEvent(), new LargeEvent(), new TrimEvent(), new LimitEvent());
        }
    }

    static void chunk(boolean taken, long size, int chunks) {
        if (FlightRecorder.isInitialized()) {
            ChunkEvent.emit(taken, size, chunks);
        }
    }

    static void large(boolean allocated, long size, MemoryBudget budget) {
        if (FlightRecorder.isInitialized()) {
            LargeEvent.emit(allocated, size, budget);
        }
    }

    static void trim(long size, MemoryBudget budget) {
        if (FlightRecorder.isInitialized()) {
            TrimEvent.emit(size, budget);
        }
    }

    static void limit(long wanted, long reserved, long limit) {
        if (FlightRecorder.isInitialized()) {
            LimitEvent.emit(wanted, reserved, limit);
        }
    }

    @Name("io.weft.BufferChunk")
    @Label("Buffer Chunk")
    @Category("Weft")
    @Description("A pool of buffers took a range of addresses, or gave it back")
    static final class ChunkEvent extends Event {
        @Label("Taken")
        @Description("False when it was given back")
        boolean taken;

        @Label("Size")
        @DataAmount
        long size;

        @Label("Chunks")
        @Description("Of this pool, after this")
        int chunks;

        static void emit(boolean taken, long size, int chunks) {
            ChunkEvent event = new ChunkEvent();
            if (event.isEnabled()) {
                event.taken = taken;
                event.size = size;
                event.chunks = chunks;
                event.commit();
            }
        }
    }

    @Name("io.weft.BufferLarge")
    @Label("Large Buffer")
    @Category("Weft")
    @Description("Memory for a buffer was reserved singly, or given back")
    static final class LargeEvent extends Event {
        @Label("Allocated")
        @Description("False when it was given back")
        boolean allocated;

        @Label("Size")
        @DataAmount
        long size;

        @Label("Reserved")
        @Description("For all buffers, after this")
        @DataAmount
        long reserved;

        static void emit(boolean allocated, long size, MemoryBudget budget) {
            LargeEvent event = new LargeEvent();
            if (event.isEnabled()) {
                event.allocated = allocated;
                event.size = size;
                event.reserved = budget.reserved();
                event.commit();
            }
        }
    }

    @Name("io.weft.BufferTrim")
    @Label("Buffer Trim")
    @Category("Weft")
    @Description("A pool of buffers gave free memory back to the system")
    static final class TrimEvent extends Event {
        @Label("Size")
        @DataAmount
        long size;

        @Label("Reserved")
        @Description("For all buffers, after this")
        @DataAmount
        long reserved;

        static void emit(long size, MemoryBudget budget) {
            TrimEvent event = new TrimEvent();
            if (event.isEnabled()) {
                event.size = size;
                event.reserved = budget.reserved();
                event.commit();
            }
        }
    }

    @Name("io.weft.BufferLimit")
    @Label("Buffer Limit")
    @Category("Weft")
    @Description("An allocation failed: the cap was reached, or the system had no more memory")
    static final class LimitEvent extends Event {
        @Label("Wanted")
        @DataAmount
        long wanted;

        @Label("Reserved")
        @DataAmount
        long reserved;

        @Label("Limit")
        @DataAmount
        long limit;

        static void emit(long wanted, long reserved, long limit) {
            LimitEvent event = new LimitEvent();
            if (event.isEnabled()) {
                event.wanted = wanted;
                event.reserved = reserved;
                event.limit = limit;
                event.commit();
            }
        }
    }
}
