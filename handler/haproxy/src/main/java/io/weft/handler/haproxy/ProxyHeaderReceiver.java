package io.weft.handler.haproxy;

import io.weft.buffer.Buffer;
import io.weft.channel.AttributeKey;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.Detection;
import io.weft.codec.haproxy.HaproxyDecoder;
import io.weft.codec.haproxy.HaproxyLimits;
import io.weft.codec.haproxy.ProxyHeader;
import io.weft.codec.haproxy.ProxyVersion;
import io.weft.loop.Timeout;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the header that a trusted proxy sends first, makes its addresses those of the channel, and
/// goes. It stands first in the pipeline, before TLS.
///
/// Handlers behind it hear of the connection (`channelActive`) when the header is there, so that
/// they see the client's addresses; the [ProxyHeader] follows as a user event, and stays as the
/// attribute [#HEADER]. With LOCAL or UNKNOWN the addresses are the proxy's own.
///
/// A connection is reset, and no handler hears of it, when a trusted proxy sends no header, a
/// malformed one, or none within the time-out; when another peer sends one; and when another peer
/// connects at all, unless [TrustedProxies#allowsDirect].
public final class ProxyHeaderReceiver implements ChannelHandler {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /// The header that the connection began with.
    public static final AttributeKey<ProxyHeader> HEADER = AttributeKey.of("proxy header");

    /// The address of the proxy itself, where it has sent a header.
    public static final AttributeKey<SocketAddress> PROXY = AttributeKey.of("proxy address");

    private enum State {
        /// Not active yet.
        NEW,
        /// Waits for a trusted proxy's header.
        HEADER,
        /// Waits for bytes of another peer that are no header.
        DIRECT,
        /// The connection is there, and its first bytes travel.
        PASSING,
        /// Nothing is left to do, or the connection was reset.
        OVER
    }

    private static final System.Logger LOG = System.getLogger(ProxyHeaderReceiver.class.getName());

    private final TrustedProxies trusted;
    private final HaproxyDecoder decoder;
    private final Duration timeout;
    private final Function<Channel, @Nullable SocketAddress> peer;
    private final Cumulation bytes = new Cumulation();
    private State state = State.NEW;
    private boolean ended;

    /// Handlers behind this one have heard of the connection.
    private boolean told;

    private @Nullable ProxyHeader header;
    private @Nullable Timeout timer;

    /// With the default limits and time-out.
    public ProxyHeaderReceiver(TrustedProxies trusted) {
        this(trusted, HaproxyLimits.DEFAULT, DEFAULT_TIMEOUT);
    }

    /// @param timeout from the begin of the connection to the end of the header
    /// @throws IllegalArgumentException when the time-out is not positive
    public ProxyHeaderReceiver(TrustedProxies trusted, HaproxyLimits limits, Duration timeout) {
        this(trusted, limits, timeout, Channel::remoteAddress);
    }

