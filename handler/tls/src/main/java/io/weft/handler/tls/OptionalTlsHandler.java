package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.Cumulation;
import io.weft.handler.tls.TlsException.HandshakeTimeout;
import io.weft.handler.tls.TlsException.NotTls;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves TLS and plaintext on one port: looks at the first bytes and puts a handler for what they are in its place.
///
/// Whoever is on the way chooses plaintext as easily as the client: only for what needs no protection, such as an answer that
/// sends clients elsewhere.
public final class OptionalTlsHandler implements ChannelHandler {
    private final Supplier<? extends ChannelHandler> tls;
    private final Consumer<ChannelHandlerContext> plaintext;
    private final Duration timeout;
    private final Cumulation bytes = new Cumulation();
    private @Nullable Timeout timer;
    private boolean over;

    /// @param tls makes the handler of a connection that is TLS: [TlsContext#handler()], or a [SniHandler]
    /// @param plaintext is told of one that is not; it may add handlers behind the one whose context it gets
    public OptionalTlsHandler(
            Supplier<? extends ChannelHandler> tls, Consumer<ChannelHandlerContext> plaintext) {
        this(tls, plaintext, TlsTimeouts.DEFAULT.handshake());
    }

    /// @param timeout until the first bytes are there
    public OptionalTlsHandler(
            Supplier<? extends ChannelHandler> tls,
            Consumer<ChannelHandlerContext> plaintext,
            Duration timeout) {
        this.tls = tls;
        this.plaintext = plaintext;
        this.timeout = timeout;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            begin(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begin(ctx);
        ctx.fireChannelActive();
    }

    private void begin(ChannelHandlerContext ctx) {
        if (timer == null) {
            timer =
                    ctx.eventLoop()
                            .schedule(() -> late(ctx), timeout.toNanos(), TimeUnit.NANOSECONDS);
            ctx.read();
        }
    }

    private void late(ChannelHandlerContext ctx) {
        if (!over) {
            ctx.fireExceptionCaught(new HandshakeTimeout(timeout));
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer received) || over) {
            ctx.fireChannelRead(message);
            return;
        }
        Buffer in = bytes.add(received);
        try {
            var _ = Records.next(in, true);
            if (in.readableBytes() >= Records.HEADER) {
                over = true;
                ctx.pipeline().addAfter(this, ctx.name() + "-tls", tls.get());
            }
        } catch (NotTls e) {
            over = true;
            plaintext.accept(ctx);
        } catch (TlsException e) {
            over = true; // a bad record: its engine finds that out, too
            ctx.pipeline().addAfter(this, ctx.name() + "-tls", tls.get());
        }
        if (over) {
            passOn(ctx);
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        Buffer all = bytes.take();
        if (all != null) {
            ctx.fireChannelRead(all);
        }
        ctx.fireChannelReadComplete();
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        if (!over && !ctx.channel().autoRead()) {
            ctx.read();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        bytes.release();
        if (timer != null) {
            timer.cancel();
        }
    }
}
