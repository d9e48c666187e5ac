package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.HeldWrites;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Cumulation;
import io.weft.codec.Detection;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.engine.ChannelOption;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Serves several protocols on one port: looks at the first bytes of a connection, has the handlers
/// of their protocol added, and goes.
///
/// ```java
/// pipeline.addLast(
///         new DetectionHandler<>(
///                 bytes -> bytes.isReadable() ? found(protocol(bytes.getByte(bytes.readOffset()))) : needsMore(),
///                 (ctx, protocol) -> ctx.pipeline().addLast(protocol.handler())));
/// ```
///
/// What handlers behind this one write before waits, up to 1,024 messages and 64 KiB, and then goes
/// through handlers that were added directly behind this one: in the clear it might be of another
/// protocol.
///
/// Input in which no protocol is found within the limits, or that is none of them, goes to
/// `exceptionCaught`, and if no handler takes it, the channel closes. (TLS or not is for
/// `OptionalTlsHandler`, which may stand before.)
///
/// @param <P> the protocols
public final class DetectionHandler<P> implements ChannelHandler {
    /// More than a request line of HTTP begins with, or the preface of HTTP/2.
    public static final int DEFAULT_MAX_BYTES = 256;

    private static final long MAX_HELD = 64 << 10;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private final Function<? super Buffer, ? extends Detection<P>> detector;
    private final BiConsumer<? super ChannelHandlerContext, ? super P> found;
    private final int maxBytes;
    private final Duration timeout;
    private final Cumulation bytes = new Cumulation();
    private @Nullable Timeout timer;
    private boolean over;

    /// The protocol is found, and its first bytes travel: input that handlers ask for meanwhile
    /// waits behind them, and so does its end.
    private boolean passing;

    private boolean ended;

    /// It is none of the protocols, or bytes are missing: what comes is ignored.
    private boolean failed;

    private final HeldWrites early = new HeldWrites(MAX_HELD);

    /// With the default limits.
    public DetectionHandler(
            Function<? super Buffer, ? extends Detection<P>> detector,
            BiConsumer<? super ChannelHandlerContext, ? super P> found) {
        this(detector, found, DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT);
    }

    /// @param detector looks at all bytes so far, from the read offset on, and takes none of them
    /// @param found adds the protocol's handlers behind the one whose context it gets
    /// @param maxBytes that the detector may ask for
    /// @param timeout from the beginning of the connection
    public DetectionHandler(
            Function<? super Buffer, ? extends Detection<P>> detector,
            BiConsumer<? super ChannelHandlerContext, ? super P> found,
            int maxBytes,
            Duration timeout) {
        if (maxBytes <= 0 || !timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "maxBytes, timeout: " + maxBytes + ", " + timeout + " (expected: > 0)");
        }
        this.detector = detector;
        this.found = found;
        this.maxBytes = maxBytes;
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
                                    TimeUnit.NANOSECONDS.convert(timeout), // 292 years at most
                                    TimeUnit.NANOSECONDS);
        }
    }

    private void late(ChannelHandlerContext ctx) {
        if (!over) {
            var cause =
                    new SocketTimeoutException(
                            "protocol: unknown after "
                                    + bytes.size()
                                    + " bytes (expected: within "
                                    + timeout
                                    + ")");
            fail(ctx, cause);
            ctx.fireExceptionCaught(cause);
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer received)) {
            ctx.fireChannelRead(message);
        } else if (failed) {
            received.release();
        } else if (passing) {
            var _ = keep(ctx, received); // of a batch that a handler behind asked for
        } else if (over) {
            ctx.fireChannelRead(received);
        } else {
            detect(ctx, keep(ctx, received));
        }
    }

    private Buffer keep(ChannelHandlerContext ctx, Buffer received) {
        try {
            return bytes.add(received);
        } catch (RuntimeException | Error e) {
            bytes.release(); // some are missing
            if (passing) {
                failed = true; // writes have their protocol
            } else {
                fail(ctx, e);
            }
            throw e;
        }
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        over = true;
        failed = true;
        early.fail(ctx, cause);
    }

    private void detect(ChannelHandlerContext ctx, Buffer in) {
        int start = in.readOffset();
        Detection<P> detection;
        try {
            detection = detector.apply(in);
        } catch (RuntimeException e) {
            fail(ctx, e);
            throw e;
        }
        in.readOffset(start);
        switch (detection) {
            case Detection.NeedsMore<P> _ -> {
                if (in.readableBytes() >= maxBytes) {
                    var tooLong =
                            new LimitExceededException(
                                    "bytes that tell a protocol",
                                    in.readableBytes() + 1L,
                                    maxBytes);
                    fail(ctx, tooLong);
                    throw tooLong;
                }
                bytes.trim();
            }
            case Detection.Unknown<P> _ -> {
                var unknown =
                        new CorruptedFrameException(
                                "protocol: unknown after "
                                        + in.readableBytes()
                                        + " bytes (expected: one that is served here)");
                fail(ctx, unknown);
                throw unknown;
            }
            case Detection.Found<P>(P protocol) -> {
                over = true;
                passing = true;
                try {
                    early.passOn(ctx, () -> found.accept(ctx, protocol));
                } catch (RuntimeException | Error e) {
                    passing = false;
                    fail(ctx, e); // without its handlers, what comes is nobody's
                    throw e;
                }
                passOn(ctx);
            }
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        for (Buffer all; !ctx.isRemoved() && (all = bytes.take()) != null; ) {
            ctx.fireChannelRead(all);
            if (bytes.size() == 0 && !ctx.isRemoved()) {
                ctx.fireChannelReadComplete();
            }
        }
        passing = false;
        if (ended) {
            ctx.fireChannelInputClosed();
        }
        if (!failed && !ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (passing) {
            return; // behind the bytes that travel
        }
        ctx.fireChannelReadComplete();
        if (!over && !ctx.channel().autoRead()) {
            ctx.read();
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (passing) {
            ended = true;
            return;
        }
        try {
            if (!over) {
                endWithoutProtocol(ctx);
            }
        } finally {
            ctx.fireChannelInputClosed();
        }
    }

    /// A peer that sends nothing at all is no error if the channel closes by itself.
    private void endWithoutProtocol(ChannelHandlerContext ctx) {
        boolean stays = ctx.channel().options().get(ChannelOption.ALLOW_HALF_CLOSURE);
        boolean none = bytes.size() == 0;
        var premature = new PrematureEndException("the first bytes of a protocol");
        fail(ctx, premature);
        if (stays || !none) {
            throw premature;
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (over) {
            ctx.write(message, promise);
        } else {
            early.add(ctx, message, promise, IllegalStateException::new);
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
    public void close(ChannelHandlerContext ctx) {
        early.fail(ctx, new ClosedChannelException());
        ctx.close();
    }

    /// Passes the bytes received so far on, if the handler is removed before it has decided.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        if (failed || !ctx.channel().isOpen()) {
            early.removed(ctx, new ClosedChannelException());
            bytes.release();
            return;
        }
        early.send(ctx);
        Buffer rest = bytes.take();
        if (rest != null) {
            ctx.fireChannelRead(rest);
            ctx.fireChannelReadComplete();
        }
    }
}
