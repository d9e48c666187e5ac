package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Cumulation;
import io.weft.codec.Detection;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.loop.Timeout;
import java.net.SocketTimeoutException;
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
/// Input in which no protocol is found within the limits, or that is none of them, goes to
/// `exceptionCaught`, and if no handler takes it, the channel closes. (TLS or not is for
/// `OptionalTlsHandler`, which may stand before.)
///
/// @param <P> the protocols
public final class DetectionHandler<P> implements ChannelHandler {
    /// More than a request line of HTTP begins with, or the preface of HTTP/2.
    public static final int DEFAULT_MAX_BYTES = 256;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private final Function<? super Buffer, ? extends Detection<P>> detector;
    private final BiConsumer<? super ChannelHandlerContext, ? super P> found;
    private final int maxBytes;
    private final Duration timeout;
    private final Cumulation bytes = new Cumulation();
    private @Nullable Timeout timer;
    private boolean over;

    /// It is none of the protocols.
    private boolean failed;

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
                            .schedule(() -> late(ctx), timeout.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void late(ChannelHandlerContext ctx) {
        if (!over) {
            fail();
            ctx.fireExceptionCaught(
                    new SocketTimeoutException(
                            "protocol: unknown after "
                                    + bytes.size()
                                    + " bytes (expected: within "
                                    + timeout
                                    + ")"));
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer received)) {
            ctx.fireChannelRead(message);
        } else if (failed) {
            received.release();
        } else if (over) {
            ctx.fireChannelRead(received); // of a batch that a handler behind asked for
        } else {
            detect(ctx, bytes.add(received));
        }
    }

    private void fail() {
        over = true;
        failed = true;
    }

    private void detect(ChannelHandlerContext ctx, Buffer in) {
        int start = in.readOffset();
        Detection<P> detection;
        try {
            detection = detector.apply(in);
        } catch (RuntimeException e) {
            fail();
            throw e;
        }
        in.readOffset(start);
        switch (detection) {
            case Detection.NeedsMore<P> _ -> {
                if (in.readableBytes() >= maxBytes) {
                    fail();
                    throw new LimitExceededException(
                            "bytes that tell a protocol", in.readableBytes() + 1L, maxBytes);
                }
                bytes.trim();
            }
            case Detection.Unknown<P> _ -> {
                fail();
                throw new CorruptedFrameException(
                        "protocol: unknown after "
                                + in.readableBytes()
                                + " bytes (expected: one that is served here)");
            }
            case Detection.Found<P>(P protocol) -> {
                over = true;
                try {
                    found.accept(ctx, protocol);
                } catch (RuntimeException | Error e) {
                    fail(); // without its handlers, what comes is nobody's
                    throw e;
                }
                passOn(ctx);
            }
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        Buffer all = bytes.take();
        if (all != null) {
            ctx.fireChannelRead(all);
        }
        if (!ctx.isRemoved()) {
            ctx.fireChannelReadComplete();
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
    public void channelInputClosed(ChannelHandlerContext ctx) {
        try {
            if (!over && bytes.size() > 0) {
                throw new PrematureEndException("the first bytes of a protocol");
            }
        } finally {
            over = true;
            ctx.fireChannelInputClosed();
        }
    }

    /// Passes the bytes received so far on, if the handler is removed before it has decided.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
        if (failed || !ctx.channel().isOpen()) {
            bytes.release();
            return;
        }
        Buffer rest = bytes.take();
        if (rest != null) {
            ctx.fireChannelRead(rest);
            ctx.fireChannelReadComplete();
        }
    }
}
