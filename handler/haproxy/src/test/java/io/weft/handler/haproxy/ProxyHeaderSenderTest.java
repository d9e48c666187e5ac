package io.weft.handler.haproxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.haproxy.ProxyAddress;
import io.weft.codec.haproxy.ProxyHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ProxyHeaderSenderTest {
    private static final ProxyHeader HEADER =
            ProxyHeader.v1(
                    new ProxyAddress.Inet(InetAddress.ofLiteral("192.0.2.1"), 1),
                    new ProxyAddress.Inet(InetAddress.ofLiteral("192.0.2.2"), 2));
    private static final String LINE = "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n";

    /// As a handler of TLS does.
    private static final class Early implements ChannelHandler {
        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            send(ctx, "added ");
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            send(ctx, "active");
        }

        private static void send(ChannelHandlerContext ctx, String text) {
            ctx.writeAndFlush(ctx.channel().allocator().allocate(8).writeAscii(text));
        }
    }

    @Test
    void headerIsBeforeAllThatHandlersWrite() {
        try (var ch = new EmbeddedChannel(new ProxyHeaderSender(HEADER), new Early())) {
            assertThat(ch.takeOutboundText()).isEqualTo(LINE + "added active");
            assertThat(ch.pipeline().context(Early.class)).isNotNull();
            ch.receive("answer");
        }
    }

    @Test
    void headerThatCannotBeMadeEndsTheConnection() {
        try (var ch =
                new EmbeddedChannel(
                        new ProxyHeaderSender(
                                _ -> {
                                    throw new IllegalArgumentException("no header");
                                }),
                        new Early())) {
            assertThat(ch.isReset()).isTrue();
            assertThat(ch.takeException()).hasMessage("no header");
            assertThat(new String(ch.takeOutbound(), US_ASCII)).isEmpty();
        }
    }

    @Test
    void headerOfAChannelHasItsAddresses() {
        try (var ch = new EmbeddedChannel()) {
            ch.channel().proxiedAddresses(null, null);
            assertThat(ProxyHeaderSender.headerOf(ch.channel())).isEqualTo(ProxyHeader.local());
            InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            ch.channel().proxiedAddresses(here, here);
            assertThat(ProxyHeaderSender.headerOf(ch.channel()))
                    .isEqualTo(
                            ProxyHeader.v2(
                                    new ProxyAddress.Inet(here.getAddress(), 1),
                                    new ProxyAddress.Inet(here.getAddress(), 1)));
        }
    }
}
