package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static io.weft.transport.sctp.Rig.get;
import static io.weft.transport.sctp.Rig.loopback;
import static io.weft.transport.sctp.Rig.set;
import static io.weft.transport.sctp.Rig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.ChannelOption;
import io.weft.engine.UnsentMessageException;
import io.weft.transport.sctp.SctpNotification.AssociationChange;
import io.weft.transport.sctp.SctpNotification.AssociationState;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Channels over the kernel's SCTP; `dev/sctp.sh` runs these where the kernel has none.
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("io.weft.transport.sctp.Rig#transports")
@Timeout(300)
class SctpTest {
    private final Rig rig;

    SctpTest(String transport) {
        rig = new Rig(transport);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private SctpAddress listen() {
        return rig.listen(SctpAddress.messages(loopback(1, 0)));
    }

    @Test
    void bytesTravelBothWaysInOrder() {
        SctpAddress at = rig.listen(SctpAddress.of(loopback(1, 0)));
        Rig.Side client = rig.connect(at);
        String text = "0123456789".repeat(30_000);
        write(client.channel(), ascii(text)).join();
        Rig.Side server = rig.accepted();

        assertThat(server.heard().bytes(text.length())).isEqualTo(text);
        write(server.channel(), ascii("answer")).join();
        assertThat(client.heard().bytes(6)).isEqualTo("answer");
        assertThat(client.channel().remoteAddress()).isEqualTo(at);
    }

    @Test
    void messagesKeepStreamProtocolAndOrder() {
        Rig.Side client = rig.connect(listen());
        write(client.channel(), SctpMessage.of(ascii("one"), 3, 0x01020304)).join();
        write(client.channel(), SctpMessage.of(ascii("two"), 0).withUnordered(true)).join();
        Rig.Side server = rig.accepted();

        Heard.Text first = server.heard().message();
        assertThat(first.text()).isEqualTo("one");
        assertThat(first.message().stream()).isEqualTo(3);
        assertThat(first.message().protocolId()).isEqualTo(0x01020304);
        assertThat(first.message().complete()).isTrue();
        assertThat(first.message().unordered()).isFalse();
        Heard.Text second = server.heard().message();
        assertThat(second.text()).isEqualTo("two");
        assertThat(second.message().unordered()).isTrue();
    }

    @Test
    void longMessageComesInPieces() {
        Rig.Side client = rig.connect(listen());
        String text = "abcdefgh".repeat(12_500);
        write(client.channel(), SctpMessage.of(ascii(text), 1)).join();
        Rig.Side server = rig.accepted();

        StringBuilder all = new StringBuilder();
        Heard.Text piece;
        do {
            piece = server.heard().message();
            all.append(piece.text());
            assertThat(piece.message().stream()).isEqualTo(1);
            assertThat(piece.message().complete()).isEqualTo(all.length() == text.length());
        } while (all.length() < text.length());
        assertThat(all.toString()).isEqualTo(text);
    }

    @Test
    void orderlyCloseDeliversWhatWasFlushed() {
        Rig.Side client = rig.connect(listen());
        client.channel().writeAndFlush(SctpMessage.of(ascii("last"), 0));
        var _ = client.channel().close();
        Rig.Side server = rig.accepted();

        assertThat(server.heard().message().text()).isEqualTo("last");
        assertThat(server.heard().event(SctpNotification.Shutdown.class)).isNotNull();
        server.heard().awaitEnd();
        client.heard().awaitEnd();
    }

    @Test
    void abortEndsThePeerWithAnError() {
        Rig.Side client = rig.connect(listen());
        write(client.channel(), SctpMessage.of(ascii("hello"), 0)).join();
        Rig.Side server = rig.accepted();
        assertThat(server.heard().message().text()).isEqualTo("hello");
        var _ = client.channel().abort();

        AssociationChange change;
        do {
            change = server.heard().event(AssociationChange.class);
        } while (change.state() != AssociationState.LOST);
        server.heard().awaitEnd();
    }

    @Test
    void associationIsReportedWithItsStreams() {
        Rig.Side client = rig.connect(listen());

        AssociationChange up = client.heard().event(AssociationChange.class);
        assertThat(up.state()).isEqualTo(AssociationState.UP);
        assertThat(up.outboundStreams()).isEqualTo(10);
        SctpStatus status = get(client.channel(), SctpOption.STATUS);
        assertThat(status.outboundStreams()).isEqualTo(10);
        assertThat(status.state()).isEqualTo(4);
        assertThat(status.primary().getAddress()).isEqualTo(loopback(1, 0).getAddress());
    }

    @Test
    void messageOfMissingStreamFailsAlone() {
        Rig.Side client = rig.connect(listen());
        assertThatThrownBy(() -> write(client.channel(), SctpMessage.of(ascii("x"), 4711)).join())
                .hasRootCauseInstanceOf(UnsentMessageException.class);
        write(client.channel(), SctpMessage.of(ascii("good"), 0)).join();

        assertThat(rig.accepted().heard().message().text()).isEqualTo("good");
    }

    @Test
    void messageLongerThanTheSendBufferIsRefused() {
        Rig.Side client = rig.connect(listen());
        int limit = get(client.channel(), ChannelOption.SO_SNDBUF);
        SctpMessage message = SctpMessage.of(ascii("x".repeat(limit + 1)), 0);

        assertThatThrownBy(() -> write(client.channel(), message).join())
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
        assertThat(client.channel().isOpen()).isTrue();
    }

    @Test
    void refusedConnectFails() {
        SctpAddress gone = listen();
        rig.close();
        try (Rig other = new Rig("epoll")) {
            assertThatThrownBy(() -> other.connect(gone))
                    .hasRootCauseInstanceOf(ConnectException.class);
        }
    }

    @Test
    void severalAddressesAreBoundAndUnbound() {
        SctpAddress at = rig.listen(SctpAddress.messages(loopback(1, 0), loopback(2, 0)));
        int port = at.sockets().getFirst().getPort();
        assertThat(at.sockets()).containsExactlyInAnyOrder(loopback(1, port), loopback(2, port));
        Rig.Side client = rig.connect(at.from(loopback(3, 0), loopback(4, 0)));
        List<InetSocketAddress> mine = get(client.channel(), SctpOption.LOCAL_ADDRESSES);
        int from = mine.getFirst().getPort();

        assertThat(mine).containsExactlyInAnyOrder(loopback(3, from), loopback(4, from));
        assertThat(get(client.channel(), SctpOption.PEER_ADDRESSES))
                .containsExactlyInAnyOrder(loopback(1, port), loopback(2, port));
        set(client.channel(), SctpOption.PRIMARY_ADDRESS, loopback(2, port));
        assertThat(get(client.channel(), SctpOption.PRIMARY_ADDRESS)).isEqualTo(loopback(2, port));
        write(client.channel(), SctpMessage.of(ascii("on"), 0)).join();
        assertThat(rig.accepted().heard().message().text()).isEqualTo("on");
    }

    @Test
    void listenerRebindsAddresses() {
        var server = rig.server().bind(SctpAddress.messages(loopback(1, 0))).join();
        int port = ((SctpAddress) server.localAddress()).sockets().getFirst().getPort();
        var handle = rig.connect(SctpAddress.associations(loopback(5, 0)));
        int free = get(handle.channel(), SctpOption.LOCAL_ADDRESSES).getFirst().getPort();
        set(
                handle.channel(),
                SctpOption.LOCAL_ADDRESSES,
                List.of(loopback(6, free), loopback(7, free)));

        assertThat(get(handle.channel(), SctpOption.LOCAL_ADDRESSES))
                .containsExactlyInAnyOrder(loopback(6, free), loopback(7, free));
        assertThat(port).isPositive();
    }

    @Test
    void oneSocketServesManyAssociations() {
        Rig.Side many = rig.connect(SctpAddress.associations(loopback(1, 0)));
        int port = get(many.channel(), SctpOption.LOCAL_ADDRESSES).getFirst().getPort();
        Rig.Side first = rig.connect(SctpAddress.messages(loopback(1, port)));
        Rig.Side second = rig.connect(SctpAddress.messages(loopback(1, port)));
        write(first.channel(), SctpMessage.of(ascii("first"), 1)).join();
        Heard.Text fromFirst = many.heard().message();
        write(second.channel(), SctpMessage.of(ascii("second"), 2)).join();
        Heard.Text fromSecond = many.heard().message();

        assertThat(fromFirst.text()).isEqualTo("first");
        assertThat(fromSecond.text()).isEqualTo("second");
        int one = fromFirst.message().association();
        int two = fromSecond.message().association();
        assertThat(one).isNotEqualTo(two);
        write(many.channel(), SctpMessage.of(ascii("to second"), 0).withAssociation(two)).join();
        assertThat(second.heard().message().text()).isEqualTo("to second");
        set(many.channel(), SctpOption.SHUTDOWN, one);
        first.heard().awaitEnd();
        set(many.channel(), SctpOption.ABORT, two);
        second.heard().awaitEnd();
        assertThat(many.channel().isOpen()).isTrue();
    }

    @Test
    void peeledOffAssociationGoesOnAlone() {
        Rig.Side many = rig.connect(SctpAddress.associations(loopback(1, 0)));
        int port = get(many.channel(), SctpOption.LOCAL_ADDRESSES).getFirst().getPort();
        Rig.Side first = rig.connect(SctpAddress.messages(loopback(1, port)));
        Rig.Side second = rig.connect(SctpAddress.messages(loopback(1, port)));
        write(first.channel(), SctpMessage.of(ascii("first"), 1)).join();
        int one = many.heard().message().message().association();
        write(second.channel(), SctpMessage.of(ascii("second"), 2)).join();
        int two = many.heard().message().message().association();

        SctpAddress peer = SctpAddress.messages(loopback(1, port)).peeledFrom(many.channel(), one);
        Rig.Side alone = rig.connect(peer, many.channel().eventLoop());
        write(alone.channel(), SctpMessage.of(ascii("from alone"), 3)).join();
        assertThat(first.heard().message().text()).isEqualTo("from alone");
        write(first.channel(), SctpMessage.of(ascii("to alone"), 4)).join();
        Heard.Text heard = alone.heard().message();
        assertThat(heard.text()).isEqualTo("to alone");
        assertThat(heard.message().stream()).isEqualTo(4);
        assertThatThrownBy(() -> rig.connect(peer, many.channel().eventLoop()))
                .hasStackTraceContaining("peel off association " + one);
        var _ = many.channel().close();
        second.heard().awaitEnd();
        assertThat(alone.channel().isOpen()).isTrue();
        var _ = first.channel().close();
        assertThat(alone.heard().event(SctpNotification.Shutdown.class)).isNotNull();
        alone.heard().awaitEnd();
        assertThat(two).isNotEqualTo(one);
    }

    @Test
    void sendingToAPeerBeginsAnAssociation() {
        SctpAddress at = listen();
        Rig.Side many = rig.connect(SctpAddress.associations(loopback(1, 0)));
        SctpMessage message = SctpMessage.of(ascii("hi"), 0).withPeer(at.sockets().getFirst());
        write(many.channel(), message).join();
        Rig.Side server = rig.accepted();

        assertThat(server.heard().message().text()).isEqualTo("hi");
        write(server.channel(), SctpMessage.of(ascii("there"), 0)).join();
        Heard.Text answer = many.heard().message();
        assertThat(answer.text()).isEqualTo("there");
        assertThat(answer.message().peer()).isEqualTo(at.sockets().getFirst());
        assertThatThrownBy(
                        () ->
                                write(
                                                many.channel(),
                                                SctpMessage.of(ascii("x"), 0)
                                                        .withAssociation(987_654))
                                        .join())
                .hasRootCauseInstanceOf(UnsentMessageException.class);
        assertThatThrownBy(() -> write(many.channel(), ascii("to nobody")).join())
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(many.channel().isOpen()).isTrue();
    }

    @Test
    void ipv6HasMessagesAndSeveralAddresses() {
        SctpAddress at = rig.listen(SctpAddress.messages(Rig.loopback6(0)));
        Rig.Side client = rig.connect(at);
        write(client.channel(), SctpMessage.of(ascii("six"), 2, 6)).join();
        Rig.Side server = rig.accepted();
        assertThat(server.heard().message().text()).isEqualTo("six");
        assertThat(at.sockets().getFirst().getAddress()).isInstanceOf(Inet6Address.class);
        assertThat(client.channel().remoteAddress()).isEqualTo(at);
        assertThat(get(server.channel(), SctpOption.STATUS).primary().getAddress())
                .isEqualTo(Rig.loopback6(0).getAddress());

        SctpAddress both = rig.listen(SctpAddress.messages(Rig.loopback6(0), loopback(1, 0)));
        int port = both.sockets().getFirst().getPort();
        assertThat(both.sockets())
                .containsExactlyInAnyOrder(Rig.loopback6(port), loopback(1, port));
        Rig.Side old = rig.connect(SctpAddress.messages(loopback(1, port)));
        write(old.channel(), SctpMessage.of(ascii("four"), 0)).join();
        assertThat(rig.accepted().heard().message().text()).isEqualTo("four");
        Rig.Side many = rig.connect(SctpAddress.associations(Rig.loopback6(0)));
        SctpMessage asked = SctpMessage.of(ascii("to six"), 0).withPeer(Rig.loopback6(port));
        write(many.channel(), asked).join();
        Rig.Side answering = rig.accepted();
        assertThat(answering.heard().message().text()).isEqualTo("to six");
        write(answering.channel(), SctpMessage.of(ascii("back"), 0)).join();
        assertThat(many.heard().message().message().peer()).isEqualTo(Rig.loopback6(port));
    }

    @Test
    void optionsAreThoseOfTheKernel() {
        Rig.Side client = rig.connect(listen());
        var channel = client.channel();
        assertThat(get(channel, SctpOption.NODELAY)).isTrue();
        set(channel, SctpOption.NODELAY, false);
        assertThat(get(channel, SctpOption.NODELAY)).isFalse();
        set(
                channel,
                SctpOption.RETRANSMISSION,
                new SctpRetransmission(
                        Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(9)));
        assertThat(get(channel, SctpOption.RETRANSMISSION).most()).isEqualTo(Duration.ofSeconds(9));
        set(channel, SctpOption.MAX_RETRANSMISSIONS, 7);
        assertThat(get(channel, SctpOption.MAX_RETRANSMISSIONS)).isEqualTo(7);
        set(channel, SctpOption.PATH, new SctpPath(Duration.ofSeconds(5), 3));
        set(channel, SctpOption.DELAYED_ACK, new SctpDelayedAck(Duration.ofMillis(100), 3));
        assertThat(get(channel, SctpOption.DELAYED_ACK))
                .isEqualTo(new SctpDelayedAck(Duration.ofMillis(100), 3));
        set(channel, SctpOption.MAX_SEGMENT, 1000);
        assertThat(get(channel, SctpOption.MAX_SEGMENT)).isEqualTo(1000);
        set(channel, SctpOption.MAX_BURST, 9);
        assertThat(get(channel, SctpOption.MAX_BURST)).isEqualTo(9);
        set(channel, SctpOption.PARTIAL_DELIVERY_POINT, 5000);
        assertThat(get(channel, SctpOption.PARTIAL_DELIVERY_POINT)).isEqualTo(5000);
        set(channel, SctpOption.STREAM_SCHEDULER, 1);
        assertThat(get(channel, SctpOption.STREAM_SCHEDULER)).isEqualTo(1);
        set(channel, SctpOption.DISABLE_FRAGMENTS, true);
        assertThat(get(channel, SctpOption.DISABLE_FRAGMENTS)).isTrue();
        set(channel, SctpOption.ADAPTATION, 17);
        assertThat(get(channel, SctpOption.ADAPTATION)).isEqualTo(17);
        assertThat(get(channel, SctpOption.PARTIAL_RELIABILITY)).isTrue();
        assertThat(get(channel, SctpOption.ECN_SUPPORTED)).isTrue();
        assertThat(get(channel, SctpOption.RECONFIG_SUPPORTED)).isFalse();
        assertThat(get(channel, SctpOption.INIT).outboundStreams()).isEqualTo(10);
        set(channel, ChannelOption.SO_SNDBUF, 50_000);
        assertThat(get(channel, ChannelOption.SO_SNDBUF)).isEqualTo(100_000);
    }
}
