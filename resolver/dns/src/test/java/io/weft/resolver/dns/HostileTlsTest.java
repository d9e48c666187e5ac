package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers over TLS that prove nothing: a client that is strict sends them no query.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileTlsTest {
    private static final DnsName NAME = DnsName.parse("secret.example.com.");
    private static final TlsIdentity AUTHORITY =
            CertificateBuilder.subject("CN=authority").authority(-1).selfSigned();

    private final EventLoopGroup group = EventLoopGroup.create("nio", 2);
    private final List<DnsMessage> queries = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        group.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private final class Answers implements MessageHandler<DnsMessage> {
        @Override
        public Class<DnsMessage> messageType() {
            return DnsMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, DnsMessage query) {
            queries.add(query);
            ctx.channel().writeAndFlush(answer(query, NAME + " 60 A 192.0.2.1"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private InetSocketAddress server(TlsIdentity identity) throws Exception {
        TlsContext context = TlsContext.server(identity).build();
        return (InetSocketAddress)
                new ServerBootstrap(group)
                        .childHandler(
                                channel ->
                                        channel.pipeline()
                                                .addLast(TlsHandler.server(context))
                                                .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                                                .addLast(
                                                        new EncoderHandler<>(
                                                                DnsMessage.class,
                                                                DnsEncoder.stream()))
                                                .addLast(new Answers()))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join()
                        .localAddress();
    }

    /// Takes octets and says `said` once.
    private static final class Mute implements MessageHandler<Buffer> {
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private final byte[] said;
        private boolean spoken;

        Mute(byte[] said) {
            this.said = said;
        }

        @Override
        public Class<Buffer> messageType() {
            return Buffer.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Buffer octets) {
            byte[] copy = new byte[octets.readableBytes()];
            octets.readBytes(copy);
            synchronized (heard) {
                heard.writeBytes(copy);
            }
            if (!spoken && said.length > 0) {
                spoken = true;
                Buffer reply = BufferAllocator.pooled().allocate(said.length);
                reply.writeBytes(said);
                ctx.channel().writeAndFlush(reply);
            }
        }

        String heard() {
            synchronized (heard) {
                return heard.toString(StandardCharsets.ISO_8859_1);
            }
        }
    }

    private InetSocketAddress server(Mute mute) {
        return (InetSocketAddress)
                new ServerBootstrap(group)
                        .childHandler(channel -> channel.pipeline().addLast(mute))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join()
                        .localAddress();
    }

    private DnsResolver resolver(InetSocketAddress address) throws Exception {
        TlsContext trusting = TlsContext.client().trust(AUTHORITY.certificate()).build();
        DnsServer server =
                new DnsServer.Tls(address, true, "dns.example", Set.of(), null, trusting);
        return DnsResolver.builder(group)
                .config(
                        ResolverConfig.DEFAULT
                                .servers(List.of(server))
                                .timeout(Duration.ofSeconds(20))
                                .attempts(1))
                .build();
    }

    private ResolveException failure(InetSocketAddress address) throws Exception {
        try (DnsResolver resolver = resolver(address)) {
            List<ResolveException> failures = new CopyOnWriteArrayList<>();
            assertThatThrownBy(() -> resolver.resolve(NAME, RecordType.A).join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(ResolveException.class, failures::add);
            return failures.getFirst();
        }
    }

    private static CertificateBuilder ofServer() {
        return CertificateBuilder.subject("CN=server").host("dns.example");
    }

    private void assertRefused(TlsIdentity identity) throws Exception {
        assertThat(failure(server(identity)).reason()).isEqualTo(ResolveException.Reason.TLS);
        assertThat(queries).isEmpty();
    }

    @Test
    void serverWithACertificateOfTheAuthorityIsAsked() throws Exception {
        try (DnsResolver resolver = resolver(server(ofServer().signedBy(AUTHORITY)))) {
            assertThat(resolver.resolve(NAME, RecordType.A).join().records()).hasSize(1);
        }
    }

    @Test
    void serverWithAnExpiredCertificateGetsNoQuery() throws Exception {
        Instant now = Instant.now();
        assertRefused(
                ofServer()
                        .validity(now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)))
                        .signedBy(AUTHORITY));
    }

    @Test
    void serverWithACertificateOfTomorrowGetsNoQuery() throws Exception {
        Instant now = Instant.now();
        assertRefused(
                ofServer()
                        .validity(now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)))
                        .signedBy(AUTHORITY));
    }

    @Test
    void serverOfAWildcardAboveItsNameGetsNoQuery() throws Exception {
        assertRefused(
                CertificateBuilder.subject("CN=dns.example")
                        .host("*.example.org")
                        .signedBy(AUTHORITY));
    }

    @Test
    void serverWhoseNameIsInTheSubjectAloneGetsNoQuery() throws Exception {
        assertRefused(
                CertificateBuilder.subject("CN=dns.example")
                        .host("other.example")
                        .signedBy(AUTHORITY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n\r\n",
                "\u0000\u0002\u0000\u0000", // a frame of DNS
                "\u0015\u0003\u0003\u0000\u0002\u0002(", // an alert: handshake_failure
            })
    void serverThatSpeaksNoTlsGetsNoQuery(String said) throws Exception {
        Mute mute = new Mute(said.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(failure(server(mute)).reason()).isEqualTo(ResolveException.Reason.TLS);
        assertThat(mute.heard()).doesNotContain("secret");
    }
}
