package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server's side of one HTTP/2 connection that does what a test says.
final class Http2Peer implements ChannelHandler, Http2Events {
    /// Answers to a request, when its head has come, and when it is whole.
    interface Script {
        default void begun(Http2Peer peer, Exchange exchange) {}

        default void whole(Http2Peer peer, Exchange exchange) {
            peer.respond(exchange, Status.OK, Headers.EMPTY, exchange.content.toByteArray());
        }
    }

    /// A request and what is sent back.
    static final class Exchange {
        final Http2Stream stream;
        final RequestHead head;
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        @Nullable Headers trailers;
        private byte[] body = {};
        private int sent;
        private Headers ending = Headers.EMPTY;

        /// As on the wire; -1 unless the client has reset the stream.
        int reset = -1;

        Exchange(Http2Stream stream, RequestHead head) {
            this.stream = stream;
            this.head = head;
        }

        int sent() {
            return sent;
        }
    }

    final List<Exchange> exchanges = new ArrayList<>();
    private final Script script;
    private final Http2Limits limits;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Http2Connection h2;
    private @Nullable Buffer out;

    /// The most streams that were open at a time.
    int mostOpen;

    /// Of the client's GOAWAY; -1 without one.
    int goneAway = -1;

    /// The end of the connection that the client is to blame for.
    @Nullable Http2Exception failure;

    Http2Peer(Http2Limits limits, Script script) {
        this.limits = limits;
        this.script = script;
    }

    Http2Connection h2() {
        if (h2 == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return h2;
    }

    private ChannelHandlerContext ctx() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    // ---- what tests do ----

    void respond(Exchange exchange, Status status, Headers headers, byte[] body) {
        respond(exchange, status, headers, body, Headers.EMPTY);
    }

    void respond(Exchange exchange, Status status, Headers headers, byte[] body, Headers trailers) {
        exchange.body = body;
        exchange.ending = trailers;
        boolean end = body.length == 0 && trailers.isEmpty();
        exchange.stream.response(status, headers, end);
        if (!end) {
            exchange.stream.wantsToSend();
        }
        flush();
    }

    void flush() {
        do {
            h2().serve(() -> isWritable() && (out == null || out.readableBytes() < 64 << 10));
            Buffer ready = out;
            out = null;
            if (ready != null) {
                ctx().writeAndFlush(ready);
            }
        } while (h2().hasMoreToSend() && isWritable());
    }

    private boolean isWritable() {
        return ctx().channel().isWritable();
    }

    void abort() {
        var _ = ctx().channel().abort();
    }

    void close() {
        flush();
        ctx().close();
    }

    void write(byte[] bytes) {
        flush();
        ctx().writeAndFlush(ctx().channel().allocator().allocate(bytes.length).writeBytes(bytes));
    }

    // ---- the channel ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        h2 =
                new Http2Connection(
                        Http2Connection.Role.SERVER,
                        limits,
                        context.eventLoop().clock()::nanoTime,
                        () -> {
                            Buffer to = out;
                            if (to == null) {
                                to = context.channel().allocator().allocate(1024);
                                out = to;
                            }
                            return to;
                        },
                        this);
        h2().start();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        flush();
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        h2().receive((Buffer) message);
        flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        h2().close();
        if (out != null) {
            out.release();
            out = null;
        }
        context.fireChannelInactive();
    }

    // ---- the machine ----

    private static Exchange of(Http2Stream stream) {
        if (stream.attachment() instanceof Exchange exchange) {
            return exchange;
        }
        throw new IllegalStateException(stream + " without its exchange");
    }

    @Override
    public void request(Http2Stream stream, RequestHead head, boolean end) {
        Exchange exchange = new Exchange(stream, head);
        stream.attach(exchange);
        exchanges.add(exchange);
        mostOpen = Math.max(mostOpen, h2().openStreams());
        script.begun(this, exchange);
        if (end) {
            script.whole(this, exchange);
        }
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        Exchange exchange = of(stream);
        try (data) {
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes);
            exchange.content.writeBytes(bytes);
            stream.consumed(bytes.length);
        }
        if (end) {
            script.whole(this, exchange);
        }
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {
        Exchange exchange = of(stream);
        exchange.trailers = trailers;
        script.whole(this, exchange);
    }

    @Override
    public void reset(Http2Stream stream, int code) {
        of(stream).reset = code;
    }

    @Override
    public void send(Http2Stream stream) {
        Exchange exchange = of(stream);
        int n = Math.min(stream.room(), exchange.body.length - exchange.sent);
        if (n > 0) {
            byte[] part = Arrays.copyOfRange(exchange.body, exchange.sent, exchange.sent + n);
            exchange.sent += n;
            boolean last = exchange.sent == exchange.body.length && exchange.ending.isEmpty();
            stream.data(ctx().channel().allocator().allocate(n).writeBytes(part), last);
        }
        if (exchange.sent < exchange.body.length) {
            stream.wantsToSend();
        } else if (!exchange.ending.isEmpty()) {
            stream.trailers(exchange.ending);
        }
    }

    @Override
    public void goAway(int lastStream, int code) {
        goneAway = code;
    }

    @Override
    public void failed(Http2Exception cause) {
        failure = cause;
    }
}
