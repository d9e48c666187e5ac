package io.weft.handler.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Promise;
import io.weft.testkit.ClientHellos;
import io.weft.tls.machine.DomainMapping;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SniHandlerTest {
    private static TlsContext contextOf(TlsIdentity identity) throws SSLException {
        return TlsContext.server(identity).tasks(Runnable::run).build();
    }

    private static void carry(EmbeddedChannel a, EmbeddedChannel b, int piece) {
        for (int i = 0; i < 12; i++) {
            a.runPending();
            TlsPair.give(b, a.takeOutbound(), piece);
            b.runPending();
            TlsPair.give(a, b.takeOutbound(), piece);
        }
    }

    private static @Nullable TlsSession connect(ChannelHandler sni, String host, int piece)
            throws SSLException {
        TlsHandler tls =
                TlsHandler.client(
                        TlsPair.clientContext(c -> c.insecureWithoutHostname("a test")), host, 443);
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel client = new EmbeddedChannel(tls, new TlsPair.Ear());
                EmbeddedChannel server = new EmbeddedChannel(sni, ear)) {
            client.channel().writeAndFlush(TlsPair.buffer("hello"));
            carry(client, server, piece);
            TlsSession session = tls.session();
            if (session != null) {
                assertThat(ear.text()).isEqualTo("hello");
                assertThat(server.pipeline().get(SniHandler.class)).isNull();
            } else {
                assertThat(ear.failures).isNotEmpty();
                assertThat(server.isClosed()).isTrue();
            }
            return session;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 100})
    void theHostChoosesTheContextHoweverTheHelloIsCut(int piece) throws SSLException {
        DomainMapping<TlsContext> contexts =
                DomainMapping.<TlsContext>builder()
                        .add("*.example.com", contextOf(TlsPair.IDENTITY))
                        .build();
        TlsSession session = connect(SniHandler.of(contexts), "www.example.com", piece);
        assertThat(session).isNotNull();
        assertThat(session.serverName()).isEqualTo("www.example.com");
        assertThat(connect(SniHandler.of(contexts), "a.b.example.com", piece)).isNull();
        assertThat(connect(SniHandler.of(contexts), "example.com", piece)).isNull();
        assertThat(connect(SniHandler.of(contexts), "127.0.0.1", piece)).isNull();
    }

    @Test
    void aHostThatIsNotServedGetsItsAlert() {
        TlsPair.Ear ear = new TlsPair.Ear();
        DomainMapping<TlsContext> none = DomainMapping.<TlsContext>builder().build();
        byte[] hello = ClientHellos.records(ClientHellos.hello("www.example.com"));
        for (int cut = 1; cut < hello.length; cut++) {
            ear = new TlsPair.Ear();
            try (EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(none), ear)) {
                TlsPair.give(server, Arrays.copyOf(hello, cut), 0);
                assertThat(server.takeOutbound()).isEmpty();
                TlsPair.give(server, Arrays.copyOfRange(hello, cut, hello.length), 0);
                assertThat(server.takeOutbound())
                        .isEqualTo(ClientHellos.bytes(21, 3, 3, 0, 2, 2, 112));
                assertThat(ear.failures)
                        .singleElement()
                        .isInstanceOf(TlsException.UnknownServerName.class);
                assertThat(server.isClosed()).isTrue();
                assertThat(server.isReset()).isFalse();
            }
        }
    }

    @Test
    void theContextMayComeLater() throws SSLException {
        CompletableFuture<@Nullable TlsContext> later = new CompletableFuture<>();
        TlsHandler tls = TlsHandler.client(TlsPair.clientContext(c -> c), "example.com", 443);
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel client = new EmbeddedChannel(tls, new TlsPair.Ear());
                EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(_ -> later), ear)) {
            client.channel().writeAndFlush(TlsPair.buffer("hello"));
            carry(client, server, 0);
            assertThat(tls.session()).isNull();
            later.complete(contextOf(TlsPair.IDENTITY));
            carry(client, server, 0);
            assertThat(ear.text()).isEqualTo("hello");
        }
    }

    @Test
    void aChannelMayCloseBeforeTheContextComes() throws SSLException {
        CompletableFuture<@Nullable TlsContext> later = new CompletableFuture<>();
        try (EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(_ -> later))) {
            TlsPair.give(server, ClientHellos.records(ClientHellos.hello("a.example")), 0);
            server.channel().close();
            later.complete(contextOf(TlsPair.IDENTITY));
            server.runPending();
        }
    }

    @Test
    void aFailureToFindAContextEndsTheConnection() {
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server =
                new EmbeddedChannel(
                        SniHandler.of(
                                _ -> CompletableFuture.failedFuture(new IllegalStateException())),
                        ear)) {
            TlsPair.give(server, ClientHellos.records(ClientHellos.hello("a.example")), 0);
            assertThat(server.takeOutbound()).isEqualTo(ClientHellos.bytes(21, 3, 3, 0, 2, 2, 80));
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.Failed.class);
        }
        ear = new TlsPair.Ear();
        try (EmbeddedChannel server =
                new EmbeddedChannel(
                        new SniHandler(
                                (_, _) -> {
                                    throw new IllegalStateException("no");
                                }),
                        ear)) {
            TlsPair.give(server, ClientHellos.records(ClientHellos.hello("a.example")), 0);
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.Failed.class);
        }
    }

    @Test
    void aLookUpThatNeverEndsIsGivenUp() throws SSLException {
        CompletableFuture<@Nullable TlsContext> never = new CompletableFuture<>();
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(_ -> never), ear)) {
            TlsPair.give(server, ClientHellos.records(ClientHellos.hello("a.example")), 0);
            server.advance(Duration.ofSeconds(10));
            assertThat(ear.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(server.isClosed()).isTrue();
            assertThat(Ledger.takeOpen()).as("the hello").isEmpty();
            never.complete(contextOf(TlsPair.IDENTITY)); // late
            server.runPending();
        }
        try (EmbeddedChannel server =
                new EmbeddedChannel(SniHandler.of(_ -> new CompletableFuture<>()), ear)) {
            TlsPair.give(server, ClientHellos.records(ClientHellos.hello("a.example")), 0);
            server.receiveEnd();
            assertThat(server.isClosed()).isTrue();
        }
    }

    @Test
    void aLookUpThatIsBrokenEndsTheConnection() throws SSLException {
        TlsContext client = TlsPair.clientContext(c -> c);
        List<SniHandler> broken =
                List.of(
                        SniHandler.of(
                                hello -> {
                                    throw new StackOverflowError();
                                }),
                        SniHandler.of(hello -> CompletableFuture.completedFuture(client)),
                        new SniHandler(
                                (handler, hello) ->
                                        handler.proceed(
                                                hello,
                                                new ChannelHandler() {
                                                    @Override
                                                    public void handlerAdded(
                                                            ChannelHandlerContext ctx) {
                                                        throw new IllegalStateException("no");
                                                    }
                                                })));
        for (SniHandler sni : broken) {
            TlsPair.Ear ear = new TlsPair.Ear();
            try (EmbeddedChannel server = new EmbeddedChannel(sni, ear)) {
                byte[] hello = ClientHellos.records(ClientHellos.hello("a.example"));
                TlsPair.give(server, hello, 0);
                TlsPair.give(server, hello, 0);
                assertThat(server.takeOutbound())
                        .isEqualTo(ClientHellos.bytes(21, 3, 3, 0, 2, 2, 80));
                assertThat(ear.failures).last().isInstanceOf(TlsException.Failed.class);
                assertThat(ear.text()).isEmpty();
                assertThat(server.isClosed()).isTrue();
            }
        }
    }

    @Test
    void whatArrivesWhileTheHelloIsPassedOnComesBehindIt() {
        byte[] hello = ClientHellos.records(ClientHellos.hello("a"));
        TlsPair.Ear ear = new TlsPair.Ear();
        EmbeddedChannel[] server = new EmbeddedChannel[1];
        ChannelHandler reads =
                new ChannelHandler() {
                    private boolean again = true;

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message)
                            throws Exception {
                        if (again) {
                            again = false;
                            ChannelHandlerContext sni =
                                    Objects.requireNonNull(
                                            ctx.pipeline().context(SniHandler.class));
                            sni.handler().channelRead(sni, TlsPair.buffer("more"));
                        }
                        ctx.fireChannelRead(message);
                    }
                };
        server[0] =
                new EmbeddedChannel(
                        new SniHandler((handler, message) -> handler.proceed(message, reads)), ear);
        try (EmbeddedChannel channel = server[0]) {
            TlsPair.give(channel, hello, 0);
            assertThat(ear.data.toByteArray())
                    .isEqualTo(ClientHellos.cat(hello, "more".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.pipeline().get(SniHandler.class)).isNull();
        }
    }

    @Test
    void aHelloHasTenSeconds() {
        TlsPair.Ear ear = new TlsPair.Ear();
        DomainMapping<TlsContext> none = DomainMapping.<TlsContext>builder().build();
        try (EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(none), ear)) {
            byte[] hello = ClientHellos.records(ClientHellos.hello("a.example"));
            for (int i = 0; i < 9; i++) {
                TlsPair.give(server, new byte[] {hello[i]}, 0);
                server.advance(Duration.ofSeconds(1));
                assertThat(ear.failures).isEmpty();
            }
            server.advance(Duration.ofSeconds(1));
            assertThat(ear.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(server.isClosed()).isTrue();
        }
    }

    @Test
    void theRawHelloMayDecide() {
        boolean[] seen = new boolean[1];
        TlsPair.Ear ear = new TlsPair.Ear();
        SniHandler router =
                new SniHandler(
                        (handler, hello) -> {
                            assertThat(hello.applicationProtocols()).containsExactly("acme-tls/1");
                            assertThat(hello.cipherSuites()).containsExactly(0x1301, 0xc02b);
                            seen[0] = true;
                            handler.proceed(hello, new ChannelHandler() {}); // as it is
                        });
        byte[] records =
                ClientHellos.records(ClientHellos.hello("a", ClientHellos.alpn("acme-tls/1")));
        try (EmbeddedChannel server = new EmbeddedChannel(router, ear)) {
            byte[] more = ClientHellos.cat(records, ClientHellos.bytes(23, 3, 3));
            TlsPair.give(server, more, 3);
            TlsPair.give(server, ClientHellos.bytes(0, 0), 0);
            assertThat(seen).containsExactly(true);
            assertThat(ear.data.toByteArray())
                    .isEqualTo(ClientHellos.cat(more, ClientHellos.bytes(0, 0)));
        }
    }

    @Test
    void plaintextIsNotTls() {
        TlsPair.Ear ear = new TlsPair.Ear();
        DomainMapping<TlsContext> none = DomainMapping.<TlsContext>builder().build();
        try (EmbeddedChannel server = new EmbeddedChannel(SniHandler.of(none), ear)) {
            server.receive("GET / HTTP/1.1\r\n\r\n");
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.NotTls.class);
            assertThat(server.takeOutbound()).isEmpty();
        }
    }

    @Test
    void aMappingHasNoSecretDefault() {
        DomainMapping<String> mapping =
                DomainMapping.<String>builder()
                        .add("example.com", "exact")
                        .add("*.example.com", "wild")
                        .add("www.example.com", "www")
                        .withoutName("nameless")
                        .build();
        assertThat(mapping.get("EXAMPLE.com.")).isEqualTo("exact");
        assertThat(mapping.get("a.example.com")).isEqualTo("wild");
        assertThat(mapping.get("www.example.com")).isEqualTo("www");
        assertThat(mapping.get(null)).isEqualTo("nameless");
        assertThat(mapping.get("a.b.example.com")).isNull();
        assertThat(mapping.get("example.org")).isNull();
        assertThat(mapping.get("")).isNull();
        assertThat(mapping.get("a\0.example.com")).isNull();
        assertThatThrownBy(() -> DomainMapping.<String>builder().add("*", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DomainMapping.<String>builder().add("a.b", "x").add("A.B.", "y"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onePortServesTlsAndPlaintext() throws SSLException {
        TlsContext context = TlsPair.serverContext(s -> s);
        TlsPair.Ear ear = new TlsPair.Ear();
        boolean[] plain = new boolean[1];
        try (EmbeddedChannel server =
                new EmbeddedChannel(
                        new OptionalTlsHandler(
                                () -> TlsHandler.server(context), _ -> plain[0] = true),
                        ear)) {
            server.receive("GET /");
            assertThat(plain[0]).isTrue();
            assertThat(ear.text()).isEqualTo("GET /");
            assertThat(server.pipeline().get(OptionalTlsHandler.class)).isNull();
        }
        plain[0] = false;
        TlsSession session =
                connect(
                        new OptionalTlsHandler(
                                () -> TlsHandler.server(context), _ -> plain[0] = true),
                        "example.com",
                        1);
        assertThat(session).isNotNull();
        assertThat(plain[0]).isFalse();
    }

    @Test
    void aPortWhosePipelineCannotBeBuiltCloses() {
        OptionalTlsHandler[] broken = {
            new OptionalTlsHandler(
                    () -> {
                        throw new IllegalStateException("no");
                    },
                    _ -> {
                        throw new IllegalStateException("no");
                    }),
            new OptionalTlsHandler(
                    () ->
                            new ChannelHandler() {
                                @Override
                                public void handlerAdded(ChannelHandlerContext ctx) {
                                    throw new IllegalStateException("no");
                                }
                            },
                    _ -> {})
        };
        byte[] hello = ClientHellos.records(ClientHellos.hello("a"));
        for (OptionalTlsHandler handler : broken) {
            TlsPair.Ear ear = new TlsPair.Ear();
            try (EmbeddedChannel server = new EmbeddedChannel(handler, ear)) {
                TlsPair.give(server, hello, 2);
                assertThat(ear.failures).isNotEmpty();
                assertThat(ear.text()).isEmpty();
                assertThat(server.isClosed()).isTrue();
            }
        }
    }

    @Test
    void whoSaysNothingIsNotWaitedForLong() throws SSLException {
        TlsContext context = TlsPair.serverContext(s -> s);
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server =
                new EmbeddedChannel(
                        new OptionalTlsHandler(() -> TlsHandler.server(context), _ -> {}), ear)) {
            TlsPair.give(server, new byte[] {22, 3}, 1);
            server.advance(Duration.ofSeconds(10));
            assertThat(ear.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(server.isClosed()).isTrue();
        }
        assertThatThrownBy(
                        () ->
                                new OptionalTlsHandler(
                                        () -> TlsHandler.server(context), _ -> {}, Duration.ZERO))
                .hasMessage("timeout: PT0S (expected: > 0)");
    }

    @Test
    void theProtocolFillsThePipeline() throws SSLException {
        String[] chosen = new String[2];
        TlsPair.Ear ear = new TlsPair.Ear();
        for (int i = 0; i < 2; i++) {
            int round = i;
            TlsContext context = TlsPair.serverContext(s -> s.applicationProtocols("h2"));
            TlsHandler tls =
                    TlsHandler.client(
                            TlsPair.clientContext(
                                    c -> round == 0 ? c.applicationProtocols("h2") : c),
                            "example.com",
                            443);
            ApplicationProtocolHandler protocols =
                    new ApplicationProtocolHandler(
                            "http/1.1",
                            (ctx, name) -> {
                                chosen[round] = name;
                                ctx.pipeline().addLast(name, ear);
                            });
            try (EmbeddedChannel client = new EmbeddedChannel(tls, new TlsPair.Ear());
                    EmbeddedChannel server =
                            new EmbeddedChannel(TlsHandler.server(context), protocols)) {
                client.channel().writeAndFlush(TlsPair.buffer("hello"));
                carry(client, server, 0);
            }
        }
        assertThat(chosen).containsExactly("h2", "http/1.1");
        assertThat(ear.text()).isEqualTo("hellohello");
    }

    /// Has "more" received when the first read is complete, as a handler that asks for it does.
    private static final class AsksForMore implements ChannelHandler {
        final StringBuilder text = new StringBuilder();
        private boolean asked;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                text.append(in.readString(StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ChannelHandlerContext front = ctx.pipeline().context("front");
            if (text.isEmpty() || asked || front == null) {
                return;
            }
            asked = true;
            front.fireChannelRead(TlsPair.buffer("more"));
            front.fireChannelReadComplete();
        }
    }

    private static EmbeddedChannel behindAFront(ChannelHandler... handlers) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast("front", new ChannelHandler() {});
        for (ChannelHandler handler : handlers) {
            channel.pipeline().addLast(handler);
        }
        return channel;
    }

    @Test
    void inputThatArrivesWhileAReadIsCompletedIsKept() throws SSLException {
        byte[] hello = ClientHellos.records(ClientHellos.hello("a.example"));
        AsksForMore behindSni = new AsksForMore();
        SniHandler sni = new SniHandler((handler, got) -> handler.proceed(got, behindSni));
        try (EmbeddedChannel server = behindAFront(sni)) {
            TlsPair.give(server, hello, 0);
            assertThat(behindSni.text)
                    .hasToString(new String(hello, StandardCharsets.ISO_8859_1) + "more");
            assertThat(server.pipeline().get(SniHandler.class)).isNull();
        }
        TlsContext context = contextOf(TlsPair.IDENTITY);
        AsksForMore plain = new AsksForMore();
        try (EmbeddedChannel server =
                behindAFront(
                        new OptionalTlsHandler(() -> TlsHandler.server(context), _ -> {}), plain)) {
            server.receive("GET / HTTP/1.1\r\n");
            assertThat(plain.text).hasToString("GET / HTTP/1.1\r\nmore");
        }
    }

    @Test
    void withoutMemoryAtAnyPointNothingIsLeft() throws SSLException {
        TlsContext context = contextOf(TlsPair.IDENTITY);
        byte[] hello = ClientHellos.records(ClientHellos.hello("a.example"));
        List<Supplier<ChannelHandler>> handlers =
                List.of(
                        () ->
                                SniHandler.of(
                                        DomainMapping.<TlsContext>builder()
                                                .add("a.example", context)
                                                .build()),
                        () -> SniHandler.of(DomainMapping.<TlsContext>builder().build()),
                        () -> new OptionalTlsHandler(() -> TlsHandler.server(context), _ -> {}));
        for (Supplier<ChannelHandler> handler : handlers) {
            boolean refused = true;
            for (int number = 0; refused; number++) {
                assertThat(number).isLessThan(100);
                refused = refusing(number, handler.get(), hello);
                assertThat(Ledger.takeOpen()).as("allocation %d", number).isEmpty();
            }
        }
    }

    /// @return whether there were so many allocations
    private static boolean refusing(int number, ChannelHandler handler, byte[] hello) {
        int[] count = {0};
        AllocationTap tap =
                capacity -> {
                    if (count[0]++ == number) {
                        throw AllocationTap.refusal(capacity);
                    }
                };
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = new EmbeddedChannel(handler, ear)) {
            for (int at = 0; at < hello.length && !server.isClosed(); at += 3) {
                Buffer piece = TlsPair.buffer(hello, at, Math.min(3, hello.length - at));
                AllocationTap.set(tap);
                server.receive(piece);
                AllocationTap.set(null);
            }
            boolean refused = count[0] > number;
            if (refused && ear.failures.isEmpty()) {
                assertThat(server.takeOutbound()).as("allocation %d", number).isNotEmpty();
            } else if (refused) {
                assertThat(server.isClosed()).as("allocation %d", number).isTrue();
            }
            return refused;
        } finally {
            AllocationTap.set(null);
        }
    }

    /// Greets as soon as the channel is active, as servers of mail do.
    private static final class Greets implements ChannelHandler {
        @Nullable Promise<Void> sent;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            sent = ctx.channel().newPromise();
            ctx.writeAndFlush(TlsPair.buffer("220 hello\r\n"), sent);
            ctx.fireChannelActive();
        }
    }

    @Test
    void greetingWaitsUntilItIsProtected() throws SSLException {
        TlsContext context = contextOf(TlsPair.IDENTITY);
        CompletableFuture<@Nullable TlsContext> later = new CompletableFuture<>();
        List<ChannelHandler> handlers =
                List.of(
                        SniHandler.of(_ -> later),
                        new OptionalTlsHandler(() -> TlsHandler.server(context), _ -> {}));
        for (ChannelHandler handler : handlers) {
            Greets greets = new Greets();
            TlsPair.Ear ear = new TlsPair.Ear();
            try (EmbeddedChannel server = new EmbeddedChannel(handler, greets);
                    EmbeddedChannel client =
                            new EmbeddedChannel(
                                    TlsHandler.client(
                                            TlsPair.clientContext(c -> c), "example.com", 443),
                                    ear)) {
                assertThat(server.takeOutbound()).isEmpty();
                carry(client, server, 0);
                later.complete(context);
                carry(client, server, 0);
                assertThat(ear.text()).isEqualTo("220 hello\r\n");
                assertThat(greets.sent).isNotNull();
                assertThat(greets.sent.isSuccess()).isTrue();
                assertThat(server.pipeline().names()).hasSize(2);
            }
        }
    }

    @Test
    void greetingOfARefusedConnectionFails() {
        DomainMapping<TlsContext> none = DomainMapping.<TlsContext>builder().build();
        for (boolean plain : new boolean[] {true, false}) {
            Greets greets = new Greets();
            try (EmbeddedChannel server =
                    new EmbeddedChannel(SniHandler.of(none), greets, new TlsPair.Ear())) {
                byte[] first =
                        plain
                                ? new byte[] {'G', 'E', 'T', ' ', '/'}
                                : ClientHellos.records(ClientHellos.hello("a.example"));
                TlsPair.give(server, first, 0);
                assertThat(greets.sent).isNotNull();
                assertThat(greets.sent.isDone()).isTrue();
                assertThat(greets.sent.isSuccess()).isFalse();
                assertThat(server.takeOutbound()).hasSize(plain ? 0 : 7);
            }
        }
    }
}
