package io.weft.http.websocket;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.websocket.Role;
import io.weft.http.http1.RequestEncoder;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.http1.ResponsePart;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.Method;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// A client's handshake on a connection: the last handler until it is done. Thread: the channel's
/// loop.
final class HandshakeHandler implements ChannelHandler {
    private final ClientHandshake handshake;
    private final WebSocketSettings settings;
    private final WebSocketListener listener;
    private final Promise<WebSocket> promise;
    private final ResponseDecoder decoder = new ResponseDecoder();
    private final Cumulation input = new Cumulation();

    private @Nullable Timeout timeout;
    private @Nullable ResponseHead head;
    private boolean done;

    HandshakeHandler(
            ClientHandshake handshake,
            WebSocketSettings settings,
            WebSocketListener listener,
            Promise<WebSocket> promise) {
        this.handshake = handshake;
        this.settings = settings;
        this.listener = listener;
        this.promise = promise;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        timeout =
                ctx.eventLoop()
                        .schedule(
                                () -> late(ctx),
                                settings.timeouts().handshake().toNanos(),
                                NANOSECONDS);
        Buffer out = ctx.channel().allocator().allocate(512);
        boolean encoded = false;
        try {
            new RequestEncoder().head(handshake.request(), false, out);
            encoded = true;
        } finally {
            if (!encoded) {
                out.release();
            }
        }
        decoder.expect(Method.GET, true);
        ctx.writeAndFlush(out);
        ctx.fireChannelActive();
    }

    private void late(ChannelHandlerContext ctx) {
        fail(
                ctx,
                new SocketTimeoutException(
                        "handshake: no answer within " + settings.timeouts().handshake()));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Buffer in = (Buffer) message;
        if (done) {
            in.release();
            return;
        }
        Buffer all = input.add(in);
        try {
            decoder.decode(all, this::take);
        } catch (DecoderException e) {
            fail(ctx, new WebSocketHandshakeException(null, String.valueOf(e.getMessage())));
            return;
        }
        input.trim();
        ResponseHead answer = head;
        if (answer != null) {
            answered(ctx, answer);
        }
    }

    private void take(ResponsePart part) {
        switch (part) {
            case ResponseHead h -> {
                head = h;
                decoder.pause();
            }
            case ResponsePart.BodyPart(Buffer data) -> data.release();
            case ResponsePart.InterimResponse _, ResponsePart.EndOfResponse _ -> {}
        }
    }

    private void answered(ChannelHandlerContext ctx, ResponseHead answer) {
        Agreement agreement;
        try {
            agreement = handshake.check(answer.status(), answer.headers());
        } catch (WebSocketHandshakeException e) {
            fail(ctx, e);
            return;
        }
        end();
        Buffer rest = input.take();
        if (!promise.setUncancellable()) {
            if (rest != null) {
                rest.release();
            }
            var _ = ctx.channel().abort();
            return;
        }
        upgrade(ctx, agreement, rest);
    }

    private void upgrade(ChannelHandlerContext ctx, Agreement agreement, @Nullable Buffer rest) {
        var handler = new WebSocketHandler(Role.CLIENT, settings, agreement, listener);
        try {
            WebSocketUpgrade.open(ctx.channel(), handler, settings);
        } catch (Throwable t) {
            if (rest != null) {
                rest.release();
            }
            promise.tryFailure(t);
            var _ = ctx.channel().abort();
            return;
        }
        if (!ctx.isRemoved()) { // it is where the listener has aborted the channel at once
            ctx.pipeline().remove(this);
        }
        promise.trySuccess(handler.socket());
        if (rest == null) {
            return;
        }
        if (ctx.pipeline().context(handler) == null) {
            rest.release();
            return;
        }
        ctx.fireChannelRead(rest);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        fail(ctx, new EOFException("the server closed the connection within the handshake"));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, new EOFException("the connection ended within the handshake"));
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, cause);
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            end();
            input.release();
            promise.tryFailure(cause);
            var _ = ctx.channel().abort();
        }
    }

    private void end() {
        done = true;
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
