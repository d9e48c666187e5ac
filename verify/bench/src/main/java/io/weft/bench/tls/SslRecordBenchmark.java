package io.weft.bench.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslProvider;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// One message encrypted by one side and decrypted by the other.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SslRecordBenchmark {
    @State(Scope.Thread)
    public static class Size {
        /// A small record, a full one, and four full ones.
        @Param({"64", "16384", "65536"})
        int size;
    }

    @State(Scope.Thread)
    public static class Weft {
        private final WeftPair pair = pair();

        private static WeftPair pair() {
            try {
                return new WeftPair(Contexts.weftClient(), Contexts.weftServer(), 1);
            } catch (SSLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Setup
        public void connect() throws SSLException {
            var _ = pair.shakeHands();
        }

        @TearDown
        public void close() {
            pair.close();
        }

        int send(int size) throws SSLException {
            try (Buffer plaintext = BufferAllocator.pooled().allocate(size).writeOffset(size)) {
                return pair.send(plaintext);
            }
        }
    }

    /// Of one provider.
    abstract static class Connected {
        private final NettyPair pair;

        Connected(SslProvider provider) {
            pair =
                    new NettyPair(
                            SslHandshakeBenchmark.context(true, provider),
                            SslHandshakeBenchmark.context(false, provider),
                            1);
        }

        @Setup
        public void connect() {
            var _ = pair.shakeHands();
        }

        @TearDown
        public void close() {
            pair.close();
        }

        int send(int size) {
            ByteBuf plaintext = ByteBufAllocator.DEFAULT.directBuffer(size).writerIndex(size);
            return pair.send(plaintext);
        }
    }

    @State(Scope.Thread)
    public static class Netty extends Connected {
        public Netty() {
            super(SslProvider.JDK);
        }
    }

    @State(Scope.Thread)
    public static class Tcnative extends Connected {
        public Tcnative() {
            super(SslProvider.OPENSSL_REFCNT);
        }
    }

    @Benchmark
    public int weftRecords(Weft weft, Size size) throws SSLException {
        return weft.send(size.size);
    }

    @Benchmark
    public int nettyRecords(Netty netty, Size size) {
        return netty.send(size.size);
    }

    @Benchmark
    public int nettyTcnativeRecords(Tcnative tcnative, Size size) {
        return tcnative.send(size.size);
    }
}
