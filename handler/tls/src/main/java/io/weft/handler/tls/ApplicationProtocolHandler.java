package io.weft.handler.tls;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.util.function.BiConsumer;

/// Fills the pipeline when the protocol is agreed on (ALPN), before the first data, then leaves it.
/// Behind a [TlsHandler].
public final class ApplicationProtocolHandler implements ChannelHandler {
    private final String fallback;
    private final BiConsumer<ChannelHandlerContext, String> configure;

    /// @param fallback for a peer that does not negotiate
    /// @param configure adds handlers for the protocol; `ctx.pipeline().addAfter(ctx.handler(), …)`
    ///     and `addLast` both do. What it throws closes the channel
    public ApplicationProtocolHandler(
            String fallback, BiConsumer<ChannelHandlerContext, String> configure) {
        this.fallback = fallback;
        this.configure = configure;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof TlsEvent.HandshakeComplete complete)) {
            ctx.fireUserEventTriggered(event);
            return;
        }
        String chosen = complete.session().applicationProtocol();
        try {
            configure.accept(ctx, chosen == null ? fallback : chosen);
        } catch (RuntimeException e) {
            ctx.fireExceptionCaught(e);
            ctx.close();
            return;
        }
        ctx.fireUserEventTriggered(event);
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }
}
