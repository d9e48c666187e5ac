package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.RequestPeer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection of a server: its place in the pipeline, and its deadlines.
///
/// Most connections are idle most of the time, so everything else is an [Http1Active] that the loop
/// lends: from the first byte of a request until a sweep finds the connection idle. A connection
/// that has a request or more in each half second keeps the same one.
///
/// Thread: the channel's loop.
final class Http1Connection implements ChannelHandler, Deadlines.Owner, RequestPeer.Interims {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private final ServerLoop server;
    private final Deadlines deadlines;
    private @Nullable ChannelHandlerContext ctx;

    /// Null while the connection is idle, and when it has [#ended] and left nothing.
    private @Nullable Http1Active active;

    /// True once the deadlines have begun.
    private boolean watched;

    /// True once the channel is closed, or another protocol's.
    private boolean ended;

    /// Of a connection that speaks HTTP/1.1 from its first byte.
    Http1Connection(ServerLoop server) {
        this.server = server;
        this.deadlines = new Deadlines(this, server.limits(), server.sweeper());
        this.watched = false;
    }

    /// Of a connection that has begun.
    ///
    /// @param begun which go on: its first head is still waited for
    Http1Connection(ServerLoop server, Deadlines begun) {
        this.server = server;
        this.deadlines = begun;
        this.watched = true;
        begun.handTo(this);
    }

    private Http1Active active() {
        Http1Active lent = active;
        if (lent == null) {
            lent = server.lend(this, context(), deadlines);
            active = lent;
        }
        return lent;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(ctx, "not in a pipeline");
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        if (!watched) {
            watched = true;
            deadlines.begin(context.eventLoop().clock().nanoTime());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (ended && active == null) {
            ((Buffer) message).release();
        } else {
            active().read((Buffer) message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (active != null) {
            active.readComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (active != null) {
            active.writabilityChanged();
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        if (!ended || active != null) {
            active().inputClosed();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        gone();
    }

    @Override
    public void close(ChannelHandlerContext context) {
        if (ended && active == null) {
            context.close();
        } else {
            active().close();
        }
    }

    /// Sends an interim response to a request, if that is still to be answered.
    ///
    /// @param request the ticket of its peer
    @Override
    public void interim(Object request, Status status, Headers headers) {
        if (active != null) {
            active.interim(request, status, headers);
        }
    }

    private void gone() {
        ended = true;
        if (active == null) {
            deadlines.end();
        } else if (active.gone()) {
            server.giveBackSoon(active);
            active = null;
        }
    }

    // ---- deadlines ----

    @Override
    public long pendingBytes() {
        return context().channel().pendingBytes();
    }

    @Override
    public void missed(Wait what) {
        active().missed(what);
    }

    @Override
    public void stalled() {
        context().channel().abort();
    }

    @Override
    public void quiet() {
        if (active != null && active.isIdle()) {
            server.giveBack(active);
            active = null;
        }
    }

    @Override
    public void giveUp(String what, Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, what, cause);
        gone();
        if (ctx != null) {
            ctx.channel().abort();
        }
    }
}
