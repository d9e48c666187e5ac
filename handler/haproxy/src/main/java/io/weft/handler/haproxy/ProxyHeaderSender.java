package io.weft.handler.haproxy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.codec.haproxy.HaproxyEncoder;
import io.weft.codec.haproxy.ProxyAddress;
import io.weft.codec.haproxy.ProxyHeader;
import java.net.SocketAddress;
import java.util.function.Function;

/// Sends a header as the first bytes of a connection, before handlers behind it hear that the
/// connection stands, and goes. It stands first in the pipeline, before TLS.
public final class ProxyHeaderSender implements ChannelHandler {
    private final Function<? super Channel, ProxyHeader> header;
    private boolean sent;

    /// Sends this header.
    public ProxyHeaderSender(ProxyHeader header) {
        this(_ -> header);
    }

    /// Sends the header that `header` makes of the connection; what it throws fails the channel.
    public ProxyHeaderSender(Function<? super Channel, ProxyHeader> header) {
        this.header = header;
    }

    /// A header of version 2 for a connection that is passed on: of the addresses of `client`, a
    /// channel that was accepted. LOCAL if they are not known.
    public static ProxyHeader headerOf(Channel client) {
        SocketAddress source = client.remoteAddress();
        SocketAddress destination = client.localAddress();
        if (source == null || destination == null) {
            return ProxyHeader.local();
        }
        return ProxyHeader.v2(ProxyAddress.of(source), ProxyAddress.of(destination));
    }

    /// Handlers behind this one, such as TLS, write as soon as they are added: the header is before
    /// that.
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            send(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        send(ctx);
        ctx.fireChannelActive();
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    private void send(ChannelHandlerContext ctx) {
        if (sent) {
            return;
        }
        sent = true;
        try (Output out = new Output()) {
            new HaproxyEncoder().encode(header.apply(ctx.channel()), out);
            for (Buffer next; (next = out.next()) != null; ) {
                ctx.write(next);
            }
        } catch (RuntimeException e) {
            // Thrown, it would have this handler removed, and the rest sent without a header.
            ctx.fireExceptionCaught(e);
            ctx.channel().abort();
            return;
        }
        ctx.flush();
    }
}
