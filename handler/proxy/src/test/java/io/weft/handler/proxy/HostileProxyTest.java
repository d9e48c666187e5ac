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
import io.weft.http.model.Headers;
import io.weft.loop.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Proxies that answer what no proxy should.
class HostileProxyTest {
    private static final InetSocketAddress NAME =
            InetSocketAddress.createUnresolved("example.org", 443);

    private final AtomicReference<Promise<Channel>> opened = new AtomicReference<>();
    private final StringBuilder behind = new StringBuilder();

    private EmbeddedChannel open(String... proxies) {
        return open(NAME, proxies);
    }

    private EmbeddedChannel open(InetSocketAddress destination, String... proxies) {
        behind.setLength(0);
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT,
                ch -> {
                    opened.set(ch.newPromise());
                    ProxyChain.of(proxies)
                            .open(
                                    ch,
                                    destination,
                                    c -> c.pipeline().addLast(new Reader(behind)),
                                    opened.get());
                });
    }

    private record Reader(StringBuilder text) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                text.append(bytes.readString(ISO_8859_1));
            }
        }
    }

    private static void receive(EmbeddedChannel ch, String wire) {
        if (wire.isEmpty()) {
            return;
        }
        byte[] bytes = wire.getBytes(ISO_8859_1);
        var _ = ch.receive(BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes));
    }

    private <E extends ProxyException> E failure(EmbeddedChannel ch, Class<E> type) {
        assertThat(ch.isReset()).isTrue();
        assertThat(behind).isEmpty();
        return type.cast(Objects.requireNonNull(opened.get().cause()));
    }

    /// A conversation of two proxies, where `|` stands where the client has to speak.
    private record Talk(List<String> proxies, String answers) {}

    private static final List<Talk> TALKS =
            List.of(
                    new Talk(
                            List.of("http://a:1", "http://b:2"),
                            "HTTP/1.1 200 OK\r\nVia: x\r\n\r\n|HTTP/1.0 200 OK\r\n\r\n"),
                    new Talk(
                            List.of("socks5h://u:p@a:1", "socks4a://b:2"),
                            "\5\2|\1\0|\5\0\0\3\4host\0\7|\0\132\0\0\0\0\0\0"),
                    new Talk(
                            List.of("socks4a://a:1", "socks5h://b:2"),
                            "\0\132\0\0\0\0\0\0|\5\0|\5\0\0\4aaaabbbbccccdddd\0\7"));

    @Test
    void connectionThatEndsAtAnyByteFails() {
        for (Talk talk : TALKS) {
            int length = talk.answers().length();
            for (int cut = 0; cut <= length; cut++) {
                try (EmbeddedChannel ch = open(talk.proxies().toArray(String[]::new))) {
                    for (String part : talk.answers().substring(0, cut).split("\\|", -1)) {
                        receive(ch, part);
                    }
                    if (cut == length) {
                        assertThat(opened.get().now()).isSameAs(ch.channel());
                        continue;
                    }
                    assertThat(opened.get().isDone()).isFalse();
                    ch.receiveEnd();
                    failure(ch, ProxyException.Unreachable.class);
                }
            }
        }
    }

    @Test
    void answersAtRandomNeitherOpenNorThrow() {
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        for (int i = 0; i < 3000; i++) {
            Talk talk = TALKS.get(random.nextInt(TALKS.size()));
            try (EmbeddedChannel ch = open(talk.proxies().toArray(String[]::new))) {
                StringBuilder text = new StringBuilder(talk.answers());
                for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                    text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
                }
                for (String part : text.toString().split("\\|", -1)) {
                    receive(ch, part);
                }
                ch.receiveEnd();
                assertThat(opened.get().isDone()).isTrue();
                Throwable cause = opened.get().cause();
                assertThat(cause == null || cause instanceof ProxyException).isTrue();
                ch.checkException();
            }
        }
    }

    /// Attack class: an answer that does not end, in all its parts.
    @Test
    void endlessAnswersAreGivenUp() {
        for (String part :
                List.of("x", "HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 OK\r\n")) {
            try (EmbeddedChannel ch = open("http://a:1")) {
                receive(ch, part);
                String more = part.endsWith("\n") ? "B: 1\r\n" : "x";
                for (int i = 0; i < 100 && !opened.get().isDone(); i++) {
                    receive(ch, more.repeat(1000));
                }
                failure(ch, ProxyException.Malformed.class);
            }
        }
    }

    @Test
    void floodOfInterimAnswersIsGivenUp() {
        try (EmbeddedChannel ch = open("http://a:1")) {
            receive(ch, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(33));
            failure(ch, ProxyException.Malformed.class);
        }
    }

    @Test
    void answersThatAreNoneAreRefused() {
        for (String answer :
                List.of(
                        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n",
                        "HTTP/1.1 200 OK\r\nA\0: 1\r\n",
                        "HTTP/2.0 200 OK\r\n",
                        "HTTP/1.1 99 OK\r\n",
                        "HTTP/1.1 200 OK\r\n folded\r\n")) {
            try (EmbeddedChannel ch = open("http://a:1")) {
                receive(ch, answer + "\r\n");
                assertThat(opened.get().isDone()).as(answer).isTrue();
                failure(ch, ProxyException.Malformed.class);
            }
        }
    }

    @Test
    void secondProxyThatFailsIsNamed() {
        try (EmbeddedChannel ch = open("http://a:1", "socks5h://u:p@b:2")) {
            receive(ch, "HTTP/1.1 200 OK\r\n\r\n");
            receive(ch, "\5\1"); // GSS-API, which was not offered
            assertThat(failure(ch, ProxyException.AuthenticationFailed.class))
                    .hasMessageContaining("socks5h://b:2");
        }
    }

    @Test
    void challengeIsNotRepeatedWithoutAnEnd() {
        try (EmbeddedChannel ch = open("http://a:1")) {
            receive(
                    ch,
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic "
                            + "x".repeat(6000)
                            + "\r\n\r\n");
            String message = failure(ch, ProxyException.AuthenticationFailed.class).getMessage();
            assertThat(message).contains("Basic xxx").hasSizeLessThan(400);
        }
    }

    @Test
    void destinationsThatCannotBeSaidAreRefused() {
        for (String host : List.of("x".repeat(256), "a\0b", "a\r\nb", "a b", "a@b/", "")) {
            InetSocketAddress evil = InetSocketAddress.createUnresolved(host, 443);
            for (String proxy : List.of("http://p:1", "socks4a://p:1", "socks5h://p:1")) {
                if (proxy.startsWith("http") && host.startsWith("x")) {
                    continue; // HTTP has room for it
                }
                if (proxy.startsWith("socks") && host.startsWith("a@")) {
                    continue; // SOCKS leaves names to the proxy
                }
                try (EmbeddedChannel ch = open(evil, proxy)) {
                    assertThat(failure(ch, ProxyException.BadDestination.class))
                            .as(proxy + " " + host)
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void loginsThatCannotBeSaidAreRefusedAtOnce() {
        String tooLong = "é".repeat(128);
        for (String url :
                List.of(
                        "http://a%3Ab:s3cret@p:1",
                        "http://a%0D%0Ab:s3cret@p:1",
                        "http://a:s3cret%00@p:1",
                        "socks4a://a%00b@p:1",
                        "socks4://" + "a".repeat(256) + "@p:1",
                        "socks5://:s3cret@p:1",
                        "socks5h://" + "a".repeat(256) + ":s3cret@p:1")) {
            assertThatThrownBy(() -> ProxyServer.parse(url))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("s3cret");
        }
        var proxy = new ProxyServer.Socks5("p", 1);
        assertThatThrownBy(() -> proxy.withLogin("u", tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256 bytes");
        var http = new ProxyServer.Http("p", 1);
        for (String field : List.of("host", "content-length", "transfer-encoding", "expect")) {
            assertThatThrownBy(() -> http.withHeaders(Headers.of(field, "1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(field);
        }
    }
}
