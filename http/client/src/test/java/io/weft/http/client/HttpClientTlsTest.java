package io.weft.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.engine.LocalAddress;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsTimeouts;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The client as its users have it: on real loops, over channels within the JVM, blocking, with
/// TLS.
class HttpClientTlsTest {
    private static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com");

    /// For dozens of handshakes at once, with classes that nobody has used yet, on a busy machine.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final TlsTimeouts TIMEOUTS =
            new TlsTimeouts(PATIENCE, Duration.ofSeconds(3), Duration.ZERO);

    private final EventLoopGroup group = EventLoopGroup.create("nio", 2);

    @AfterEach
    void end() {
        group.close();
    }

    private HttpClient.Builder client(LocalAddress address) {
        return HttpClient.builder()
                .group(group)
                .limits(HttpClientLimits.DEFAULT.withConnectTimeout(PATIENCE))
                .bootstrap(b -> b.remoteAddress(_ -> address));
    }

    private static TlsContext trusting() throws SSLException {
        return TlsContext.client()
                .trust(IDENTITY.certificate())
                .applicationProtocols("http/1.1")
                .build();
    }

    private LocalAddress serve(@Nullable TlsContext tls, HttpServer.Builder server) {
        LocalAddress address = LocalAddress.unique();
        var initializer = server.initializer();
        new ServerBootstrap(group)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        ch -> {
                            if (tls != null) {
                                ch.pipeline().addLast(TlsHandler.server(tls));
                            }
                            initializer.initChannel(ch);
                        })
                .bind(address)
                .join();
        return address;
    }

    private static TlsContext server(String... protocols) throws SSLException {
        return TlsContext.server(IDENTITY)
                .applicationProtocols(protocols)
                .timeouts(TIMEOUTS)
                .build();
    }

    private LocalAddress secure(String... protocols) throws SSLException {
        return serve(
                server(protocols),
                HttpServer.builder()
                        .handler(
                                r ->
                                        r.body().length() == 0
                                                ? Response.text("hello")
                                                : Response.of(Status.OK, Headers.EMPTY, r.body())));
    }

    @Test
    void speaksTls() throws Exception {
        LocalAddress address = secure("http/1.1");
        try (HttpClient client = client(address).tls(trusting()).build()) {
            assertThat(client.get("https://example.com/").body().asString()).isEqualTo("hello");
            String large = "x".repeat(500_000);
            assertThat(client.post("https://example.com/", Body.of(large)).body().asString())
                    .isEqualTo(large);
            assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    private LocalAddress multiplexing(AtomicInteger connections, String... protocols)
            throws SSLException {
        TlsContext context = server(protocols);
        LocalAddress address = LocalAddress.unique();
        new ServerBootstrap(group)
                .childHandler(
                        ch -> {
                            connections.incrementAndGet();
                            ch.pipeline()
                                    .addLast(TlsHandler.server(context))
                                    .addLast(
                                            new Http2Peer(
                                                    Http2Limits.DEFAULT,
                                                    new Http2Peer.Script() {}));
                        })
                .bind(address)
                .join();
        return address;
    }

    private static TlsContext offering(String... protocols) throws SSLException {
        return TlsContext.client()
                .trust(IDENTITY.certificate())
                .applicationProtocols(protocols)
                .timeouts(TIMEOUTS)
                .build();
    }

    @Test
    void http2IsSpokenWhereTheServerChoosesIt() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        LocalAddress address = multiplexing(connections, "h2", "http/1.1");
        try (HttpClient client = client(address).tls(offering("h2", "http/1.1")).build()) {
            List<CompletableFuture<Response>> futures = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                futures.add(
                        client.sendAsync(Request.post("https://example.com/", Body.of("n" + i))));
            }
            for (int i = 0; i < 40; i++) {
                assertThat(futures.get(i).get().body().asString()).isEqualTo("n" + i);
            }
            String large = "x".repeat(2_000_000);
            assertThat(client.post("https://example.com/", Body.of(large)).body().asString())
                    .isEqualTo(large);
            assertThat(connections).hasValue(1);
        }
    }

    @Test
    void http2IsNotSpokenWhereTheServerDoesNotChooseIt() throws Exception {
        LocalAddress address = secure("http/1.1");
        try (HttpClient client = client(address).tls(offering("h2", "http/1.1")).build()) {
            List<CompletableFuture<Response>> futures = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                futures.add(client.sendAsync(Request.get("https://example.com/")));
            }
            for (CompletableFuture<Response> future : futures) {
                assertThat(future.get().body().asString()).isEqualTo("hello");
            }
        }
    }

    @Test
    void http2AloneRefusesServersWithoutIt() throws Exception {
        try (HttpClient client =
                client(secure("http/1.1"))
                        .protocol(HttpProtocol.HTTP_2)
                        .tls(offering("h2", "http/1.1"))
                        .build()) {
            assertThatThrownBy(() -> client.get("https://example.com/"))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("protocol: http/1.1 (expected: h2)");
        }
    }

    @Test
    void contextsThatNameNoProtocolsAgreeOnThoseOfTheBuilders() throws Exception {
        LocalAddress address =
                serve(
                        null,
                        HttpServer.builder()
                                .tls(server())
                                .handler(r -> Response.text(r.version().toString())));
        for (HttpProtocol protocol : HttpProtocol.values()) {
            try (HttpClient client = client(address).protocol(protocol).tls(offering()).build()) {
                assertThat(client.get("https://example.com/").body().asString())
                        .isEqualTo(protocol == HttpProtocol.HTTP_1_1 ? "HTTP/1.1" : "HTTP/2");
            }
        }
    }

    @Test
    void aServerWithoutAlpnIsSpokenToAllTheSame() throws Exception {
        try (HttpClient client = client(secure()).tls(trusting()).build()) {
            assertThat(client.get("https://example.com/").body().asString()).isEqualTo("hello");
        }
    }

    @Test
    void otherProtocolsAreRefused() throws Exception {
        TlsContext both =
                TlsContext.client()
                        .trust(IDENTITY.certificate())
                        .applicationProtocols("h2", "http/1.1")
                        .build();
        try (HttpClient client =
                client(secure("h2")).protocol(HttpProtocol.HTTP_1_1).tls(both).build()) {
            assertThatThrownBy(() -> client.get("https://example.com/"))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("protocol: h2 (expected: http/1.1)");
        }
    }

    @Test
    void certificatesAndNamesAreChecked() throws Exception {
        LocalAddress address = secure("http/1.1");
        try (HttpClient client = client(address).tls(trusting()).build();
                HttpClient system = client(address).build()) {
            for (HttpClient one : new HttpClient[] {client, system}) {
                String url = one == client ? "https://example.org/" : "https://example.com/";
                assertThatThrownBy(() -> one.get(url))
                        .isInstanceOf(ConnectFailed.class)
                        .hasCauseInstanceOf(SSLException.class)
                        .extracting(e -> ((HttpClientException) e).stage())
                        .isSameAs(Stage.TLS);
            }
        }
    }

    /// A proxy whose tunnels lead to the server that stands behind it in the same channel.
    @Test
    void speaksTlsThroughATunnel() throws Exception {
        TlsContext context = TlsContext.server(IDENTITY).build();
        var initializer = HttpServer.builder().handler(_ -> Response.text("hello")).initializer();
        LocalAddress address = LocalAddress.unique();
        new ServerBootstrap(group)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new Tunnel(
                                                        () -> {
                                                            ch.pipeline()
                                                                    .addLast(
                                                                            TlsHandler.server(
                                                                                    context));
                                                            initializer.initChannel(ch);
                                                        })))
                .bind(address)
                .join();
        try (HttpClient client =
                client(address).tls(trusting()).proxy(new HttpProxy("proxy", 8080)).build()) {
            assertThat(client.get("https://example.com/").body().asString()).isEqualTo("hello");
            assertThat(client.get("https://example.com/").body().asString()).isEqualTo("hello");
            assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    /// Answers a CONNECT, then fills the pipeline and leaves it.
    private static final class Tunnel implements ChannelHandler {
        interface Fill {
            void fill() throws Exception;
        }

        private final Fill fill;

        Tunnel(Fill fill) {
            this.fill = fill;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            try (Buffer in = (Buffer) message) {
                assertThat(in.readString(US_ASCII))
                        .startsWith("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n")
                        .endsWith("\r\n\r\n");
            }
            Buffer out = ctx.channel().allocator().allocate(64);
            ctx.writeAndFlush(out.writeAscii("HTTP/1.1 200 Connected\r\n\r\n"));
            fill.fill();
            ctx.pipeline().remove(this);
        }
    }

    @Test
    void plaintextOnAPortOfTlsIsNoResponse() throws Exception {
        LocalAddress plain = serve(null, HttpServer.builder().handler(_ -> Response.text("hello")));
        try (HttpClient client = client(plain).tls(trusting()).build()) {
            assertThatThrownBy(() -> client.get("https://example.com/"))
                    .isInstanceOf(ConnectFailed.class);
        }
    }

    @Test
    void readsStreamsOnAThreadThatBlocks() throws Exception {
        LocalAddress address =
                serve(
                        null,
                        HttpServer.builder()
                                .handler(
                                        _ ->
                                                Response.of(
                                                        Status.OK,
                                                        Headers.EMPTY,
                                                        Body.of(
                                                                new HttpClientTest.Pattern(
                                                                        3_000_000)))));
        try (HttpClient client = client(address).build();
                StreamedResponse response = client.open(Request.get("http://a/"));
                InputStream in = response.inputStream()) {
            long count = 0;
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b != count++ % 251) {
                    throw new AssertionError("byte " + (count - 1) + ": " + b);
                }
            }
            assertThat(count).isEqualTo(3_000_000);
        }
    }

    /// Answers with a head, and never with a body.
    private LocalAddress silent(CountDownLatch asked) {
        BodySource never =
                out -> {
                    asked.countDown();
                    return BodySource.Step.WAIT;
                };
        return serve(
                null,
                HttpServer.builder()
                        .handler(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(never))));
    }

    @Test
    void anInterruptCancels() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (HttpClient client = client(silent(asked)).build()) {
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            Thread thread =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            client.get("http://a/");
                                        } catch (IOException e) {
                                            failure.set(e);
                                        }
                                    });
            asked.await();
            thread.interrupt();
            thread.join();
            assertThat(failure.get()).isInstanceOf(Cancelled.class);
        }
    }

    @Test
    void aWaitOnALoopIsRefused() throws Exception {
        LocalAddress address =
                serve(null, HttpServer.builder().handler(_ -> Response.text("hello")));
        try (HttpClient client = client(address).build()) {
            CompletableFuture<Response> answer = new CompletableFuture<>();
            group.next()
                    .execute(
                            () -> {
                                try {
                                    answer.complete(client.get("http://a/"));
                                } catch (IOException | RuntimeException e) {
                                    answer.completeExceptionally(e);
                                }
                            });
            assertThatThrownBy(answer::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aClientEndsItsOwnLoops() throws Exception {
        LocalAddress address =
                serve(null, HttpServer.builder().handler(_ -> Response.text("hello")));
        HttpClient client =
                HttpClient.builder()
                        .transport("nio")
                        .loops(1)
                        .bootstrap(b -> b.remoteAddress(_ -> address))
                        .build();
        assertThat(client.get("http://a/").body().asString()).isEqualTo("hello");
        client.shutdownGracefully(Duration.ofSeconds(15)).toCompletableFuture().get();
        assertThatThrownBy(() -> client.get("http://a/"))
                .isInstanceOf(HttpClientException.Rejected.class);
    }
}
