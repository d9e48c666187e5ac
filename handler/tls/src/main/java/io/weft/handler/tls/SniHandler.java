package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.HeldWrites;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.loop.Promise;
import io.weft.tls.machine.ClientHello;
import io.weft.tls.machine.ClientHelloDecoder;
import io.weft.tls.machine.DomainMapping;
import io.weft.tls.machine.Records;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.AlertSent;
import io.weft.tls.machine.TlsException.Failed;
import io.weft.tls.machine.TlsException.HandshakeTimeout;
import io.weft.tls.machine.TlsException.LimitReached;
import io.weft.tls.machine.TlsException.NotTls;
import io.weft.tls.machine.TlsException.Truncated;
import io.weft.tls.machine.TlsException.UnknownServerName;
import io.weft.tls.machine.TlsTimeouts;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Waits for the ClientHello, in however many pieces it comes, and lets it decide what becomes of
/// the connection: mostly which [TlsContext], by the host it asks for.
///
/// A hello that is malformed, too large or late, or asks for a host that is not served, ends the
/// connection with an alert: there is no context to fall back to.
public final class SniHandler implements ChannelHandler {
    /// Bytes that may come behind the hello while its context is being looked for.
    static final int MAX_WAITING = 1 << 16;

    /// The callback that decides about a connection.
    @FunctionalInterface
    public interface Listener {
        /// Owns the hello's record. It goes on, now or later on the channel's loop, with
        /// [SniHandler#proceed] or [SniHandler#refuse].
        void clientHello(SniHandler handler, ClientHello hello);
    }

    private final Listener listener;
    private final Duration timeout;
    private final ClientHelloDecoder decoder;
    private final Cumulation records = new Cumulation();
    private final HeldWrites early = new HeldWrites(TlsHandler.MAX_PENDING);
    private final Deadline deadline = new Deadline();
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable ClientHello decoded;

    /// The hello whose context is being looked up. This handler alone owns it, and a look-up may
    /// never end.
    private @Nullable ClientHello lookedFor;

    private boolean isFirst = true;
    private boolean decided;
    private boolean over;
    private boolean proceeding;
    private boolean ended;
    private boolean deciding;

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
    /// @param select its stage may complete on any thread, with null for a host that is not served.
    ///     The record is not its
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
                next = TlsHandler.server(context);
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

    /// The connection goes on with `next`, which gets the hello's record and what came behind them.
    /// Loop only.
    public void proceed(ClientHello message, ChannelHandler next) {
        if (over) {
            message.record().release();
            return;
        }
        ChannelHandlerContext at = context();
        deciding = true;
        early.passOn(at, () -> add(at, next));
        deciding = false;
        if (over) {
            message.record().release(); // closed by a write
            return;
        }
        if (at.pipeline().context(next) == null) {
            // It could not be added, and whoever is behind it expects no records.
            message.record().release();
            refuse(TlsAlert.INTERNAL_ERROR, new Failed("no handler: " + next, null));
            return;
        }
        over = true;
        proceeding = true;
        deadline.cancel();
        at.fireChannelRead(message.record());
        do {
            for (Buffer rest; (rest = records.take()) != null; ) {
                if (rest.isReadable()) {
                    at.fireChannelRead(rest);
                } else {
                    rest.release();
                }
            }
            at.fireChannelReadComplete(); // which may make more arrive
        } while (records.size() > 0);
        proceeding = false;
        if (ended) {
            at.fireChannelInputClosed();
        }
        if (!at.isRemoved()) {
            at.pipeline().remove(this);
        }
    }

    /// If `next` cannot be added, what waits fails: it would go out in the clear.
    private void add(ChannelHandlerContext at, ChannelHandler next) {
        at.pipeline().addAfter(this, at.name() + "-tls", next);
        if (at.pipeline().context(next) == null) {
            early.fail(at, new ClosedChannelException());
        }
    }

    /// The connection ends with an alert. Loop only.
    public void refuse(TlsAlert alert, TlsException why) {
        if (over) {
            return;
        }
        over = true;
        deadline.cancel();
        ChannelHandlerContext at = context();
        say(at, alert);
        end(at, why);
    }

    private static void say(ChannelHandlerContext at, TlsAlert alert) {
        byte[] record = {Records.ALERT, 3, 3, 0, 2, 2, (byte) alert.code()};
        Buffer bytes;
        try {
            bytes = at.channel().allocator().allocate(record.length);
        } catch (MemoryLimitException e) {
            return; // it ends without
        }
        at.writeAndFlush(bytes.writeBytes(record));
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return ctx;
    }

    private void end(ChannelHandlerContext at, TlsException why) {
        over = true;
        deadline.cancel();
        forget();
        early.fail(at, why);
        at.shutdownOutput();
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
        if (!deadline.isSet() && !over) {
            deadline.set(ctx, timeout, () -> end(ctx, new HandshakeTimeout(timeout)));
            ctx.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            var why = Foreign.refuse(message);
            if (!over) {
                end(ctx, why);
            }
        } else if (over && !proceeding) {
            bytes.release();
        } else {
            Buffer in;
            try {
                in = records.add(bytes);
            } catch (RuntimeException e) {
                lost(ctx, e);
                return;
            }
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

    /// Received bytes are missing from what was to be passed on.
    private void lost(ChannelHandlerContext ctx, RuntimeException cause) {
        records.release();
        Failed why = new Failed("received bytes are lost: " + cause, cause);
        if (over) {
            ctx.fireExceptionCaught(why);
            ctx.close();
        } else {
            refuse(TlsAlert.INTERNAL_ERROR, why);
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
            records.trim();
        } catch (NotTls e) {
            end(ctx, PlaintextPeer.of(ctx.channel(), e));
        } catch (LimitExceededException e) {
            refuse(TlsAlert.ILLEGAL_PARAMETER, new LimitReached(String.valueOf(e.getMessage())));
        } catch (DecoderException | TlsException e) {
            String why = String.valueOf(e.getMessage());
            refuse(TlsAlert.DECODE_ERROR, new AlertSent(TlsAlert.DECODE_ERROR, why, e));
        } catch (MemoryLimitException e) {
            lost(ctx, e);
        }
        ClientHello message = decoded;
        decoded = null;
        if (message != null && over) {
            message.record().release();
        } else if (message != null) {
            decided = true;
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

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (proceeding) {
            ended = true; // behind the records that travel
            return;
        }
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

    // ---- out ----

    /// Waits: sent now it would go out in the clear.
    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (over || deciding) {
            ctx.write(message, promise);
            return;
        }
        var full = early.add(ctx, message, promise, LimitReached::new);
        if (full != null) {
            end(ctx, full);
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
        if (over || deciding) {
            ctx.shutdownOutput();
        } else {
            early.shutdownOutput();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        deadline.cancel();
        forget();
        early.removed(ctx, new ClosedChannelException());
        decoder.close();
        records.release();
    }

    private void forget() {
        if (lookedFor != null) {
            lookedFor.record().release();
            lookedFor = null;
        }
    }
}
