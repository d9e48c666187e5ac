package io.weft.bench.tls.openssl;

import io.netty.handler.ssl.SslProvider;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.handler.tls.TlsEngineKind;
import java.nio.ByteBuffer;
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

/// One record encrypted by one engine and decrypted by the other: OpenSSL through FFM beside Netty's BoringSSL. Weft's
/// buffers are allocated and released for each, Netty's are kept.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class OpenSslRecordBenchmark {
    @State(Scope.Thread)
    public static class Weft {
        @Param({"64", "1024", "16384"})
        int size;

        private Buffer data = BufferAllocator.pooled().allocate(0);

        @SuppressWarnings("NullAway.Init")
        private Sides.Weft sides;

        @SuppressWarnings("NullAway.Init")
        private WeftPair pair;

        @Setup
        public void setUp() throws SSLException {
            sides = new Sides.Weft(TlsEngineKind.OPENSSL, "TLSv1.3");
            try (Buffer first = BufferAllocator.pooled().allocate(1).writeByte(1)) {
                pair = sides.pair(false).shakeHands(first);
            }
            data.release();
            data = BufferAllocator.pooled().allocate(size);
        }

        @TearDown
        public void tearDown() {
            pair.close();
            sides.close();
            data.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @Param({"64", "1024", "16384"})
        int size;

        private ByteBuffer data = ByteBuffer.allocateDirect(0);

        @SuppressWarnings("NullAway.Init")
        private NettyPair pair;

        @Setup
        public void setUp() throws SSLException {
            pair =
                    new Sides.Netty(SslProvider.OPENSSL, "TLSv1.3", false)
                            .pair(false)
                            .shakeHands(ByteBuffer.allocateDirect(1));
            data = ByteBuffer.allocateDirect(size);
        }

        @TearDown
        public void tearDown() {
            pair.close();
        }
    }

    @Benchmark
    public long weftRecord(Weft weft) throws SSLException {
        weft.data.clear().writeOffset(weft.size);
        WeftPair pair = weft.pair;
        pair.server.engine.write(weft.data, pair.server);
        pair.server.sendTo(pair.client);
        return pair.client.received;
    }

    @Benchmark
    public int nettyRecord(Netty netty) throws SSLException {
        NettyPair pair = netty.pair;
        int received = pair.send(pair.server, pair.client, netty.data.clear());
        if (received != netty.size) {
            throw new IllegalStateException(
                    "received: " + received + " (expected: " + netty.size + ")");
        }
        return received;
    }
}
