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
    private boolean failed;

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
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
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
                            .schedule(
                                    () -> late(ctx),
                                    TimeUnit.NANOSECONDS.convert(timeout),
                                    TimeUnit.NANOSECONDS);
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
        if (!(message instanceof Buffer received)) {
            ctx.fireChannelRead(message);
            return;
        }
        if (failed) {
            received.release();
            return;
        }
        Buffer in = bytes.add(received);
        if (over) {
            return; // behind what is being passed on
        }
        boolean isTls = true;
        try {
            var _ = Records.next(in, true);
            if (in.readableBytes() < Records.HEADER) {
                return;
            }
        } catch (NotTls e) {
            isTls = false;
        } catch (TlsException e) {
            // A bad record: its engine finds that out, too.
        }
        over = true;
        try {
            become(ctx, isTls);
        } catch (RuntimeException | Error e) {
            // What is behind this expects neither records nor, maybe, plaintext.
            failed = true;
            bytes.release();
            ctx.fireExceptionCaught(e);
            ctx.close();
            return;
        }
        passOn(ctx);
    }

    private void become(ChannelHandlerContext ctx, boolean isTls) {
        if (!isTls) {
            plaintext.accept(ctx);
            return;
        }
        ChannelHandler handler = tls.get();
        ctx.pipeline().addAfter(this, ctx.name() + "-tls", handler);
        if (ctx.pipeline().context(handler) == null) {
            throw new IllegalStateException("handler: " + handler + " (expected: to be added)");
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        for (Buffer all; (all = bytes.take()) != null; ) {
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
