package io.weft.blocking;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The loop's end of a connection: the last handler of its pipeline.
final class ConnectionHandler implements ChannelHandler {
    private final Inbox inbox;
    private final Outbox outbox;
    private @Nullable IOException cause;

    ConnectionHandler(Inbox inbox, Outbox outbox) {
        this.inbox = inbox;
        this.outbox = outbox;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        try {
            take(ctx, message);
        } catch (Throwable e) {
            // Input is lost. The channel may stay open for a while, or for a handler that wants it.
            inbox.fail(e instanceof IOException io ? io : new IOException(e));
            throw e;
        }
    }

    private void take(ChannelHandlerContext ctx, Object message) throws Exception {
        if (message instanceof Buffer bytes) {
            if (inbox.add(bytes)) {
                ctx.channel().autoRead(false);
            }
            return;
        }
        if (message instanceof AutoCloseable closeable) {
            closeable.close();
        }
        throw new IllegalArgumentException(
                "message: "
                        + message.getClass().getName()
                        + " (expected: a Buffer; decoders belong into the protocol)");
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (cause == null) {
            inbox.end();
        } else {
            inbox.fail(cause); // such as a stream of TLS that was cut short: no end is to be seen
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable caught) {
        if (cause == null) {
            cause = caught instanceof IOException e ? e : new IOException(caught);
        }
        ctx.fireExceptionCaught(caught);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        IOException why = cause == null ? new ClosedChannelException() : cause;
        outbox.fail(why);
        inbox.fail(why);
        ctx.fireChannelInactive();
    }
}
