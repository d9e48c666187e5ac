package io.weft.bench.buffer;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import io.weft.buffer.leak.LeakDetector;
import io.weft.buffer.leak.LeakTracker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A resource followed from its allocation over some recorded accesses to its end, with every
/// resource followed. All sides record from the same depth of stack, which decides what a record
/// costs.
///
/// Literally, both detectors are at level paranoid; `Advanced` is the twin at the level that
/// production would have. Netty's records are the same at both, Weft's have fewer stacks at the
/// second.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ResourceLeakDetectorRecordBenchmark {
    private static final Object RESOURCE = new Object();

    /// An access that says what it was for.
    private static final String HINT = "the hint";

    @State(Scope.Thread)
    public static class Records {
        @Param({"8", "16"})
        int records;

        @Param({"false", "true"})
        boolean hint;
    }

    @State(Scope.Thread)
    public static class Weft {
        final LeakDetector paranoid =
                new LeakDetector("resource", LeakDetector.Level.PARANOID, 1, 4);
        final LeakDetector advanced =
                new LeakDetector("resource", LeakDetector.Level.ADVANCED, 1, 4);
    }

    @State(Scope.Thread)
    public static class Netty {
        final ResourceLeakDetector<Object> detector = new Muted();

        @Setup
        public void followAll() {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        }

        /// Says nothing of leaks, should there be any.
        private static final class Muted extends ResourceLeakDetector<Object> {
            Muted() {
                super(Object.class, 1);
            }

            @Override
            protected boolean needReport() {
                return false;
            }
        }
    }

    private static boolean record(LeakDetector detector, Records records) {
        LeakTracker tracker = detector.track(RESOURCE);
        if (tracker == null) {
            throw new IllegalStateException("the resource is not followed");
        }
        for (int i = 0; i < records.records; i++) {
            if (records.hint) {
                tracker.record(HINT);
            } else {
                tracker.record();
            }
        }
        return tracker.close();
    }

    private static boolean record(ResourceLeakDetector<Object> detector, Records records) {
        ResourceLeakTracker<Object> tracker = detector.track(RESOURCE);
        if (tracker == null) {
            throw new IllegalStateException("the resource is not followed");
        }
        for (int i = 0; i < records.records; i++) {
            if (records.hint) {
                tracker.record(HINT);
            } else {
                tracker.record();
            }
        }
        return tracker.close(RESOURCE);
    }

    @Benchmark
    public boolean weftParanoid(Weft weft, Records records) {
        return record(weft.paranoid, records);
    }

    @Benchmark
    public boolean nettyParanoid(Netty netty, Records records) {
        return record(netty.detector, records);
    }

    @Benchmark
    public boolean weftAdvanced(Weft weft, Records records) {
        return record(weft.advanced, records);
    }

    @Benchmark
    public boolean nettyAdvanced(Netty netty, Records records) {
        return record(netty.detector, records);
    }
}
