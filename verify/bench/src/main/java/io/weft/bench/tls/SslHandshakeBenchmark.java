package io.weft.bench.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.weft.handler.tls.TlsContext;
import io.weft.handler.tls.TlsSession;
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

/// Handshakes of both sides, with a certificate or resumed. The library over BoringSSL resumes no session of a client, so
/// only its full ones are comparable.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class SslHandshakeBenchmark {
    @State(Scope.Thread)
    public static class Ports {
        @Param({"false", "true"})
        boolean resumed;

        private int next = 1;

        /// Sessions are looked for by host and port: another port finds none.
        int next() {
            if (!resumed) {
                next = next % 60_000 + 1;
            }
            return next;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        TlsContext client = context(true);
        TlsContext server = context(false);

        private static TlsContext context(boolean client) {
            try {
                return client ? Contexts.weftClient() : Contexts.weftServer();
            } catch (SSLException e) {
                throw new IllegalStateException(e);
            }
        }

        /// Sessions of ports that come round again.
        @Setup
        public void fresh() {
            client = context(true);
        }
    }

    static SslContext context(boolean client, SslProvider provider) {
        try {
            return client ? Contexts.nettyClient(provider) : Contexts.nettyServer(provider);
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final SslContext client = context(true, SslProvider.JDK);
        final SslContext server = context(false, SslProvider.JDK);
    }

    @State(Scope.Thread)
    public static class Tcnative {
        final SslContext client = context(true, SslProvider.OPENSSL_REFCNT);
        final SslContext server = context(false, SslProvider.OPENSSL_REFCNT);
    }

    @Benchmark
    public TlsSession weftHandshake(Weft weft, Ports ports) throws SSLException {
        try (WeftPair pair = new WeftPair(weft.client, weft.server, ports.next())) {
            return pair.shakeHands();
        }
    }

    @Benchmark
    public boolean nettyHandshake(Netty netty, Ports ports) {
        try (NettyPair pair = new NettyPair(netty.client, netty.server, ports.next())) {
            return pair.shakeHands();
        }
    }

    @Benchmark
    public boolean nettyTcnativeHandshake(Tcnative tcnative, Ports ports) {
        try (NettyPair pair = new NettyPair(tcnative.client, tcnative.server, ports.next())) {
            return pair.shakeHands();
        }
    }
}
