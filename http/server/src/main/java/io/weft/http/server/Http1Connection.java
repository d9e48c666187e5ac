package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.RequestPeer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection of a server: its place in the pipeline, and its deadlines. It may begin
/// open: then its first bytes choose the wire, and it gives its place to one of HTTP/2 if that is
/// theirs.
///
/// Most connections are idle most of the time, so everything else is an [Http1Active] that the loop
/// lends: from the first byte of a request until a sweep finds the connection idle. A connection
/// that has a request or more in each half second keeps the same one.
///
/// Thread: the channel's loop.
final class Http1Connection implements ChannelHandler, Deadlines.Owner, RequestPeer.Interims {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private final Deadlines deadlines;
    private @Nullable ChannelHandlerContext ctx;

    /// Null while the connection is idle, and when it has [#ended] and left nothing.
    private @Nullable Http1Active active;

    /// True until the wire is chosen.
    private boolean open;

    /// Part of a preface of HTTP/2; null where the first bytes were enough, as they mostly are.
    private @Nullable Cumulation preface;

    /// True once the channel is closed, or another protocol's.
    private boolean ended;

    /// @param open whether the client may choose HTTP/2
    Http1Connection(ServerLoop server, boolean open) {
        this.deadlines = new Deadlines(this, server);
        this.open = open;
    }

    private Http1Active active() {
        Http1Active lent = active;
        if (lent == null) {
            lent = deadlines.server().lend(this, context(), deadlines);
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
        deadlines.begin(context.eventLoop().clock().nanoTime());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (ended && active == null) {
            ((Buffer) message).release();
        } else if (open) {
            choose(context, (Buffer) message);
        } else {
            active().read((Buffer) message);
        }
    }

    private void choose(ChannelHandlerContext context, Buffer message) {
        Cumulation before = preface;
        Buffer bytes = before == null ? message : before.add(message);
        WireChoice wire = WireChoice.of(bytes, context.pipeline());
        if (wire == WireChoice.OPEN) {
            keep(bytes);
            return;
        }
        open = false;
        preface = null;
        switch (wire) {
            case HTTP1 -> active().read(bytes);
            case HTTP2 -> {
                Http2ServerConnection http2 = new Http2ServerConnection(deadlines.server(), null);
                context.pipeline().replace(this, "http2", http2);
                context.fireChannelRead(bytes); // a removed handler's context leads to the next one
            }
            case NONE, OPEN -> {
                ended = true;
                bytes.release();
                context.close();
            }
        }
    }

    private void keep(Buffer bytes) {
        Cumulation kept = preface;
        if (kept == null) {
            kept = new Cumulation();
            kept.add(bytes);
            preface = kept;
        }
        kept.trim();
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
        if (open) {
            notChosen(context);
        }
        if (!ended || active != null) {
            active().inputClosed();
        }
    }

    /// The client has finished without having said enough to be understood. What it has said may
    /// end the connection.
    private void notChosen(ChannelHandlerContext context) {
        open = false;
        Cumulation kept = preface;
        preface = null;
        Buffer bytes = kept == null ? null : kept.take();
        if (bytes != null) {
            active().read(bytes);
            channelReadComplete(context);
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
        if (open || (ended && active == null)) {
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
        Cumulation kept = preface;
        if (kept != null) {
            preface = null;
            kept.release();
        }
        if (active == null) {
            deadlines.end();
        } else if (active.gone()) {
            deadlines.server().giveBackSoon(active);
            active = null;
        }
    }

    // ---- deadlines ----

    @Override
    public long pendingBytes() {
        return context().channel().pendingBytes();
    }

    @Override
    public boolean isInputEnded() {
        return active != null && active.input.isEnded();
    }

    @Override
    public void missed(Wait what) {
        if (open) {
            context().close();
        } else {
            active().missed(what);
        }
    }

    @Override
    public void stalled() {
        context().channel().abort();
    }

    @Override
    public void quiet() {
        if (active != null && active.isIdle()) {
            deadlines.server().giveBack(active);
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
