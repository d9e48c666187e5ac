package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.Cumulation;
import io.weft.codec.framing.DecoderException;
import io.weft.codec.framing.FrameTooLongException;
import io.weft.handler.tls.TlsException.AlertSent;
import io.weft.handler.tls.TlsException.Failed;
import io.weft.handler.tls.TlsException.HandshakeTimeout;
import io.weft.handler.tls.TlsException.LimitReached;
import io.weft.handler.tls.TlsException.NotTls;
import io.weft.handler.tls.TlsException.Truncated;
import io.weft.handler.tls.TlsException.UnknownServerName;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Waits for the ClientHello, in however many pieces it comes, and lets it decide what becomes of the connection: mostly
/// which [TlsContext], by the host it asks for.
///
/// A hello that is malformed, too large or late, or asks for a host that nobody serves, ends the connection with an alert:
/// there is no context to fall back to.
public final class SniHandler implements ChannelHandler {
    /// Bytes that may come behind the hello while its context is being looked for.
    static final int MAX_WAITING = 1 << 16;

    /// What becomes of a connection.
    @FunctionalInterface
    public interface Listener {
        /// Owns the hello's record. It goes on, now or later on the channel's loop, with [SniHandler#proceed] or
        /// [SniHandler#refuse].
        void clientHello(SniHandler handler, ClientHello hello);
    }

    private final Listener listener;
    private final Duration timeout;
    private final ClientHelloDecoder decoder;
    private final Cumulation records = new Cumulation();
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Timeout timer;
    private @Nullable ClientHello decoded;

    /// Whose context is being looked for: nobody else has it, and a look-up may never end.
    private @Nullable ClientHello lookedFor;

    private boolean isFirst = true;
    private boolean decided;
    private boolean over;
    private boolean proceeding;

    /// With the limits of 10 s and [ClientHelloDecoder#DEFAULT_MAX_LENGTH].
    public SniHandler(Listener listener) {
        this(listener, TlsTimeouts.DEFAULT.handshake(), ClientHelloDecoder.DEFAULT_MAX_LENGTH);
    }

