package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Future;
import io.weft.testkit.Ports;
import io.weft.testkit.Warns;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// DNS over TLS (RFC 7858, RFC 8467), on the loopback interface.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTest {
    private static final TlsIdentity IDENTITY =
            CertificateBuilder.selfSigned("dns.example", "127.0.0.1");
    private static final DnsName NAME = DnsName.parse("www.example.com.");

    private final List<DnsMessage> queries = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private EventLoopGroup group;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws Exception {
        group = EventLoopGroup.create("nio", 2);
        TlsContext context = TlsContext.server(IDENTITY).build();
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(
                                channel -> {
                                    connections.incrementAndGet();
                                    channel.pipeline()
                                            .addLast(TlsHandler.server(context))
                                            .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                                            .addLast(
                                                    new EncoderHandler<>(
                                                            DnsMessage.class, DnsEncoder.stream()))
                                            .addLast(new Answers());
                                })
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join();
        address = (InetSocketAddress) server.localAddress();
    }

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
            ctx.channel()
                    .writeAndFlush(
                            answer(query, query.questions().getFirst().name() + " 60 A 192.0.2.1"));
        }

        /// A client that does not trust the server breaks the handshake off.
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private DnsAnswer ask(DnsServer server) {
        try (DnsResolver resolver =
                DnsResolver.builder(group)
                        .config(ResolverConfig.DEFAULT.servers(List.of(server)).attempts(1))
                        .build()) {
            return resolver.resolve(NAME, RecordType.A).join();
        }
    }

    private void assertRefused(DnsServer server) {
        assertThatThrownBy(() -> ask(server))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.TLS));
        assertThat(queries).isEmpty();
    }

    private static TlsContext trusting() throws Exception {
        return TlsContext.client().trust(IDENTITY.certificate()).build();
    }

    private DnsServer.Tls strict(String name, Set<Octets> pins) throws Exception {
        return new DnsServer.Tls(address, true, name, pins, null, trusting());
    }

    private static Octets pin() {
        return DnsServer.Tls.pin(IDENTITY.certificate());
    }

    @Test
    void strictServerIsCheckedByItsName() throws Exception {
        assertThat(ask(strict("dns.example", Set.of())).records()).hasSize(1);
    }

    @Test
    void serverOfAnotherNameGetsNoQuery() throws Exception {
        assertRefused(strict("dns.example.net", Set.of()));
    }

    @Test
    void serverThatTheSystemDoesNotTrustGetsNoQuery() {
        assertRefused(DnsServer.tls(address, "dns.example"));
    }

    @Test
    void serverWithAnotherKeyThanPinnedGetsNoQuery() throws Exception {
        Octets other =
                DnsServer.Tls.pin(CertificateBuilder.selfSigned("dns.example").certificate());
        assertRefused(strict("dns.example", Set.of(other)));
        assertThat(ask(strict("dns.example", Set.of(other, pin()))).records()).hasSize(1);
    }

    @Warns
    @Test
    void pinnedKeyIsEnough() {
        Octets other =
                DnsServer.Tls.pin(CertificateBuilder.selfSigned("dns.example").certificate());
        assertRefused(DnsServer.pinned(address, Set.of(other)));
        assertThat(ask(DnsServer.pinned(address, Set.of(pin()))).records()).hasSize(1);
    }

    @Test
    void queriesArePaddedAndShareAConnection() throws Exception {
        DnsServer server = strict("dns.example", Set.of());
        try (DnsResolver resolver = DnsResolver.builder(group).servers(server).build()) {
            for (String name : List.of("a.", "a-longer-name.example.com.", "b.example.")) {
                Future<DnsAnswer> answer = resolver.resolve(DnsName.parse(name), RecordType.A);
                assertThat(answer.join().records()).hasSize(1);
            }
        }
        assertThat(connections).hasValue(1);
        assertThat(queries).hasSize(3);
        assertThat(queries).allMatch(query -> SimServer.octets(query).length == 128);
    }

    @Warns
    @Test
    void opportunisticServerIsUsedWithAnyCertificate() {
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        DnsServer server = new DnsServer.Tls(address, false, null, Set.of(), nowhere, null);
        assertThat(ask(server).records()).hasSize(1);
    }

    @Warns
    @Test
    void opportunisticServerWithoutTlsIsAskedWithout() throws Exception {
        int closed = Ports.free();
        InetSocketAddress noTls = new InetSocketAddress(InetAddress.getLoopbackAddress(), closed);
        try (UdpAnswers udp = UdpAnswers.start(group)) {
            DnsServer server = new DnsServer.Tls(noTls, false, null, Set.of(), udp.address(), null);
            assertThat(ask(server).records()).hasSize(1);
        }
        assertThat(queries).isEmpty();
    }

    @Test
    void responsesArePaddedTo468() {
        DnsMessage query = DnsMessage.query(1, NAME, RecordType.A);
        DnsMessage response = Padding.response(answer(query, "www.example.com. 60 A 192.0.2.1"));
        assertThat(SimServer.octets(response)).hasSize(468);
        assertThat(Padding.query(query.edns(null))).isEqualTo(query.edns(null));
    }
}
