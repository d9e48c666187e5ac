package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.eventloop.EventLoop;
import io.weft.http.client.liveness.PooledChannel;
import io.weft.http.http1.RequestEncoder;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.http1.ResponsePart;
import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.EndOfResponse;
import io.weft.http.http1.ResponsePart.Framing;
import io.weft.http.http1.ResponsePart.InterimResponse;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection of a client. Its exchanges come one after the other: requests are not
/// pipelined (RFC 9112, 9.3.2), since a slow response would hold up all behind it.
///
/// Between exchanges nothing may arrive. Bytes that do are for no request, so the connection ends.
/// Thread: the channel's loop, but for [#run], [#rests], [#close] and [#isOpen].
final class Http1Connection
        implements ChannelHandler, ClientConnection, ClientWire, Consumer<ResponsePart> {
    /// Bytes of a piece of a body from which on it is written as it is; a shorter one is gathered.
    private static final int UNCOPIED = 8 << 10;

    private final Route route;
    private final ConnectionPool pool;
    private final HttpClientLimits limits;
    private final ResponseDecoder decoder;
    private final RequestEncoder encoder = new RequestEncoder();
    private final Cumulation input = new Cumulation();

    private @Nullable ChannelHandlerContext ctx;

    /// The channel of `ctx`, for other threads.
    private final PooledChannel channel = new PooledChannel();

    private @Nullable ClientExchange exchange;

    /// Encoded and not yet written.
    private @Nullable Buffer out;

    /// Something was written and not yet sent.
    private boolean unflushed;

    /// Behind a response that is whole and of whose end the exchange has not heard.
    private @Nullable EndOfResponse ended;

    /// Behind a response with which HTTP ends on the connection.
    private @Nullable ResponseHead tunnel;

    private boolean keepAlive = true;
    private boolean decoding;
    private boolean wanted = true;
    private boolean closeAsked;

    /// No exchange may begin.
    private volatile boolean dead;

    Http1Connection(Route route, ConnectionPool pool, HttpClientLimits limits) {
        this.route = route;
        this.pool = pool;
        this.limits = limits;
        this.decoder = new ResponseDecoder(limits.http1());
    }

    // ---- the pool ----

    @Override
    public Route route() {
        return route;
    }

    @Override
    public boolean isOpen() {
        return !dead && channel.isActive();
    }

    @Override
    public boolean isNear() {
        return channel.isNear();
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    public void run(ClientExchange next) {
        if (!channel.run(() -> start(next))) {
            next.unprocessed(null);
        }
    }

    private void start(ClientExchange next) {
        channel.busy();
        if (dead || exchange != null || closeAsked) {
            next.unprocessed(null);
            return;
        }
        exchange = next;
        try {
            next.begin(this);
        } catch (RuntimeException | Error e) {
            die(true);
            next.disconnected(e);
        }
    }

    @Override
    public void rests() {
        if (channel.isNear()) {
            rest();
        } else {
            var _ = channel.run(this::rest);
        }
    }

    private void rest() {
        if (exchange == null && !dead) {
            channel.idle(limits.idleTimeout(), () -> pool.expired(this));
        }
    }

    @Override
    public void close() {
        channel.close();
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        channel.added(context.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Buffer in = (Buffer) message;
        if (dead) {
            in.release();
            return;
        }
        if (exchange != null) {
            exchange.answered();
        }
        input.add(in);
        decode();
    }

    private void decode() {
        Buffer in = input.bytes();
        if (in == null || decoding) {
            return;
        }
        ClientExchange current = exchange;
        DecoderException failure = null;
        decoding = true;
        try {
            decoder.decode(in, this);
        } catch (DecoderException e) {
            failure = e;
        } finally {
            decoding = false;
        }
        if (failure != null) {
            die(true);
        }
        ResponseHead switched = tunnel;
        if (switched != null && current != null && !dead) {
            handOver(current, switched);
            return;
        }
        if (dead) {
            input.release();
        } else {
            input.trim();
        }
        EndOfResponse end = ended;
        if (current != null && end != null) {
            // What came behind it is no fault of this response.
            ended = null;
            current.end(end.trailers());
        } else if (current != null && failure != null) {
            current.malformed(failure);
        }
        if (current != null) {
            current.respond();
        }
        if (!wanted && !dead) {
            context().suspendReading();
        }
    }

    @Override
    public void accept(ResponsePart part) {
        ClientExchange current = exchange;
        if (current == null) {
            if (part instanceof BodyPart body) {
                body.data().release();
            }
            return;
        }
        switch (part) {
            case InterimResponse interim -> current.interim(interim.status(), interim.headers());
            case ResponseHead head -> {
                if (head.framing() == Framing.TUNNEL) {
                    tunnel = head;
                    return;
                }
                keepAlive &= head.keepAlive();
                current.head(head.status(), head.headers(), head.framing() == Framing.NONE);
            }
            case BodyPart body -> current.data(body.data());
            case EndOfResponse end -> ended = end;
        }
    }

    /// Leaves the pipeline to another protocol, with what came behind the response.
    private void handOver(ClientExchange current, ResponseHead head) {
        ChannelHandlerContext here = context();
        Channel there = here.channel();
        dead = true;
        exchange = null;
        channel.ended();
        releaseOut();
        pool.gone(this);
        Buffer rest = input.take();
        here.resumeReading();
        if (!current.upgraded(head.status(), head.headers(), there)) {
            if (rest != null) {
                rest.release();
            }
            var _ = there.abort();
            return;
        }
        there.pipeline().remove(this);
        if (rest != null && rest.isReadable()) {
            here.fireChannelRead(rest);
            here.fireChannelReadComplete();
        } else if (rest != null) {
            rest.release();
        }
    }

    /// The server has finished sending, which ends a body without a length.
    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        if (!dead) {
            try {
                decoder.end(this);
                endOfInput();
            } catch (DecoderException e) {
                disconnected(e, false);
            }
        }
        context.fireChannelInputClosed(); // on which the channel closes
    }

    private void endOfInput() {
        ClientExchange current = exchange;
        EndOfResponse end = ended;
        if (current != null && end != null) {
            ended = null;
            current.end(end.trailers());
        } else {
            disconnected(null, false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        disconnected(null, false);
        if (!decoding) {
            input.release(); // else the decoder, on whose fault the channel was aborted, reads it
        }
        releaseOut();
        channel.ended();
        pool.gone(this);
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        disconnected(cause, true);
    }

    private void disconnected(@Nullable Throwable cause, boolean abort) {
        ClientExchange current = exchange;
        die(abort);
        if (current != null) {
            current.disconnected(cause);
        }
    }

    /// Nothing more is sent or taken here.
    private void die(boolean abort) {
        if (!dead) {
            dead = true;
            exchange = null;
            channel.ended();
            if (!decoding) {
                input.release();
            }
            pool.gone(this);
            if (abort) {
                var _ = context().channel().abort();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (exchange != null && context.channel().isWritable()) {
            exchange.writable();
        }
    }

    /// Closes the connection, for example when its loop shuts down. An exchange is finished first.
    @Override
    public void close(ChannelHandlerContext context) {
        closeAsked = true;
        if (exchange == null) {
            dead = true;
            pool.gone(this);
            context.resumeReading(); // the server's close_notify may be waited for
            context.close();
        }
    }

    // ---- the wire of an exchange ----

    @Override
    public EventLoop eventLoop() {
        return context().eventLoop();
    }

    @Override
    public BufferAllocator allocator() {
        return context().channel().allocator();
    }

    @Override
    public boolean head(Request request) {
        keepAlive &= encoder.head(request, false, out());
        ClientExchange current = exchange;
        decoder.expect(request.method(), current != null && current.offersUpgrade());
        return encoder.isBodyDue();
    }

    @Override
    public boolean takesPieces() {
        return true;
    }

    @Override
    public void data(Buffer piece) {
        int length = piece.readableBytes();
        if (length < UNCOPIED) {
            try (piece) {
                encoder.data(piece, out());
            }
            return;
        }
        try {
            encoder.beginData(length, out());
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        writeOut();
        context().write(piece);
        unflushed = true;
        encoder.endData(out());
    }

    @Override
    public void end(Headers trailers) {
        encoder.end(trailers, out());
    }

    @Override
    public void send() {
        writeOut();
        if (unflushed) {
            unflushed = false;
            context().flush();
        }
    }

    private void writeOut() {
        Buffer ready = out;
        out = null;
        if (ready != null && ready.isReadable()) {
            context().write(ready);
            unflushed = true;
        } else if (ready != null) {
            ready.release();
        }
    }

    private Buffer out() {
        if (out == null) {
            out = allocator().allocate(1024);
        }
        return out;
    }

    private void releaseOut() {
        if (out != null) {
            out.release();
            out = null;
        }
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public long pendingBytes() {
        return context().channel().pendingBytes();
    }

    @Override
    public void demand(boolean more) {
        wanted = more;
        if (decoding) {
            return;
        }
        if (more) {
            context().resumeReading();
        } else {
            context().suspendReading();
        }
    }

    /// A body without a length or chunks ends so (RFC 9112, 6.3), too.
    @Override
    public boolean endsWithResponse() {
        return !keepAlive;
    }

    @Override
    public void done() {
        exchange = null;
        releaseOut();
        if (dead) {
            return;
        }
        demand(true);
        if (closeAsked) {
            close(context());
        } else if (keepAlive && input.size() == 0 && !decoder.isWithinResponse()) {
            pool.release(this);
        } else {
            dead = true;
            pool.gone(this);
            context().close();
        }
    }

    @Override
    public void abort() {
        die(true);
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
