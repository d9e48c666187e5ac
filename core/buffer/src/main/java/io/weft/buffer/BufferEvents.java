package io.weft.buffer;

import jdk.jfr.FlightRecorder;

/// Events of JFR about memory, which are made only while JFR runs.
///
/// The first use of an event class, if only of a static method, has JFR register it, which takes up
/// to half a second of a start. So the question stands here, before those classes.
final class BufferEvents {
    private BufferEvents() {}

    /// Loads what asks. When memory runs out, descriptors may have too, and then no class can be
    /// loaded.
    static void prepare() {
        var _ = FlightRecorder.isInitialized();
    }

    static void chunk(boolean taken, long size, int chunks) {
        if (FlightRecorder.isInitialized()) {
            BufferChunkEvent.emit(taken, size, chunks);
        }
    }

    static void large(boolean allocated, long size, MemoryBudget budget) {
        if (FlightRecorder.isInitialized()) {
            BufferLargeEvent.emit(allocated, size, budget);
        }
    }

    static void trim(long size, MemoryBudget budget) {
        if (FlightRecorder.isInitialized()) {
            BufferTrimEvent.emit(size, budget);
        }
    }

    static void limit(long wanted, long reserved, long limit) {
        if (FlightRecorder.isInitialized()) {
            BufferLimitEvent.emit(wanted, reserved, limit);
        }
    }
}
