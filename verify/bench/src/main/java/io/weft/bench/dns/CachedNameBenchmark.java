package io.weft.bench.dns;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.weft.loop.Clock;
import io.weft.loop.ManualExecutor;
import io.weft.resolver.names.CachingResolver;
import io.weft.resolver.names.HostsResolver;
import io.weft.resolver.names.LiteralResolver;
import io.weft.resolver.names.NameCache;
import io.weft.resolver.names.NameCacheLimits;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import io.weft.resolver.names.SpecialNamesResolver;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
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

/// All addresses of a name that is in the cache, through all that comes before the cache: literals,
/// special names, the hosts file. Among as many other names as the parameter says.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CachedNameBenchmark {
    private static final String HOST = "www.example.com";
    private static final int PORT = 443;
    private static final int TTL_SECONDS = 86_400;
    private static final List<String> LITERALS = List.of("192.0.2.1", "192.0.2.2");

    private static String name(int i) {
        return "host" + i + ".example.com";
    }

    @State(Scope.Thread)
    public static class Names {
        @Param({"1", "10000"})
        int names = 1;
    }

    @State(Scope.Thread)
    public static class Weft {
        private final ManualExecutor loop = new ManualExecutor(Clock.system());
        private NameResolver resolver = NameResolver.system();
        private int found;

        @Setup
        public void make(Names names) {
            NameCache cache = new NameCache(NameCacheLimits.DEFAULT.size(64 << 20, 100_000));
            List<ResolvedAddress> addresses =
                    LITERALS.stream()
                            .map(text -> new ResolvedAddress(InetAddress.ofLiteral(text), PORT))
                            .toList();
            Duration ttl = Duration.ofSeconds(TTL_SECONDS);
            for (int i = 1; i < names.names; i++) {
                cache.put(name(i), PORT, addresses, ttl, loop.clock());
            }
            cache.put(HOST, PORT, addresses, ttl, loop.clock());
            resolver =
                    new LiteralResolver(
                            new SpecialNamesResolver(
                                    new HostsResolver()
                                            .before(
                                                    new CachingResolver(
                                                            NameResolver.system(), cache))));
        }

        int resolve() {
            found = 0;
            if (!resolver.resolve(HOST, PORT, loop, some -> found += some.size()).isSuccess()
                    || found != LITERALS.size()) {
                throw new IllegalStateException(
                        "found: " + found + " (expected: " + LITERALS.size() + ")");
            }
            return found;
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final MultiThreadIoEventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        private @Nullable DnsNameResolver resolver;

        @Setup
        public void make(Names names) {
            DefaultDnsCache cache = new DefaultDnsCache();
            var loop = group.next();
            for (int i = 0; i < names.names; i++) {
                for (String literal : LITERALS) {
                    cache.cache(
                            i == 0 ? HOST + '.' : name(i) + '.',
                            null,
                            InetAddress.ofLiteral(literal),
                            TTL_SECONDS,
                            loop);
                }
            }
            resolver =
                    new DnsNameResolverBuilder(loop)
                            .datagramChannelType(NioDatagramChannel.class)
                            .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                            .resolveCache(cache)
                            .build();
        }

        @TearDown
        public void end() {
            if (resolver != null) {
                resolver.close();
            }
            var _ = group.shutdownGracefully();
        }

        int resolve() {
            if (resolver == null) {
                throw new IllegalStateException("resolver: null (expected: set up)");
            }
            List<InetAddress> found = resolver.resolveAll(HOST).getNow();
            if (found == null || found.size() != LITERALS.size()) {
                throw new IllegalStateException(
                        "found: " + found + " (expected: " + LITERALS.size() + ")");
            }
            return found.size();
        }
    }

    @Benchmark
    public int weftResolve(Weft weft) {
        return weft.resolve();
    }

    @Benchmark
    public int nettyResolve(Netty netty) {
        return netty.resolve();
    }
}
