package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.DnsServer;
import io.weft.resolver.dns.ResolveException;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The HTTP client with the resolver of DNS, over UDP on the loopback interface: what a scripted
/// name server says decides on where requests go, and how they fail.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpNamesTest {
    private static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("www.example.com");
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    /// For machines that are busy.
    private static final HttpClientLimits PATIENT =
            HttpClientLimits.DEFAULT.withConnectTimeout(Duration.ofSeconds(90));

    /// Questions, by name and type.
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private EventLoopGroup group;
    private HttpServer server;
    private HttpServer secure;
    private @Nullable Channel names;
    private @Nullable DnsResolver resolver;

    @BeforeEach
    void start() throws Exception {
        group = EventLoopGroup.create("nio", 2);
        server = server(null);
        secure = server(TlsContext.server(IDENTITY).applicationProtocols("h2", "http/1.1").build());
    }

    private static HttpServer server(@Nullable TlsContext tls) {
        HttpServer.Builder builder =
                HttpServer.builder()
                        .transport("nio")
                        .loops(1)
                        .host(LOOPBACK)
                        .handler(
                                request ->
                                        Response.text(
                                                request.version()
                                                        + " "
                                                        + request.headers().first("host")));
        return (tls == null ? builder : builder.tls(tls)).listen();
    }

    @AfterEach
    void stop() {
        if (resolver != null) {
            resolver.close();
        }
        if (names != null) {
            names.close().join();
        }
        server.close();
        secure.close();
        group.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    // ---- the name server ----

    /// Answers with these records of the asked name and type. A name without any does not exist.
    private HttpClient zone(String... lines) throws Exception {
        List<DnsRecord> records = new ArrayList<>();
        for (String line : lines) {
            records.add(ZoneDecoder.parse(line, DnsName.ROOT).getFirst());
        }
        return client(
                query -> {
                    DnsName name = query.questions().getFirst().name();
                    RecordType type = query.questions().getFirst().type();
                    boolean exists = records.stream().anyMatch(r -> r.name().equals(name));
                    return query.response(
                            exists ? ResponseCode.NOERROR : ResponseCode.NXDOMAIN,
                            records.stream()
                                    .filter(r -> r.name().equals(name))
                                    .filter(
                                            r ->
                                                    r.type().equals(type)
                                                            || r.type().equals(RecordType.CNAME))
                                    .toList());
                });
    }

    private HttpClient client(Function<DnsMessage, DnsMessage> answers) throws Exception {
        Channel bound =
                new DatagramBootstrap(group)
                        .handler(ch -> ch.pipeline().addLast(new Answers(answers, asked)))
                        .bind(new InetSocketAddress(LOOPBACK, 0))
                        .join();
        names = bound;
        InetSocketAddress at = (InetSocketAddress) Objects.requireNonNull(bound.localAddress());
        DnsResolver own = DnsResolver.builder(group).servers(DnsServer.of(at)).build();
        resolver = own;
        return HttpClient.builder()
                .group(group)
                .limits(PATIENT)
                .tls(
                        TlsContext.client()
                                .trust(IDENTITY.certificate())
                                .applicationProtocols("h2", "http/1.1")
                                .build())
                .bootstrap(b -> b.resolver(own))
                .build();
    }

    private record Answers(Function<DnsMessage, DnsMessage> script, List<String> asked)
            implements MessageHandler<Datagram> {
        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
            DnsMessage query = DnsDecoder.datagrams().message(datagram.content());
            var question = query.questions().getFirst();
            String name = question.name().toString().toLowerCase(Locale.ROOT); // 0x20
            asked.add(name + " " + question.type());
            Output out = new Output();
            DnsEncoder.datagrams(1232).encode(script.apply(query), out);
            out.drain(
                    buffer ->
                            ctx.channel().writeAndFlush(new Datagram(buffer, datagram.address())));
        }
    }

    private String url(String host) {
        return "http://" + host + ":" + server.address().getPort() + "/";
    }

    // ---- what comes of it ----

    @Test
    void goesToTheAddressOfTheName() throws Exception {
        try (HttpClient client = zone("www.example.com. 60 A 127.0.0.1")) {
            assertThat(client.get(url("www.example.com")).body().asString())
                    .startsWith("HTTP/1.1 www.example.com");
        }
        // At another port than 443 records have a name of their own (RFC 9460, 9.1).
        String https = "_" + server.address().getPort() + "._https.www.example.com. HTTPS";
        assertThat(asked).contains("www.example.com. A", "www.example.com. AAAA", https);
    }

    /// No server listens at the address of IPv6: that of IPv4 is tried next (RFC 8305).
    @Test
    void addressesAreTriedUntilOneAnswers() throws Exception {
        try (HttpClient client =
                zone("www.example.com. 60 AAAA ::1", "www.example.com. 60 A 127.0.0.1")) {
            assertThat(client.get(url("www.example.com")).status().code()).isEqualTo(200);
        }
    }

    @Test
    void followsAliases() throws Exception {
        try (HttpClient client =
                zone(
                        "www.example.com. 60 CNAME pool.example.net.",
                        "pool.example.net. 60 A 127.0.0.1")) {
            assertThat(client.get(url("www.example.com")).body().asString())
                    .endsWith(" www.example.com:" + server.address().getPort());
        }
        assertThat(asked).contains("pool.example.net. A");
    }

    /// The record has the port, the protocols and the address (RFC 9460, 7.1 to 7.3).
    @Test
    void recordOfTypeHttpsLeadsToItsPort() throws Exception {
        int port = secure.address().getPort();
        try (HttpClient client =
                zone(
                        "www.example.com. 60 HTTPS 1 . alpn=h2 port=%d ipv4hint=127.0.0.1"
                                .formatted(port),
                        "www.example.com. 60 A 127.0.0.1")) {
            assertThat(client.get("https://www.example.com/").body().asString())
                    .isEqualTo("HTTP/2 www.example.com");
            // A record is a promise of https, which a request for http takes (9.5).
            assertThat(client.get("http://www.example.com/").body().asString())
                    .isEqualTo("HTTP/2 www.example.com");
        }
        assertThat(asked).contains("www.example.com. HTTPS");
    }

    @Test
    void nameThatDoesNotExistIsTold() throws Exception {
        try (HttpClient client = zone("www.example.com. 60 A 127.0.0.1")) {
            assertThatThrownBy(() -> client.get(url("no.example.com")))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("http://no.example.com")
                    .hasRootCauseInstanceOf(UnknownHostException.class);
        }
    }

    @Test
    void serverThatFailsIsTold() throws Exception {
        try (HttpClient client =
                client(query -> query.response(ResponseCode.SERVFAIL, List.of()))) {
            assertThatThrownBy(() -> client.get(url("www.example.com")))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("www.example.com")
                    .hasStackTraceContaining("SERVFAIL")
                    .hasStackTraceContaining(ResolveException.class.getName());
        }
    }

    @Test
    void addressWhereNobodyListensIsTold() throws Exception {
        try (HttpClient client = zone("www.example.com. 60 A 127.0.0.1")) {
            server.close();
            assertThatThrownBy(() -> client.get(url("www.example.com")))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("www.example.com:" + server.address().getPort());
        }
    }
}
