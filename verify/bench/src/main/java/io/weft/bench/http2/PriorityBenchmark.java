package io.weft.bench.http2;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.StreamByteDistributor;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.codec.http2.WeightedFairQueueByteDistributor;
import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The order of streams: each has a frame of 1 KiB to send, and every one gets its turn once. The
/// frames are counted, not written.
///
/// The streams of Weft have eight urgencies and both kinds of turns; those of Netty's fair queue
/// sixteen weights.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PriorityBenchmark {
    private static final int FRAME = 1024;

    @State(Scope.Thread)
    public static class Weft {
        @Param({"100", "1000"})
        int streams;

        private @Nullable WeftSender sender;

        @Setup
        public void make() {
            List<String> priorities = new ArrayList<>();
            for (int urgency = 0; urgency < 8; urgency++) {
                priorities.add("u=" + urgency);
                priorities.add("u=" + urgency + ", i");
            }
            sender = new WeftSender(streams, priorities, Buffer::release);
        }

        @TearDown
        public void release() {
            Objects.requireNonNull(sender).close();
        }
    }

    /// The distributors of Netty.
    enum Distributor {
        FAIR_QUEUE,
        UNIFORM
    }

    @State(Scope.Thread)
    public static class Netty {
        @Param({"100", "1000"})
        int streams;

        private final List<Pending> pending = new ArrayList<>();
        private @Nullable StreamByteDistributor distributor;
        private long served;

        void make(Distributor kind) throws Http2Exception {
            DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
            StreamByteDistributor made =
                    switch (kind) {
                        case FAIR_QUEUE -> new WeightedFairQueueByteDistributor(connection);
                        case UNIFORM -> new UniformStreamByteDistributor(connection);
                    };
            for (int i = 0; i < streams; i++) {
                Http2Stream stream = connection.local().createStream(2 * i + 3, false);
                pending.add(new Pending(stream));
                if (kind == Distributor.FAIR_QUEUE) {
                    made.updateDependencyTree(stream.id(), 0, (short) (1 + 16 * (i % 16)), false);
                }
            }
            distributor = made;
        }

        long serveAll() throws Http2Exception {
            StreamByteDistributor all = Objects.requireNonNull(distributor);
            for (Pending stream : pending) {
                stream.bytes = FRAME;
                all.updateStreamableBytes(stream);
            }
            boolean more = true;
            while (more) {
                more = all.distribute(streams * FRAME, this::write);
            }
            return served;
        }

        /// As Netty's own flow controller does, tells the distributor what is left: the fair queue
        /// would else serve a stream that has nothing for ever.
        private void write(Http2Stream stream, int bytes) {
            if (bytes > 0) {
                Pending of = pending.get((stream.id() - 3) / 2);
                of.bytes -= bytes;
                Objects.requireNonNull(distributor).updateStreamableBytes(of);
                served++;
            }
        }
    }

    @State(Scope.Thread)
    public static class FairQueue extends Netty {
        @Setup
        public void make() throws Http2Exception {
            super.make(Distributor.FAIR_QUEUE);
        }
    }

    @State(Scope.Thread)
    public static class Uniform extends Netty {
        @Setup
        public void make() throws Http2Exception {
            super.make(Distributor.UNIFORM);
        }
    }

    private static final class Pending implements StreamByteDistributor.StreamState {
        private final Http2Stream stream;
        private long bytes;

        Pending(Http2Stream stream) {
            this.stream = stream;
        }

        @Override
        public Http2Stream stream() {
            return stream;
        }

        @Override
        public long pendingBytes() {
            return bytes;
        }

        @Override
        public boolean hasFrame() {
            return bytes > 0;
        }

        @Override
        public int windowSize() {
            return 1 << 20;
        }
    }

    @Benchmark
    public long weftServe(Weft weft) {
        return Objects.requireNonNull(weft.sender).serveAll();
    }

    @Benchmark
    public long nettyFairQueueServe(FairQueue netty) throws Http2Exception {
        return netty.serveAll();
    }

    @Benchmark
    public long nettyUniformServe(Uniform netty) throws Http2Exception {
        return netty.serveAll();
    }
}
