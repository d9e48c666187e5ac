package io.weft.bench.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import java.util.ArrayList;
import java.util.List;
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

/// Connections of both ends, made, shaken hands over and freed, up to the first byte: with a
/// certificate, and resumed.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class SslHandshakeBenchmark {
    @State(Scope.Thread)
    public static class Terms {
        @Param TlsEngineKind engine = TlsEngineKind.JDK;

        @Param({"TLSv1.3", "TLSv1.2"})
        String protocol = "";

        private final Ports ports = new Ports();

        Contexts contexts() {
            return new Contexts(engine, protocol);
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private final List<TlsContext> clients = new ArrayList<>();
        private final List<TlsContext> servers = new ArrayList<>();

        @Setup
        public void setUp(Terms terms) throws SSLException {
            for (boolean resumes : new boolean[] {false, true}) {
                clients.add(terms.contexts().weftClient(resumes));
                servers.add(terms.contexts().weftServer(resumes));
            }
            // The first has no session to take up.
            connect(1, terms.ports.next(true), false);
        }

        boolean connect(int port, boolean resumes) {
            connect(resumes ? 1 : 0, port, resumes);
            return resumes;
        }

        private void connect(int which, int port, boolean resumes) {
            try (WeftPair pair = new WeftPair(clients.get(which), servers.get(which), port)) {
                pair.shakeHands(resumes);
            }
        }

        @TearDown
        public void tearDown() {
            clients.forEach(TlsContext::close);
            servers.forEach(TlsContext::close);
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final SslContext[] clients = new SslContext[2];
        private final SslContext[] servers = new SslContext[2];

        @Setup
        public void setUp(Terms terms) throws SSLException {
            for (int resumes = 0; resumes < 2; resumes++) {
                clients[resumes] = terms.contexts().nettyClient(resumes == 1);
                servers[resumes] = terms.contexts().nettyServer(resumes == 1);
            }
            try (NettyPair pair = new NettyPair(clients[1], servers[1], terms.ports.next(true))) {
                pair.shakeHands(false);
            }
        }

        boolean connect(int port, boolean resumes) {
            int which = resumes ? 1 : 0;
            try (NettyPair pair = new NettyPair(clients[which], servers[which], port)) {
                pair.shakeHands(resumes);
            }
            return resumes;
        }

        @TearDown
        public void tearDown() {
            for (int resumes = 0; resumes < 2; resumes++) {
                ReferenceCountUtil.release(clients[resumes]);
                ReferenceCountUtil.release(servers[resumes]);
            }
        }
    }

    @Benchmark
    public boolean weftFull(Weft weft, Terms terms) {
        return weft.connect(terms.ports.next(false), false);
    }

    @Benchmark
    public boolean nettyFull(Netty netty, Terms terms) {
        return netty.connect(terms.ports.next(false), false);
    }

    @Benchmark
    public boolean weftResumed(Weft weft, Terms terms) {
        return weft.connect(terms.ports.next(true), true);
    }

    @Benchmark
    public boolean nettyResumed(Netty netty, Terms terms) {
        return netty.connect(terms.ports.next(true), true);
    }
}
