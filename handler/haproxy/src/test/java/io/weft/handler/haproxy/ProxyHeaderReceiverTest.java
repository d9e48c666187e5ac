package io.weft.handler.haproxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.haproxy.HaproxyLimits;
import io.weft.codec.haproxy.ProxyHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderReceiverTest {
    private static final String LINE = "PROXY TCP4 192.0.2.1 198.51.100.2 56324 443\r\n";
    private static final TrustedProxies TRUSTED = TrustedProxies.of("10.0.0.0/8");

    /// Events behind the receiver, with the peer's address at that moment.
    private static final class Recorder implements ChannelHandler {
        final List<String> events = new ArrayList<>();

        /// Runs once, when the first bytes are there.
        @Nullable Runnable onRead;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            events.add("active " + ctx.channel().remoteAddress());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add("header " + ((ProxyHeader) event).transport());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                events.add("read " + bytes.readString(StandardCharsets.US_ASCII));
            }
            Runnable action = onRead;
            onRead = null;
            if (action != null) {
                action.run();
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            events.add("end");
            ctx.fireChannelInputClosed();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            events.add("inactive");
        }
    }

    private final Recorder behind = new Recorder();

    private EmbeddedChannel connect(TrustedProxies trusted, @Nullable SocketAddress peer) {
        return new EmbeddedChannel(
                new ProxyHeaderReceiver(
                        trusted,
                        HaproxyLimits.DEFAULT,
                        ProxyHeaderReceiver.DEFAULT_TIMEOUT,
                        _ -> peer),
                behind);
    }

    private static InetSocketAddress tcp(String ip) {
        return new InetSocketAddress(InetAddress.ofLiteral(ip), 7);
    }

    @Test
    void addressesOfTheHeaderAreThoseOfTheChannel() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            assertThat(behind.events).isEmpty();
            for (int i = 0; i < LINE.length(); i++) {
                ch.receive(LINE.substring(i, i + 1));
            }
            ch.receive("GET /");
            assertThat(behind.events)
                    .containsExactly("active /192.0.2.1:56324", "header TCP4", "read GET /");
            assertThat(ch.channel().localAddress())
                    .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("198.51.100.2"), 443));
            assertThat(ch.channel().attributes().get(ProxyHeaderReceiver.PROXY))
                    .isEqualTo(tcp("10.1.2.3"));
            assertThat(ch.channel().attributes().get(ProxyHeaderReceiver.HEADER)).isNotNull();
        }
        assertThat(behind.events).endsWith("inactive");
    }

    @Test
    void bytesBehindTheHeaderTravelInTheSameBatch() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            ch.receive(LINE + "PROXY UNKNOWN\r\n");
            assertThat(behind.events).endsWith("read PROXY UNKNOWN\r\n");
        }
    }

    @Test
    void connectionOfTheProxyItselfKeepsItsAddresses() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            SocketAddress own = ch.channel().remoteAddress();
            ch.receive("PROXY UNKNOWN\r\nx");
            assertThat(behind.events)
                    .containsExactly("active " + own, "header UNSPECIFIED", "read x");
        }
    }

    @Test
    void otherPeerIsReset() {
        try (var ch = connect(TRUSTED, tcp("192.0.2.9"))) {
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).isEmpty();
    }

    @Test
    void peerOfUnknownAddressIsReset() {
        try (var ch = connect(TRUSTED, null)) {
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n", "PROXY TCP4 x\r\n", "\r\n\r\n\0\r\nQUIT\n\61"})
    void trustedProxyWithoutAHeaderIsReset(String input) {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            ch.receive(input);
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).isEmpty();
    }

    @Test
    void timeForTheHeaderMayBeMoreNanosecondsThanFitInALong() {
        ProxyHeaderReceiver patient =
                new ProxyHeaderReceiver(
                        TRUSTED,
                        HaproxyLimits.DEFAULT,
                        Duration.ofSeconds(Long.MAX_VALUE),
                        _ -> tcp("10.1.2.3"));
        try (var ch = new EmbeddedChannel(patient, behind)) {
            ch.receive("PROXY TCP4");
            assertThat(ch.isClosed()).isFalse();
        }
    }

    @Test
    void headerThatDoesNotComeInTimeEndsTheConnection() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            ch.receive("PROXY TCP4").advance(Duration.ofSeconds(11));
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).isEmpty();
    }

    @Test
    void inputThatEndsBeforeTheHeaderEndsTheConnection() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            ch.receive("PROXY TCP4").receiveEnd();
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).isEmpty();
    }

    @Test
    void headerInTimeStopsTheClock() {
        try (var ch = connect(TRUSTED, tcp("10.1.2.3"))) {
            ch.receive(LINE).advance(Duration.ofHours(1));
            assertThat(ch.isReset()).isFalse();
        }
    }

    @Test
    void directPeerConnectsAsItselfWhereThatIsAllowed() {
        try (var ch = connect(TRUSTED.withDirect(), tcp("192.0.2.9"))) {
            ch.receive("P").receive("OST /").advance(Duration.ofMinutes(1));
            assertThat(behind.events).hasSize(2).endsWith("read POST /");
            assertThat(ch.channel().attributes().get(ProxyHeaderReceiver.HEADER)).isNull();
        }
    }

    @Test
    void directPeersHeaderIsRefused() {
        try (var ch = connect(TRUSTED.withDirect(), tcp("192.0.2.9"))) {
            ch.receive(LINE);
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).noneMatch(event -> event.startsWith("read"));
    }

    @Test
    void directPeerMayEndAfterAFewBytes() {
        try (var ch = connect(TRUSTED.withDirect(), tcp("192.0.2.9"))) {
            ch.receive("PRO").receiveEnd();
            assertThat(behind.events).contains("read PRO", "end");
        }
    }

    /// Takes exceptions, and goes on.
    private static final class Unmoved implements ChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {}
    }

    private static void receiveWithoutMemory(EmbeddedChannel channel, String text) {
        Buffer bytes = BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        try {
            channel.receive(bytes);
        } finally {
            AllocationTap.set(null);
        }
    }

    @Test
    void connectionIsResetWhenFirstBytesFindNoMemory() {
        try (var ch = connect(TRUSTED.withDirect(), tcp("192.0.2.9"))) {
            ch.pipeline().addLast("unmoved", new Unmoved());
            ch.receive("P");
            receiveWithoutMemory(ch, "ROXY TCP4 192.0");
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).noneMatch(event -> event.startsWith("read"));
    }

    @Test
    void connectionIsResetWhenBytesBehindTheFirstFindNoMemory() {
        try (var ch = connect(TRUSTED.withDirect(), tcp("192.0.2.9"))) {
            ch.pipeline().addLast("unmoved", new Unmoved());
            behind.onRead =
                    () -> {
                        ch.receive("x");
                        receiveWithoutMemory(ch, "y");
                    };
            ch.receive("GET /");
            assertThat(ch.isReset()).isTrue();
        }
        assertThat(behind.events).containsOnlyOnce("read GET /").doesNotContain("read x");
    }

    @Test
    void trustIsOfBlocksAndUnixSockets() {
        UnixDomainSocketAddress unix = UnixDomainSocketAddress.of("");
        assertThat(TRUSTED.contains(unix)).isFalse();
        assertThat(TRUSTED.withUnix().contains(unix)).isTrue();
        assertThat(TRUSTED.contains(tcp("::ffff:10.0.0.1"))).isTrue();
        assertThat(TRUSTED.contains(tcp("::1"))).isFalse();
        assertThatThrownBy(() -> TrustedProxies.of("10.0.0.1/8"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