    ProxyHeaderReceiver(
            TrustedProxies trusted,
            HaproxyLimits limits,
            Duration timeout,
            Function<Channel, @Nullable SocketAddress> peer) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
        this.trusted = trusted;
        this.decoder = new HaproxyDecoder(limits);
        this.timeout = timeout;
        this.peer = peer;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        boolean believed = trusted.contains(peer.apply(ctx.channel()));
        if (!believed && !trusted.allowsDirect()) {
            refuse(ctx, "not one of the trusted proxies");
            return;
        }
        state = believed ? State.HEADER : State.DIRECT;
        if (!believed) {
            // A protocol whose server speaks first would wait for ever otherwise.
            told = true;
            ctx.fireChannelActive();
            return;
        }
        timer =
                ctx.eventLoop()
                        .schedule(
                                () -> refuse(ctx, "no header within " + timeout),
                                TimeUnit.NANOSECONDS.convert(timeout), // 292 years at most
                                TimeUnit.NANOSECONDS);
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer received)) {
            ctx.fireChannelRead(message);
            return;
        }
        switch (state) {
            case OVER -> received.release();
            case NEW, PASSING -> {
                var _ = keep(ctx, received);
            }
            case HEADER -> header(ctx, keep(ctx, received));
            case DIRECT -> direct(ctx, keep(ctx, received));
        }
    }

    private Buffer keep(ChannelHandlerContext ctx, Buffer received) {
        try {
            return bytes.add(received);
        } catch (RuntimeException | Error e) {
            reset(ctx, "received bytes are lost: " + e); // and none may follow them
            throw e;
        }
    }

    private void header(ChannelHandlerContext ctx, Buffer in) {
        try {
            decoder.decode(in, decoded -> header = decoded);
        } catch (DecoderException e) {
            refuse(ctx, String.valueOf(e.getMessage()));
            return;
        }
        ProxyHeader found = header;
        bytes.trim();
        if (found == null) {
            return;
        }
        Channel channel = ctx.channel();
        SocketAddress proxy = peer.apply(channel);
        channel.attributes().set(HEADER, found);
        if (proxy != null) {
            channel.attributes().set(PROXY, proxy);
        }
        if (found.isProxied() && found.source() != null && found.destination() != null) {
            channel.proxiedAddresses(
                    found.destination().toSocketAddress(), found.source().toSocketAddress());
        }
        passOn(ctx, found);
    }

    private void direct(ChannelHandlerContext ctx, Buffer in) {
        switch (ProxyVersion.detect(in)) {
            case Detection.NeedsMore<ProxyVersion> _ -> bytes.trim();
            case Detection.Unknown<ProxyVersion> _ -> passOn(ctx, null);
            case Detection.Found<ProxyVersion> _ ->
                    refuse(ctx, "a header of another peer than a trusted proxy");
        }
    }

    private void passOn(ChannelHandlerContext ctx, @Nullable ProxyHeader found) {
        state = State.PASSING;
        cancelTimer();
        if (!told) {
            told = true;
            ctx.fireChannelActive();
        }
        if (found != null) {
            ctx.fireUserEventTriggered(found);
        }
        for (Buffer all; !ctx.isRemoved() && (all = bytes.take()) != null; ) {
            if (all.isReadable()) {
                ctx.fireChannelRead(all);
            } else {
                all.release();
            }
        }
        state = State.OVER;
        if (ended) {
            ctx.fireChannelInputClosed();
        }
        if (!ctx.isRemoved()) {
            ctx.pipeline().remove(this);
        }
    }

    private void refuse(ChannelHandlerContext ctx, String why) {
        if (state == State.OVER || state == State.PASSING) {
            return;
        }
        reset(ctx, why);
    }

    private void reset(ChannelHandlerContext ctx, String why) {
        state = State.OVER;
        cancelTimer();
        bytes.release();
        SocketAddress from = peer.apply(ctx.channel());
        LOG.log(System.Logger.Level.DEBUG, () -> "connection of " + from + " reset: " + why);
        ctx.channel().abort();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        switch (state) {
            case HEADER -> ctx.read();
            case DIRECT -> {
                ctx.fireChannelReadComplete();
                if (bytes.size() > 0) {
                    ctx.read();
                }
            }
            case NEW, PASSING -> {} // behind the bytes that travel
            case OVER -> {
                if (told) {
                    ctx.fireChannelReadComplete();
                }
            }
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        switch (state) {
            case PASSING, NEW -> ended = true;
            case HEADER -> refuse(ctx, "end of input before the header");
            case DIRECT -> {
                ended = true;
                passOn(ctx, null);
            }
            case OVER -> {
                if (told) {
                    ctx.fireChannelInputClosed();
                }
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (told) {
            ctx.fireExceptionCaught(cause);
        } else {
            refuse(ctx, String.valueOf(cause));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.OVER;
        cancelTimer();
        bytes.release();
        if (told) {
            ctx.fireChannelInactive();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelTimer();
        bytes.release();
    }
}