    /// @param timeout from the beginning of the connection to the decision
    /// @param maxLength of the hello
    public SniHandler(Listener listener, Duration timeout, int maxLength) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
        this.listener = listener;
        this.timeout = timeout;
        this.decoder = new ClientHelloDecoder(maxLength);
    }

    /// Takes the context of the host that a client asks for.
    public static SniHandler of(DomainMapping<TlsContext> contexts) {
        return new SniHandler(
                (handler, hello) -> handler.decide(hello, contexts.get(hello.serverName()), null));
    }

    /// Looks for the context elsewhere, such as in a store of certificates.
    ///
    /// @param select its stage may complete on any thread, with null for a host that is not served. The record is not its
    public static SniHandler of(
            Function<ClientHello, ? extends CompletionStage<@Nullable TlsContext>> select) {
        return new SniHandler(
                (handler, hello) -> {
                    handler.lookedFor = hello;
                    var _ = select.apply(hello).whenComplete(handler::decided);
                });
    }

    /// On any thread.
    private void decided(@Nullable TlsContext context, @Nullable Throwable cause) {
        ChannelHandlerContext at = context();
        if (at.eventLoop().inLoop()) {
            decide(context, cause);
            return;
        }
        try {
            at.eventLoop().executeUnbounded(() -> decide(context, cause));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the channel before it.
        }
    }

    private void decide(@Nullable TlsContext context, @Nullable Throwable cause) {
        ClientHello hello = lookedFor;
        lookedFor = null;
        if (hello != null) {
            decide(hello, context, cause);
        }
    }

    private void decide(
            ClientHello hello, @Nullable TlsContext context, @Nullable Throwable cause) {
        if (cause == null && context != null) {
            TlsHandler next;
            try {
                next = context.handler();
            } catch (RuntimeException e) {
                hello.record().release();
                refuse(TlsAlert.INTERNAL_ERROR, new Failed("no handler: " + e, e));
                return;
            }
            proceed(hello, next);
            return;
        }
        hello.record().release();
        if (cause != null) {
            refuse(TlsAlert.INTERNAL_ERROR, new Failed("no context: " + cause, cause));
        } else {
            String name = hello.serverName();
            refuse(
                    TlsAlert.UNRECOGNIZED_NAME,
                    new UnknownServerName("server name: " + name + " (expected: one served here)"));
        }
    }

    // ---- for listeners ----

    /// The connection goes on with `next`, which gets the hello's record and what came behind them. Loop only.
    public void proceed(ClientHello message, ChannelHandler next) {
        if (over) {
            message.record().release();
            return;
        }
        ChannelHandlerContext at = context();
        at.pipeline().addAfter(this, at.name() + "-tls", next);
        if (at.pipeline().context(next) == null) {
            // It could not be added, and whoever is behind it expects no records.
            message.record().release();
            refuse(TlsAlert.INTERNAL_ERROR, new Failed("no handler: " + next, null));
            return;
        }
        over = true;
        proceeding = true;
        cancelTimer();
        at.fireChannelRead(message.record());
        for (Buffer rest; (rest = records.take()) != null; ) {
            if (rest.isReadable()) {
                at.fireChannelRead(rest);
            } else {
                rest.release();
            }
        }
        proceeding = false;
        at.fireChannelReadComplete();
        if (!at.isRemoved()) {
            at.pipeline().remove(this);
        }
    }

    /// The connection ends with an alert. Loop only.
    public void refuse(TlsAlert alert, TlsException why) {
        if (over) {
            return;
        }
        over = true;
        cancelTimer();
        ChannelHandlerContext at = context();
        byte[] record = {Records.ALERT, 3, 3, 0, 2, 2, (byte) alert.code()};
        at.writeAndFlush(at.channel().allocator().allocate(record.length).writeBytes(record));
        end(at, why);
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return ctx;
    }

    private void end(ChannelHandlerContext at, TlsException why) {
        over = true;
        cancelTimer();
        forget();
        at.channel().shutdownOutput();
        at.fireUserEventTriggered(new TlsEvent.HandshakeFailed(why));
        at.fireExceptionCaught(why);
        at.close();
    }

    // ---- events ----

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
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
        if (timer == null && !over) {
            timer =
                    ctx.eventLoop()
                            .schedule(
                                    () -> end(ctx, new HandshakeTimeout(timeout)),
                                    TimeUnit.NANOSECONDS.convert(timeout),
                                    TimeUnit.NANOSECONDS);
            ctx.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            ctx.fireChannelRead(message);
        } else if (over && !proceeding) {
            bytes.release();
        } else {
            Buffer in = records.add(bytes);
            if (proceeding) {
                return; // behind what is being passed on
            }
            if (decided) {
                wait(in);
            } else {
                decode(ctx, in);
            }
        }
    }

    private void wait(Buffer in) {
        if (in.readableBytes() > MAX_WAITING) {
            refuse(
                    TlsAlert.UNEXPECTED_MESSAGE,
                    new LimitReached(
                            "bytes behind the hello: over "
                                    + MAX_WAITING
                                    + " (expected: at most that)"));
        }
    }

    private void decode(ChannelHandlerContext ctx, Buffer in) {
        try {
            if (isFirst) {
                var _ = Records.next(in, true);
                isFirst = in.readableBytes() < 3;
            }
            decoder.decode(in, message -> decoded = message);
        } catch (NotTls e) {
            end(ctx, e);
        } catch (FrameTooLongException e) {
            refuse(TlsAlert.ILLEGAL_PARAMETER, new LimitReached(String.valueOf(e.getMessage())));
        } catch (DecoderException | TlsException e) {
            String why = String.valueOf(e.getMessage());
            refuse(TlsAlert.DECODE_ERROR, new AlertSent(TlsAlert.DECODE_ERROR, why, e));
        } finally {
            records.trim();
        }
        ClientHello message = decoded;
        if (message != null && !decided) {
            decided = true;
            decoded = null;
            ask(message);
        }
    }

    private void ask(ClientHello message) {
        try {
            listener.clientHello(this, message);
        } catch (RuntimeException | Error e) {
            if (!over) {
                lookedFor = null;
                message.record().release();
                refuse(TlsAlert.INTERNAL_ERROR, new Failed("no context: " + e, e));
            }
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
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (!over) {
            end(ctx, new Truncated("the connection ended before the ClientHello"));
        }
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        over = true;
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        cancelTimer();
        forget();
        decoder.close();
        records.release();
    }

    private void forget() {
        if (lookedFor != null) {
            lookedFor.record().release();
            lookedFor = null;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
