package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.HeldWrites;
import io.weft.codec.Cumulation;
import io.weft.loop.Promise;
import io.weft.tls.machine.Records;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.HandshakeTimeout;
import io.weft.tls.machine.TlsException.LimitReached;
import io.weft.tls.machine.TlsException.NotTls;
import io.weft.tls.machine.TlsException.Truncated;
import io.weft.tls.machine.TlsTimeouts;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves TLS and plaintext on one port: looks at the first bytes and puts a handler for what they
/// are in its place.
///
/// An attacker on the path can choose plaintext as easily as the client: only for what needs no
/// protection, such as an answer that sends clients elsewhere.
public final class OptionalTlsHandler implements ChannelHandler {
    private final Supplier<? extends ChannelHandler> tls;
    private final Consumer<ChannelHandlerContext> plaintext;
    private final Duration timeout;
    private final Cumulation bytes = new Cumulation();
    private final HeldWrites early = new HeldWrites(TlsHandler.MAX_PENDING);
    private final Deadline deadline = new Deadline();
    private boolean over;
    private boolean failed;

    /// The first bytes travel: input that handlers behind ask for meanwhile waits behind them, and
    /// so does its end.
    private boolean passing;

    private boolean ended;

    /// @param tls makes the handler of a connection that is TLS: [TlsHandler#server], or a
    ///     [SniHandler]
    /// @param plaintext is told of one that is not; it may add handlers behind the one whose
    ///     context it gets
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
        if (!deadline.isSet()) {
            deadline.set(ctx, timeout, () -> late(ctx));
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
            var why = Foreign.refuse(message);
            if (!over) {
                fail(ctx, why);
            }
            return;
        }
        if (failed) {
            received.release();
            return;
        }
        Buffer in;
        try {
            in = bytes.add(received);
        } catch (RuntimeException e) {
            fail(ctx, e); // bytes are missing
            return;
        }
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
        boolean chosen = isTls;
        try {
            early.passOn(ctx, () -> become(ctx, chosen));
        } catch (RuntimeException | Error e) {
            // What is behind this expects neither records nor, maybe, plaintext.
            fail(ctx, e);
            return;
        }
        passOn(ctx);
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        over = true;
        failed = true;
        bytes.release();
        early.fail(ctx, cause);
        ctx.fireExceptionCaught(cause);
        ctx.close();
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
        passing = true;
        do {
            for (Buffer all; (all = bytes.take()) != null; ) {
                ctx.fireChannelRead(all);
            }
            ctx.fireChannelReadComplete(); // which may make more arrive
        } while (bytes.size() > 0);
        passing = false;
        if (ended) {
            ctx.fireChannelInputClosed();
        }
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        ask(ctx);
    }

    /// Handlers behind may hold so much that the channel stops to read.
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ask(ctx);
        ctx.fireChannelWritabilityChanged();
    }

    private void ask(ChannelHandlerContext ctx) {
        if (!over && !ctx.channel().readsByItself()) {
            ctx.read();
        }
    }

    /// A peer that sent nothing at all is no error, but no protocol either.
    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (passing) {
            ended = true;
            return;
        }
        boolean undecided = !over;
        over = true;
        if (undecided && bytes.size() > 0) {
            fail(ctx, new Truncated("the connection ended within its first bytes"));
            return;
        }
        ctx.fireChannelInputClosed();
        if (undecided) {
            early.fail(ctx, new ClosedChannelException());
            ctx.close();
        }
    }

    // ---- out ----

    /// Waits: sent now it would go out in the clear.
    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (over) {
            ctx.write(message, promise);
            return;
        }
        var full = early.add(ctx, message, promise, LimitReached::new);
        if (full != null) {
            fail(ctx, full);
        } else {
            ask(ctx);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        early.flush();
        ctx.flush();
    }

    @Override
    public void shutdownOutput(ChannelHandlerContext ctx) {
        if (over) {
            ctx.shutdownOutput();
        } else {
            early.shutdownOutput();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        bytes.release();
        early.removed(ctx, new ClosedChannelException());
        deadline.cancel();
    }
}
