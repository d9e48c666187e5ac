package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.ffi.openssl.Ssl;
import io.weft.handler.tls.OptionalTlsHandler;
import io.weft.handler.tls.SniHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Faults on our side: memory, executors, trust managers, contexts. The connection ends, promises
/// fail, nothing is left, and nothing passes in the clear.
@ParameterizedClass
@EnumSource
class TlsFaultsTest {
    private final TlsEngineKind kind;

    TlsFaultsTest(TlsEngineKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void needsEngine() {
        String unavailable = TlsContext.unavailable(kind);
        assumeTrue(unavailable.isEmpty(), unavailable);
    }

    private TlsContext client(UnaryOperator<TlsContextBuilder> more) throws SSLException {
        return TlsChannels.client(kind, c -> more.apply(c.tasks(Runnable::run)));
    }

    private TlsContext server(UnaryOperator<TlsContextBuilder> more) throws SSLException {
        return TlsChannels.server(kind, s -> more.apply(s.tasks(Runnable::run)));
    }

    private record Broken(Supplier<? extends Throwable> thrown) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            throwIt();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            throwIt();
        }

        private void throwIt() {
            switch (thrown.get()) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new AssertionError(e);
            }
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    static Stream<Supplier<Throwable>> faults() {
        return Stream.of(
                () -> new IllegalStateException("no database"),
                StackOverflowError::new,
                () -> new NoClassDefFoundError("gone"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aTrustManagerThatThrowsTrustsNobody(Supplier<Throwable> fault) throws SSLException {
        for (TlsProtocol protocol : TlsProtocol.values()) {
            try (TlsContext client = client(c -> c.protocols(protocol).trust(new Broken(fault)));
                    TlsContext server = server(s -> s);
                    TlsChannels pair = new TlsChannels(client, server)) {
                pair.start().carry();
                assertThat(pair.clientTls.handshake().cause())
                        .isInstanceOf(TlsException.CertificateRefused.class);
                assertThat(pair.client.isClosed()).isTrue();
                assertThat(pair.serverEar.failures).as("told").hasSize(1);
            }
        }
    }

    /// An executor whose threads are gone, one that cannot start any, and one that is broken.
    static Stream<Supplier<Throwable>> refusals() {
        return Stream.of(
                () -> new RejectedExecutionException("shut down"),
                () -> new OutOfMemoryError("unable to create native thread"),
                () -> new NullPointerException("no queue"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void anExecutorThatThrowsEndsTheHandshake(Supplier<Throwable> refusal) throws SSLException {
        try (TlsContext client =
                        client(
                                c ->
                                        c.tasks(
                                                _ -> {
                                                    switch (refusal.get()) {
                                                        case RuntimeException e -> throw e;
                                                        case Throwable e -> throw (Error) e;
                                                    }
                                                }));
                TlsContext server = server(s -> s);
                TlsChannels pair = new TlsChannels(client, server).start()) {
            Promise<Void> sent = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsChannels.buffer("secret"), sent);
            pair.carry();
            assertThat(pair.clientTls.handshake().cause()).isInstanceOf(TlsException.Failed.class);
            assertThat(sent.cause()).isInstanceOf(TlsException.Failed.class);
            assertThat(pair.client.isClosed()).isTrue();
            if (kind == TlsEngineKind.JDK) {
                assertThat(pair.serverEar.failures).as("told").hasSize(1);
            }
        }
        assertThat(kind == TlsEngineKind.JDK ? 0 : Ssl.open()).isZero();
    }

    @Test
    void tasksThatNeverRunEndInTheTimeout() throws SSLException {
        Deque<Runnable> lost = new ArrayDeque<>();
        try (TlsContext client = client(c -> c.tasks(lost::add));
                TlsContext server = server(s -> s);
                TlsChannels pair = new TlsChannels(client, server).start()) {
            Promise<Void> sent = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsChannels.buffer("secret"), sent);
            pair.carry();
            pair.client.advance(Duration.ofSeconds(10));
            assertThat(sent.cause()).isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(lost).hasSize(1);
            lost.remove().run(); // too late
            pair.client.runPending();
        }
        assertThat(kind == TlsEngineKind.JDK ? 0 : Ssl.open()).isZero();
    }

    @Test
    void aTimeoutWithoutEndIsOne() throws SSLException {
        var forever =
                new io.weft.tls.machine.TlsTimeouts(
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofSeconds(Long.MAX_VALUE));
        try (TlsContext client = client(c -> c.timeouts(forever));
                TlsContext server = server(s -> s.timeouts(forever));
                TlsChannels pair = new TlsChannels(client, server).start()) {
            pair.client.advance(Duration.ofDays(1000));
            pair.carry();
            pair.client.channel().close();
            pair.carry();
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(pair.server.isClosed()).isTrue();
        }
    }

    @Test
    void ofAClosedContextThereIsNoHandler() throws SSLException {
        TlsContext context = server(s -> s);
        context.close();
        assertThatThrownBy(() -> TlsHandler.server(context))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed (expected: open)");
    }

    @ParameterizedTest
    @EnumSource
    void withoutMemoryAtAnyPointNothingIsLeft(TlsProtocol protocol) throws SSLException {
        try (TlsContext client = client(c -> c.protocols(protocol));
                TlsContext server = server(s -> s)) {
            boolean refused = true;
            int at = 0;
            for (; refused; at++) {
                assertThat(at).isLessThan(500);
                refused = refusing(at, client, server);
                assertThat(Ledger.takeOpen()).as("allocation %d", at).isEmpty();
            }
            assertThat(at).isGreaterThan(10);
        }
        assertThat(kind == TlsEngineKind.JDK ? 0 : Ssl.open()).isZero();
    }

    /// @return whether there were so many allocations
    private static boolean refusing(int number, TlsContext client, TlsContext server) {
        int[] count = {0};
        AllocationTap tap =
                capacity -> {
                    if (count[0]++ == number) {
                        throw AllocationTap.refusal(capacity);
                    }
                };
        Promise<Void> first;
        Promise<Void> second;
        Promise<Void> third;
        Promise<Void> fourth;
        boolean complete;
        try (TlsChannels pair = new TlsChannels(client, server)) {
            AllocationTap.set(tap);
            pair.start();
            AllocationTap.set(null);
            first = pair.client.channel().newPromise();
            second = pair.client.channel().newPromise();
            third = pair.server.channel().newPromise();
            pair.client.channel().write(TlsChannels.buffer("one"), first);
            pair.client.channel().writeAndFlush(TlsChannels.buffer("two"), second);
            carry(pair, tap);
            CompositeBuffer large =
                    new CompositeBuffer(BufferAllocator.pooled())
                            .add(TlsChannels.buffer(new byte[30_000]))
                            .add(TlsChannels.buffer(new byte[10_000]));
            Buffer empty = TlsChannels.buffer("");
            AllocationTap.set(tap);
            pair.server.channel().writeAndFlush(large, third);
            fourth = pair.server.channel().newPromise();
            pair.server.channel().writeAndFlush(empty, fourth);
            carry(pair, tap);
            AllocationTap.set(tap);
            pair.server.channel().close();
            carry(pair, tap);
            complete = pair.clientTls.handshake().isSuccess();
            assertThat(pair.server.isClosed()).as("allocation %d", number).isTrue();
            int failures = pair.clientEar.failures.size() + pair.serverEar.failures.size();
            if (failures == 0) { // none was refused, or one that can be done without
                assertThat(pair.serverEar.text()).isEqualTo("onetwo");
                assertThat(pair.clientEar.data.size()).isEqualTo(40_000);
                assertThat(complete).isTrue();
            } else {
                assertThat(count[0]).as("allocation %d", number).isGreaterThan(number);
            }
        } finally {
            AllocationTap.set(null);
        }
        assertThat(first.isDone()).as("allocation %d", number).isTrue();
        assertThat(second.isDone()).as("allocation %d", number).isTrue();
        assertThat(third.isDone()).as("allocation %d", number).isTrue();
        assertThat(fourth.isDone()).as("allocation %d", number).isTrue();
        return count[0] > number;
    }

    /// Allocations of the tests themselves are not refused.
    private static void carry(TlsChannels pair, AllocationTap tap) {
        for (boolean moved = true; moved; ) {
            boolean there = move(pair.client, pair.server, tap);
            moved = move(pair.server, pair.client, tap) || there;
        }
        AllocationTap.set(null);
    }

    private static boolean move(EmbeddedChannel from, EmbeddedChannel to, AllocationTap tap) {
        AllocationTap.set(tap);
        from.runPending();
        AllocationTap.set(null);
        byte[] bytes = from.takeOutbound();
        for (int at = 0; at < bytes.length && !to.isClosed(); at += 1000) {
            int n = Math.min(1000, bytes.length - at);
            Buffer piece = TlsChannels.buffer(java.util.Arrays.copyOfRange(bytes, at, at + n));
            AllocationTap.set(tap);
            to.receive(piece);
            to.runPending();
            AllocationTap.set(null);
        }
        if (from.isClosed() && !to.isClosed()) {
            AllocationTap.set(tap);
            to.receiveEnd();
            AllocationTap.set(null);
        }
        return bytes.length > 0;
    }

    /// Writes an empty buffer as soon as the channel is not writable, so amid the records of
    /// another write.
    private static final class WritesNothing implements ChannelHandler {
        @Nullable Promise<Void> promise;

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (promise == null && !ctx.channel().isWritable()) {
                promise = ctx.channel().newPromise();
                ctx.writeAndFlush(TlsChannels.buffer(""), promise);
            }
        }
    }

    @Test
    void emptyWriteAmidAnotherCompletesBoth() throws SSLException {
        try (TlsContext client = client(c -> c);
                TlsContext server = server(s -> s);
                TlsChannels pair = new TlsChannels(client, server)) {
            WritesNothing nested = new WritesNothing();
            pair.server.pipeline().addLast("nested", nested);
            pair.start().carry();
            Promise<Void> outer = pair.server.channel().newPromise();
            pair.server.channel().writeAndFlush(TlsChannels.buffer(new byte[600_000]), outer);
            pair.carry();
            assertThat(pair.clientEar.data.size()).isEqualTo(600_000);
            assertThat(nested.promise).isNotNull();
            assertThat(nested.promise.isSuccess()).isTrue();
            assertThat(outer.isSuccess()).isTrue();
        }
    }

    /// As an engine hands up what came over a Unix domain socket.
    private static void receiveDescriptor(TlsChannels pair, List<Integer> closed) {
        ChannelHandlerContext front = pair.server.pipeline().context("front");
        assertThat(front).isNotNull();
        front.fireChannelRead(
                new DescriptorMessage(
                        TlsChannels.buffer("in the clear"),
                        List.of(new PassedDescriptor(7, closed::add))));
        front.fireChannelReadComplete();
    }

    @Test
    void descriptorsDoNotPassInTheClear() throws SSLException {
        for (boolean early : new boolean[] {true, false}) {
            try (TlsContext client = client(c -> c);
                    TlsContext server = server(s -> s);
                    TlsChannels pair = new TlsChannels(client, server).start()) {
                pair.server.pipeline().addFirst("front", new ChannelHandler() {});
                if (!early) {
                    pair.carry();
                }
                List<Integer> closed = new ArrayList<>();
                receiveDescriptor(pair, closed);
                assertThat(closed).containsExactly(7);
                assertThat(pair.serverEar.text()).isEmpty();
                assertThat(pair.serverEar.failures)
                        .singleElement()
                        .isInstanceOf(TlsException.Unprotected.class);
                pair.carry();
                assertThat(pair.server.isClosed()).isTrue();
            }
        }
    }

    @Test
    void descriptorsDoNotPassWhileTheHelloIsAwaited() throws SSLException {
        try (TlsContext client = client(c -> c);
                TlsContext server = server(s -> s)) {
            List<ChannelHandler> handlers =
                    List.of(
                            new SniHandler((_, _) -> {}),
                            new OptionalTlsHandler(() -> TlsHandler.server(server), _ -> {}));
            for (ChannelHandler handler : handlers) {
                try (TlsChannels pair = new TlsChannels(client, server)) {
                    pair.server.pipeline().addLast("front", new ChannelHandler() {});
                    pair.server.pipeline().addLast(handler).addLast("ear", pair.serverEar);
                    List<Integer> closed = new ArrayList<>();
                    receiveDescriptor(pair, closed);
                    assertThat(closed).containsExactly(7);
                    assertThat(pair.serverEar.failures)
                            .singleElement()
                            .isInstanceOf(TlsException.Unprotected.class);
                    assertThat(pair.server.isClosed()).isTrue();
                }
            }
        }
    }
}
