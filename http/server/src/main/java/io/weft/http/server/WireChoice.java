package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.http2.Preface;
import io.weft.tls.machine.TlsSession;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Chooses the wire of a connection by its first bytes: those that HTTP/2 begins with (RFC 9113,
/// 3.3), which are no request of HTTP/1.1, or others. It serves clients who have agreed on `h2` by
/// ALPN as well, and those who know. Thread: the channel's loop.
final class WireChoice implements ChannelHandler, Deadlines.Owner {
    /// Bytes in which the end of a first line is looked for that may be no HTTP.
    private static final int MAX_LINE = 128;

    private final ServerLoop server;
    private final Deadlines deadlines;

    /// Part of a preface; null where the first bytes were enough, as they mostly are.
    private @Nullable Cumulation first;

    private @Nullable ChannelHandlerContext ctx;
    private boolean closing;

    WireChoice(ServerLoop server) {
        this.server = server;
        this.deadlines = new Deadlines(this, server.limits(), server.sweeper());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        deadlines.begin(context.eventLoop().clock().nanoTime());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (closing) {
            ((Buffer) message).release();
            return;
        }
        Cumulation before = first;
        Buffer bytes = before == null ? (Buffer) message : before.add((Buffer) message);
        int matching = Preface.match(bytes);
        if (matching >= 0 && matching < Preface.LENGTH) {
            keep(bytes);
        } else if (matching < 0 && (isAgreed(context) || isForeign(bytes))) {
            closing = true; // RFC 9113, 3.4: a preface that is invalid ends the connection
            bytes.release();
            first = null;
            context.close();
        } else {
            first = null;
            choose(context, bytes, matching == Preface.LENGTH);
        }
    }

    private void keep(Buffer bytes) {
        Cumulation kept = first;
        if (kept == null) {
            kept = new Cumulation();
            kept.add(bytes);
            first = kept;
        }
        kept.trim();
    }

    /// Tells if the client has agreed on HTTP/2 by ALPN.
    private static boolean isAgreed(ChannelHandlerContext context) {
        TlsHandler tls = context.pipeline().get(TlsHandler.class);
        TlsSession session = tls == null ? null : tls.session();
        return session != null && "h2".equals(session.applicationProtocol());
    }

    /// Tells if the first line has three words, as a request line has, the last of which names no
    /// version of HTTP: an answer in HTTP/1.1 would be of no use.
    private static boolean isForeign(Buffer in) {
        int words = 1;
        int start = in.readOffset();
        int end = Math.min(in.writeOffset(), start + MAX_LINE);
        int last = start;
        for (int i = start; i < end; i++) {
            int b = in.getByte(i);
            if (b == '\r' || b == '\n') {
                return words == 3 && !startsWithHttp(in, last, i);
            }
            if (b == ' ') {
                words++;
                last = i + 1;
            }
        }
        return false;
    }

    private static boolean startsWithHttp(Buffer in, int from, int to) {
        String http = "HTTP/";
        for (int i = 0; i < http.length(); i++) {
            if (from + i >= to || (in.getByte(from + i) & ~0x20) != (http.charAt(i) & ~0x20)) {
                return false;
            }
        }
        return true;
    }

    private void choose(ChannelHandlerContext context, @Nullable Buffer bytes, boolean http2) {
        ChannelHandler wire =
                http2
                        ? new Http2ServerConnection(server, null)
                        : new Http1Connection(server, deadlines);
        context.pipeline().replace(this, http2 ? "http2" : "http1", wire);
        if (bytes != null) {
            context.fireChannelRead(bytes); // a removed handler's context leads to the next one
        }
    }

    /// The client has finished without having said enough to be understood.
    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        if (closing) {
            return;
        }
        Buffer bytes = first == null ? null : first.take();
        choose(context, bytes, false);
        context.fireChannelReadComplete();
        context.fireChannelInputClosed();
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

    private void gone() {
        if (deadlines.owner() == this) {
            deadlines.end();
        }
        if (first != null) {
            first.release();
        }
    }

    // ---- deadlines ----

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public void missed(Deadlines.Wait what) {
        Objects.requireNonNull(ctx, "not in a pipeline").close();
    }

    @Override
    public void stalled() {}

    @Override
    public void quiet() {}

    @Override
    public void giveUp(String what, Throwable cause) {
        gone();
        Objects.requireNonNull(ctx, "not in a pipeline").channel().abort();
    }
}
