package io.weft.bench.tls;

import io.weft.tls.machine.TlsEngineKind;
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

/// Netty's benchmark of this name, over TLS 1.2 as there: `numWrites` messages are written, flushed
/// once, and decrypted by the other side. Nothing comes back there either.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SslHandlerEchoBenchmark {
    @State(Scope.Thread)
    public static class Terms {
        @Param TlsEngineKind engine = TlsEngineKind.JDK;

        @Param({"64", "128", "512", "1024", "4096"})
        int messageSize;

        @Param({"1", "2", "5", "10"})
        int numWrites;

        Contexts contexts() {
            return new Contexts(engine, "TLSv1.2");
        }

        int expect(int received) {
            int sent = messageSize * numWrites;
            if (received != sent) {
                throw new IllegalStateException(
                        "received: " + received + " (expected: " + sent + ")");
            }
            return received;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        @SuppressWarnings("NullAway.Init")
        private WeftPair pair;

        @Setup
        public void connect(Terms terms) throws SSLException {
            pair = WeftPair.connected(terms.contexts());
        }

        @TearDown
        public void close() {
            pair.close();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @SuppressWarnings("NullAway.Init")
        private NettyPair pair;

        @Setup
        public void connect(Terms terms) throws SSLException {
            pair = NettyPair.connected(terms.contexts());
        }

        @TearDown
        public void close() {
            pair.close();
        }
    }

    @Benchmark
    public int weftWrapUnwrap(Weft weft, Terms terms) {
        return terms.expect(weft.pair.send(terms.messageSize, terms.numWrites));
    }

    @Benchmark
    public int nettyWrapUnwrap(Netty netty, Terms terms) {
        return terms.expect(netty.pair.send(terms.messageSize, terms.numWrites));
    }
}
