package io.weft.bench.dns;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.weft.eventloop.EventLoopGroup;
import io.weft.resolver.dns.AddressFamilies;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.DnsServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The address of a name that nobody has asked for, over UDP from a server on the loopback
/// interface, one at a time and with 1,000 in flight; both on one loop over NIO.
///
/// Weft's queries have a socket and a port each, as those of Netty by `ChannelPerResolution`. By
/// default Netty has one port for all queries, which costs less and is easier to forge for
/// (RFC 5452); its socket needs a `net.core.rmem_max` of 1 MiB for 1,000 answers at once.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class UncachedNameBenchmark {
    private static final int MANY = 1_000;
    private static final int BUFFER = 4 << 20;

    /// Resolves one name; tells whether that went well.
    private interface Resolution {
        void start(String name, CountDownLatch left, AtomicInteger failed);
    }

    private static int resolve(int count, AtomicInteger names, Resolution resolution)
            throws InterruptedException {
        CountDownLatch left = new CountDownLatch(count);
        AtomicInteger failed = new AtomicInteger();
        for (int i = 0; i < count; i++) {
            resolution.start("n" + names.incrementAndGet() + ".example.com.", left, failed);
        }
        left.await();
        if (failed.get() > 0) {
            throw new IllegalStateException("failed: " + failed + " (expected: 0)");
        }
        return count;
    }

    @State(Scope.Thread)
    public static class Weft {
        private final NameServerStub server = new NameServerStub();
        private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
        private final DnsResolver resolver =
                DnsResolver.builder(group)
                        .servers(DnsServer.of(server.address()))
                        .families(AddressFamilies.IPV4)
                        .build();
        private final AtomicInteger names = new AtomicInteger();

        @TearDown
        public void end() {
            resolver.close();
            group.close();
            server.close();
        }

        int resolve(int count) throws InterruptedException {
            return UncachedNameBenchmark.resolve(
                    count,
                    names,
                    (name, left, failed) ->
                            resolver.resolve(name, 443, group.loops().getFirst(), _ -> {})
                                    .addListener(
                                            outcome -> {
                                                if (!outcome.isSuccess()) {
                                                    failed.incrementAndGet();
                                                }
                                                left.countDown();
                                            }));
        }
    }

    /// Netty's resolver, by its strategy.
    private static final class NettyResolver {
        private final NameServerStub server = new NameServerStub();
        private final MultiThreadIoEventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        private final DnsNameResolver resolver;
        private final AtomicInteger names = new AtomicInteger();

        NettyResolver(DnsNameResolverChannelStrategy strategy) {
            resolver =
                    new DnsNameResolverBuilder(group.next())
                            .datagramChannelFactory(NettyResolver::channel)
                            .datagramChannelStrategy(strategy)
                            .resolvedAddressTypes(ResolvedAddressTypes.IPV4_ONLY)
                            .resolveCache(NoopDnsCache.INSTANCE)
                            .cnameCache(NoopDnsCnameCache.INSTANCE)
                            .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                            .nameServerProvider(
                                    new SingletonDnsServerAddressStreamProvider(server.address()))
                            .build();
        }

        private static NioDatagramChannel channel() {
            NioDatagramChannel channel = new NioDatagramChannel();
            channel.config().setReceiveBufferSize(BUFFER);
            return channel;
        }

        int resolve(int count) throws InterruptedException {
            return UncachedNameBenchmark.resolve(
                    count,
                    names,
                    (name, left, failed) ->
                            resolver.resolve(name)
                                    .addListener(
                                            outcome -> {
                                                if (!outcome.isSuccess()) {
                                                    failed.incrementAndGet();
                                                }
                                                left.countDown();
                                            }));
        }

        void close() {
            resolver.close();
            var _ = group.shutdownGracefully();
            server.close();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private @Nullable NettyResolver resolver;

        int resolve(int count, DnsNameResolverChannelStrategy strategy)
                throws InterruptedException {
            NettyResolver made = resolver;
            if (made == null) {
                made = new NettyResolver(strategy);
                resolver = made;
            }
            return made.resolve(count);
        }

        @TearDown
        public void end() {
            if (resolver != null) {
                resolver.close();
            }
        }
    }

    @Benchmark
    public int weftOne(Weft weft) throws InterruptedException {
        return weft.resolve(1);
    }

    @Benchmark
    @OperationsPerInvocation(MANY)
    public int weftThousand(Weft weft) throws InterruptedException {
        return weft.resolve(MANY);
    }

    @Benchmark
    public int nettyOne(Netty netty) throws InterruptedException {
        return netty.resolve(1, DnsNameResolverChannelStrategy.ChannelPerResolution);
    }

    @Benchmark
    @OperationsPerInvocation(MANY)
    public int nettyThousand(Netty netty) throws InterruptedException {
        return netty.resolve(MANY, DnsNameResolverChannelStrategy.ChannelPerResolution);
    }

    @Benchmark
    public int nettyOnePortOne(Netty netty) throws InterruptedException {
        return netty.resolve(1, DnsNameResolverChannelStrategy.ChannelPerResolver);
    }

    @Benchmark
    @OperationsPerInvocation(MANY)
    public int nettyOnePortThousand(Netty netty) throws InterruptedException {
        return netty.resolve(MANY, DnsNameResolverChannelStrategy.ChannelPerResolver);
    }
}
