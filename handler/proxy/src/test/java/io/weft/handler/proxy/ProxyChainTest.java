package io.weft.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProxyChainTest {
    private static final InetSocketAddress NAME =
            InetSocketAddress.createUnresolved("example.org", 443);

    /// Events behind the tunnel.
    private static final class Recorder implements ChannelHandler {
        final List<String> events = new ArrayList<>();

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            events.add("active");
            ctx.writeAndFlush(ctx.channel().allocator().allocate(8).writeAscii("hello"));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                events.add(bytes.readString(ISO_8859_1));
            }
        }
    }

    private final Recorder behind = new Recorder();
    private final AtomicReference<Promise<Channel>> opened = new AtomicReference<>();

    private EmbeddedChannel open(ProxyChain chain, InetSocketAddress destination) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT,
                ch -> {
                    opened.set(ch.newPromise());
                    chain.open(
                            ch,
                            destination,
                            c -> c.pipeline().addLast("behind", behind),
                            opened.get());
                });
    }

    private static EmbeddedChannel receive(EmbeddedChannel ch, String wire) {
        byte[] bytes = wire.getBytes(ISO_8859_1);
        return ch.receive(BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes));
    }

    private static void receiveBytewise(EmbeddedChannel ch, String wire) {
        for (int i = 0; i < wire.length(); i++) {
            var _ = receive(ch, wire.substring(i, i + 1));
        }
    }

    private static String sent(EmbeddedChannel ch) {
        return new String(ch.takeOutbound(), ISO_8859_1);
    }

    private void assertOpen(EmbeddedChannel ch) {
        ch.checkException();
        assertThat(opened.get().now()).isSameAs(ch.channel());
        assertThat(ch.pipeline().names()).containsExactly("behind");
        assertThat(behind.events).startsWith("active");
    }

    private <E extends ProxyException> E failure(EmbeddedChannel ch, Class<E> type) {
        assertThat(ch.isReset()).isTrue();
        assertThat(behind.events).isEmpty();
        return type.cast(Objects.requireNonNull(opened.get().cause()));
    }

    @Test
    void httpConnectsByNameAndWhatFollowsIsTheDestinations() {
        try (var ch = open(ProxyChain.of("http://proxy:3128"), NAME)) {
            assertThat(sent(ch))
                    .isEqualTo("CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n");
            receive(ch, "HTTP/1.1 200 Connection established\r\nVia: x\r\n");
            assertThat(behind.events).isEmpty();
            receive(ch, "\r\n220 ready");
            assertOpen(ch);
            assertThat(behind.events).containsExactly("active", "220 ready");
            assertThat(sent(ch)).isEqualTo("hello");
            receive(ch, "more");
            assertThat(behind.events).endsWith("more");
        }
    }

    @Test
    void httpHasALoginAndFurtherFields() {
        ProxyServer proxy =
                new ProxyServer.Http("proxy", 3128)
                        .withLogin("user", "sécret")
                        .withHeaders(Headers.builder().add(HeaderName.of("x-a"), "1").build());
        try (var ch = open(ProxyChain.of(proxy), new InetSocketAddress(ip("::1"), 7))) {
            assertThat(sent(ch))
                    .startsWith("CONNECT [::1]:7 HTTP/1.1\r\n")
                    .contains("x-a: 1\r\n", "proxy-authorization: Basic dXNlcjpzw6ljcmV0\r\n");
        }
    }

    @Test
    void addressesOfIpv6AreCanonicalAndWithoutAZone() throws Exception {
        byte[] local = ip("fe80::1").getAddress();
        for (InetSocketAddress to :
                List.of(
                        new InetSocketAddress(Inet6Address.getByAddress("", local, 3), 7),
                        InetSocketAddress.createUnresolved("FE80:0:0::0001", 7),
                        InetSocketAddress.createUnresolved("fe80::1%eth0", 7))) {
            try (var ch = open(ProxyChain.of(new ProxyServer.Http("proxy", 3128)), to)) {
                assertThat(sent(ch))
                        .isEqualTo("CONNECT [fe80::1]:7 HTTP/1.1\r\nhost: [fe80::1]:7\r\n\r\n");
            }
        }
    }

    private static InetAddress ip(String text) {
        return InetAddress.ofLiteral(text);
    }

    @Test
    void httpInterimAnswersAreSkipped() {
        try (var ch = open(ProxyChain.of("proxy:3128"), NAME)) {
            receive(ch, "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nx");
            assertOpen(ch);
            assertThat(behind.events).containsExactly("active", "x");
        }
    }

    @Test
    void httpRefusalHasTheStatus() {
        try (var ch = open(ProxyChain.of("http://proxy:3128"), NAME)) {
            receive(ch, "HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nno!!");
            var refused = failure(ch, ProxyException.Refused.class);
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused).hasMessageContaining("proxy http://proxy:3128: refused: 403");
        }
    }

    @Test
    void httpLoginIsAskedFor() {
        try (var ch = open(ProxyChain.of("http://u:s3cret@proxy:3128"), NAME)) {
            receive(ch, "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\n\r\n");
            assertThat(failure(ch, ProxyException.AuthenticationFailed.class))
                    .hasMessageContaining("407")
                    .hasMessageContaining("Basic realm=x")
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void answerThatIsNoHttpIsMalformed() {
        try (var ch = open(ProxyChain.of("http://proxy:3128"), NAME)) {
            receive(ch, "SSH-2.0-x\r\n");
            assertThat(failure(ch, ProxyException.Malformed.class)).hasMessageContaining("proxy");
        }
    }

    /// CVE-2026-42578: the destination is checked as any target is.
    @Test
    void destinationCannotAddAField() {
        var evil = InetSocketAddress.createUnresolved("a:1 HTTP/1.1\r\nX: y\r\n", 443);
        for (String proxy : List.of("http://proxy:1", "socks4a://proxy:1", "socks5h://proxy:1")) {
            try (var ch = open(ProxyChain.of(proxy), evil)) {
                if (proxy.startsWith("socks5")) {
                    sent(ch);
                }
                assertThat(sent(ch)).isEmpty();
                failure(ch, ProxyException.BadDestination.class);
            }
        }
    }

    @Test
    void socks5ConnectsByName() {
        try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
            assertThat(sent(ch)).isEqualTo("\5\1\0");
            receive(ch, "\5\0");
            assertThat(sent(ch)).isEqualTo("\5\1\0\3\13example.org\1\273");
            receive(ch, "\5\0\0\1\1\2\3\4\0\7" + "220 ready");
            assertOpen(ch);
            assertThat(behind.events).containsExactly("active", "220 ready");
        }
    }

    @Test
    void socks5AnswersMayComeByteByByte() {
        try (var ch = open(ProxyChain.of("socks5h://u:p@proxy:1080"), NAME)) {
            assertThat(sent(ch)).isEqualTo("\5\2\0\2");
            receiveBytewise(ch, "\5\2");
            assertThat(sent(ch)).isEqualTo("\1\1u\1p");
            receiveBytewise(ch, "\1\0");
            assertThat(sent(ch)).startsWith("\5\1\0\3");
            receiveBytewise(ch, "\5\0\0\3\4host\0\7x");
            assertOpen(ch);
            assertThat(behind.events).containsExactly("active", "x");
        }
    }

    @Test
    void socks5RefusalsHaveTheirCodes() {
        for (int code = 1; code < 10; code++) {
            try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
                receive(ch, "\5\0");
                receive(ch, "\5" + (char) code + "\0\1\0\0\0\0\0\0");
                assertThat(failure(ch, ProxyException.Refused.class).code()).isEqualTo(code);
            }
        }
    }

    /// Some servers refuse with an address of a type that there is none of, or with none at all.
    @Test
    void socksRefusalIsOneWhateverItsAddress() {
        String full = "\3\0\0\0"; // an empty name
        for (String rest : List.of("", "\0", "\0\0", "\0\0\0\0\0", "\1\1", "\0\1\0", "\0" + full)) {
            for (boolean ends : new boolean[] {true, false}) {
                try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
                    receive(ch, "\5\0");
                    receiveBytewise(ch, "\5\4" + rest);
                    endOrWait(ch, ends);
                    assertThat(failure(ch, ProxyException.Refused.class))
                            .hasMessageContaining("host unreachable")
                            .matches(e -> e.code() == 4);
                }
            }
        }
        for (boolean ends : new boolean[] {true, false}) {
            try (var ch = open(ProxyChain.of("socks4a://proxy:1080"), NAME)) {
                receive(ch, "\0\133");
                endOrWait(ch, ends);
                assertThat(failure(ch, ProxyException.Refused.class).code()).isEqualTo(91);
            }
        }
    }

    private void endOrWait(EmbeddedChannel ch, boolean ends) {
        if (ends) {
            ch.receiveEnd();
        } else {
            ch.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    void socks5LoginIsRefused() {
        try (var ch = open(ProxyChain.of("socks5h://u:s3cret@proxy:1080"), NAME)) {
            receive(ch, "\5\2");
            receive(ch, "\1\1");
            assertThat(failure(ch, ProxyException.AuthenticationFailed.class))
                    .hasMessageNotContaining("s3cret");
        }
        try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
            receive(ch, "\5\377");
            failure(ch, ProxyException.AuthenticationFailed.class);
        }
    }

    /// A proxy that chooses what was not offered does not get the password.
    @Test
    void socks5MethodThatWasNotOfferedIsRefused() {
        try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
            sent(ch);
            receive(ch, "\5\2");
            failure(ch, ProxyException.AuthenticationFailed.class);
            assertThat(sent(ch)).isEmpty();
        }
        try (var ch = open(ProxyChain.of("socks5h://proxy:1080"), NAME)) {
            receive(ch, "\5\1");
            failure(ch, ProxyException.AuthenticationFailed.class);
        }
    }

    @Test
    void socks4aConnectsByName() {
        try (var ch = open(ProxyChain.of("socks4a://fred@proxy:1080"), NAME)) {
            assertThat(sent(ch)).isEqualTo("\4\1\1\273\0\0\0\1fred\0example.org\0");
            receive(ch, "\0\132\0\0\0\0\0\0");
            assertOpen(ch);
        }
        behind.events.clear();
        try (var ch = open(ProxyChain.of("socks4a://proxy:1080"), NAME)) {
            receive(ch, "\0\133\0\0\0\0\0\0");
            assertThat(failure(ch, ProxyException.Refused.class).code()).isEqualTo(91);
        }
    }

    @Test
    void namesAreResolvedHereWhereTheProxyDoesNot() {
        NameResolver names =
                NameResolver.of(
                        (host, executor) -> {
                            Promise<List<InetAddress>> found = new Promise<>(executor);
                            found.trySuccess(List.of(ip("2001:db8::1"), ip("192.0.2.9")));
                            return found;
                        });
        try (var ch = open(ProxyChain.of("socks4://proxy:1080").withResolver(names), NAME)) {
            ch.runPending();
            assertThat(sent(ch)).isEqualTo("\4\1\1\273\300\0\2\11\0");
        }
        try (var ch = open(ProxyChain.of("socks5://proxy:1080").withResolver(names), NAME)) {
            ch.runPending();
            receive(ch, "\5\0");
            assertThat(sent(ch)).startsWith("\5\1\0\5\1\0\4\40\1\15\270");
        }
    }

    /// Attack class: memory by input that nobody has asked for.
    @Test
    void proxyThatSpeaksWhileANameIsResolvedIsRefused() {
        NameResolver never = NameResolver.of((host, executor) -> new Promise<>(executor));
        try (var ch = open(ProxyChain.of("socks4://proxy:1080").withResolver(never), NAME)) {
            receive(ch, "welcome");
            assertThat(failure(ch, ProxyException.Malformed.class))
                    .hasMessageContaining("bytes before the proxy was asked: 7");
        }
    }

    @Test
    void addressOfIpv6HasNoRoomInSocks4() {
        var six = new InetSocketAddress(ip("2001:db8::1"), 7);
        try (var ch = open(ProxyChain.of("socks4a://proxy:1080"), six)) {
            assertThat(failure(ch, ProxyException.BadDestination.class))
                    .hasMessageContaining("IPv4");
        }
    }

    @Test
    void chainAsksEachProxyForTheNext() {
        ProxyChain chain = ProxyChain.of("socks5h://a:1", "http://b:2", "socks4a://c:3");
        assertThat(chain.entrance(NAME)).isEqualTo(InetSocketAddress.createUnresolved("a", 1));
        try (var ch = open(chain, NAME)) {
            receive(ch, "\5\0");
            assertThat(sent(ch)).endsWith("\5\1\0\3\1b\0\2");
            receive(ch, "\5\0\0\1\0\0\0\0\0\0");
            assertThat(sent(ch)).startsWith("CONNECT c:3 HTTP/1.1\r\n");
            receive(ch, "HTTP/1.1 200 OK\r\n\r\n");
            assertThat(sent(ch)).endsWith("example.org\0");
            receive(ch, "\0\132\0\0\0\0\0\0");
            assertOpen(ch);
        }
    }

    @Test
    void failureInAChainNamesItsProxy() {
        try (var ch = open(ProxyChain.of("socks5h://a:1", "http://b:2"), NAME)) {
            receive(ch, "\5\0");
            receive(ch, "\5\0\0\1\0\0\0\0\0\0");
            receive(ch, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
            assertThat(failure(ch, ProxyException.Refused.class).proxy())
                    .isEqualTo(new ProxyServer.Http("b", 2));
        }
    }

    @Test
    void bytesBeforeTheNextProxyWasAskedAreRefused() {
        try (var ch = open(ProxyChain.of("http://a:1", "http://b:2"), NAME)) {
            receive(ch, "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
            failure(ch, ProxyException.Malformed.class);
        }
    }

    @Test
    void silentProxyIsGivenUp() {
        try (var ch = open(ProxyChain.of("http://p:1").withTimeout(Duration.ofSeconds(5)), NAME)) {
            ch.advance(Duration.ofSeconds(6));
            assertThat(failure(ch, ProxyException.TimedOut.class)).hasMessageContaining("PT5S");
        }
    }

    @Test
    void openTunnelHasNoTimeout() {
        try (var ch = open(ProxyChain.of("socks4a://p:1"), NAME)) {
            receive(ch, "\0\132\0\0\0\0\0\0");
            ch.advance(Duration.ofHours(1));
            assertOpen(ch);
        }
    }

    @Test
    void proxyThatEndsTheConnectionIsAFailure() {
        try (var ch = open(ProxyChain.of("http://p:1"), NAME)) {
            receive(ch, "HTTP/1.1 2").receiveEnd();
            failure(ch, ProxyException.Unreachable.class);
        }
    }

    @Test
    void cancelledConnectionIsAborted() {
        try (var ch = open(ProxyChain.of("socks4a://p:1"), NAME)) {
            opened.get().cancel();
            receive(ch, "\0\132\0\0\0\0\0\0");
            assertThat(ch.isReset()).isTrue();
        }
    }

    @Test
    void urlsAreThoseOfCurl() {
        assertThat(ProxyServer.parse("socks5h://u%40:p%3A+@[::1]:9"))
                .isEqualTo(new ProxyServer.Socks5("::1", 9).withLogin("u@", "p:+"));
        assertThat(ProxyServer.parse("socks5://h"))
                .isEqualTo(new ProxyServer.Socks5("h", 1080, null, false));
        assertThat(ProxyServer.parse("SOCKS4://me@h:5/"))
                .isEqualTo(new ProxyServer.Socks4("h", 5, "me", false));
        assertThat(ProxyServer.parse("h:8080")).isEqualTo(new ProxyServer.Http("h", 8080));
        assertThat(ProxyServer.parse("https://h").port()).isEqualTo(443);
        assertThat(ProxyServer.parse("http://u:p@web_proxy:8080").host()).isEqualTo("web_proxy");
        assertThat(ProxyServer.parse("socks5h://u%40:p%3A+@a_b:9"))
                .isEqualTo(new ProxyServer.Socks5("a_b", 9).withLogin("u@", "p:+"));
        assertThat(ProxyServer.parse("socks5h://u:s3cret@h:1").toString())
                .isEqualTo("socks5h://h:1");
        for (String bad : List.of("ftp://h", "http://", "http://h/path", "http://u:s3cret@", "")) {
            assertThatThrownBy(() -> ProxyServer.parse(bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void timeoutBeyondTheClocksRangeNeverPasses() {
        for (Duration time :
                List.of(Duration.ofDays(200_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            behind.events.clear();
            try (var ch = open(ProxyChain.of("http://proxy:3128").withTimeout(time), NAME)) {
                ch.advance(Duration.ofDays(1));
                receive(ch, "HTTP/1.1 200 OK\r\n\r\n");
                assertOpen(ch);
            }
        }
    }
}
