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

/// Handshakes of both ends, made, shaken and freed, up to the first byte: OpenSSL through FFM beside Netty's BoringSSL.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class OpenSslHandshakeBenchmark {
    @State(Scope.Thread)
    public static class Weft {
        @Param({"TLSv1.3", "TLSv1.2"})
        String protocol = "";

        private Buffer first = BufferAllocator.pooled().allocate(1);

        @SuppressWarnings("NullAway.Init")
        private Sides.Weft sides;

        @Setup
        public void setUp() throws SSLException {
            sides = new Sides.Weft(TlsEngineKind.OPENSSL, protocol);
            handshake(true);
            handshake(true);
        }

        boolean handshake(boolean resumes) throws SSLException {
            first.clear().writeByte(1);
            try (WeftPair pair = sides.pair(resumes).shakeHands(first)) {
                return pair.resumed();
            }
        }

        @TearDown
        public void tearDown() {
            first.release();
            sides.close();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @Param({"TLSv1.3", "TLSv1.2"})
        String protocol = "";

        private final ByteBuffer first = ByteBuffer.allocateDirect(1);

        @SuppressWarnings("NullAway.Init")
        private Sides.Netty full;

        @SuppressWarnings("NullAway.Init")
        private Sides.Netty resumed;

        @Setup
        public void setUp() throws SSLException {
            full = new Sides.Netty(SslProvider.OPENSSL, protocol, false);
            resumed = new Sides.Netty(SslProvider.OPENSSL, protocol, true);
            handshake(true);
            handshake(true);
        }

        int handshake(boolean resumes) throws SSLException {
            first.clear();
            Sides.Netty sides = resumes ? resumed : full;
            try (NettyPair pair = sides.pair(resumes).shakeHands(first)) {
                return pair.flight;
            }
        }
    }

    private static void expect(boolean resumed, boolean is, Object seen) {
        if (resumed != is) {
            throw new IllegalStateException(
                    "resumed: " + is + ", " + seen + " (expected: " + resumed + ")");
        }
    }

    /// Less than a server sends that shows a certificate.
    private static final int RESUMED_FLIGHT = 600;

    @Benchmark
    public boolean weftFull(Weft weft) throws SSLException {
        boolean is = weft.handshake(false);
        expect(false, is, "");
        return is;
    }

    @Benchmark
    public int nettyFull(Netty netty) throws SSLException {
        int flight = netty.handshake(false);
        expect(false, flight < RESUMED_FLIGHT, flight);
        return flight;
    }

    @Benchmark
    public boolean weftResumed(Weft weft) throws SSLException {
        boolean is = weft.handshake(true);
        expect(true, is, "");
        return is;
    }

    @Benchmark
    public int nettyResumed(Netty netty) throws SSLException {
        int flight = netty.handshake(true);
        expect(true, flight < RESUMED_FLIGHT, flight);
        return flight;
    }
}
