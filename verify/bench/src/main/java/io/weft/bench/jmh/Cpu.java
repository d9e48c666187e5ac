package io.weft.bench.jmh;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The parameter by which a benchmark method has a second row: CPU time of the measuring thread for
/// the bytes that it moved. The work of compilers and collectors meanwhile is not counted.
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Cpu {
    static final String NANOS = "cpuNanos";
    static final String BYTES = "movedBytes";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long start;
    private long moved;

    @Setup(Level.Iteration)
    public void begin() {
        moved = 0;
        start = THREADS.getCurrentThreadCpuTime();
    }

    public void moved(int bytes) {
        moved += bytes;
    }

    // JMH takes whatever is public and returns a number for a counter.

    public long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime() - start;
    }

    public long movedBytes() {
        return moved;
    }
}
