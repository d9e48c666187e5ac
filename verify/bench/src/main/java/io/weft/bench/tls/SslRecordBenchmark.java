package io.weft.bench.tls;

import io.weft.bench.jmh.Cpu;
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

/// One message encrypted by one side and decrypted by the other, over TLS 1.3, and the CPU time of
/// both for each gigabyte.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SslRecordBenchmark {
    @State(Scope.Thread)
    public static class Terms {
        @Param TlsEngineKind engine = TlsEngineKind.JDK;

        /// Small records, a full one, and four full ones.
        @Param({"64", "1024", "16384", "65536"})
        int size;

        Contexts contexts() {
            return new Contexts(engine, "TLSv1.3");
        }

        int expect(int received) {
            if (received != size) {
                throw new IllegalStateException(
                        "received: " + received + " (expected: " + size + ")");
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
    public int weftRecords(Weft weft, Terms terms, Cpu cpu) {
        cpu.moved(terms.size);
        return terms.expect(weft.pair.send(terms.size, 1));
    }

    @Benchmark
    public int nettyRecords(Netty netty, Terms terms, Cpu cpu) {
        cpu.moved(terms.size);
        return terms.expect(netty.pair.send(terms.size, 1));
    }
}
