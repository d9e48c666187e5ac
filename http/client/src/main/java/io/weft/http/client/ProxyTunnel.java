package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.client.liveness.MovingDeadline;
import io.weft.http.http1.Http1Limits;
import io.weft.http.http1.RequestEncoder;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.http1.ResponsePart;
import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.Framing;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.loop.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Asks a proxy for a tunnel to an origin (RFC 9110, 9.3.6) and leaves the pipeline when it is
/// there. Thread: the channel's loop.
final class ProxyTunnel implements ChannelHandler {
    private final Origin origin;
    private final HttpProxy proxy;
    private final ResponseDecoder decoder;
    private final Cumulation input = new Cumulation();
    private final Duration most;
    private final Promise<Void> open;

    /// Ends the wait for the proxy's answer; null before the channel is active.
    private @Nullable MovingDeadline deadline;

    /// @param most time for the proxy's answer
    /// @param open completed when the tunnel is there
    ProxyTunnel(
            Origin origin, HttpProxy proxy, Http1Limits limits, Duration most, Promise<Void> open) {
        this.origin = origin;
        this.proxy = proxy;
        this.decoder = new ResponseDecoder(limits);
        this.most = most;
        this.open = open;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        String authority = origin.host() + ":" + origin.port();
        var headers = Headers.builder().add(HeaderName.HOST, authority);
        proxy.headers().forEach(field -> headers.add(field.name(), field.value()));
        Request connect =
                Request.of(Method.CONNECT, RequestTarget.of(authority))
                        .withHeaders(headers.build());
        Buffer out = ctx.channel().allocator().allocate(256);
        try {
            var _ = new RequestEncoder().head(connect, false, out);
        } catch (RuntimeException e) {
            out.release();
            fail(ctx, "the request for a tunnel: " + e.getMessage(), e);
            return;
        }
        decoder.expect(Method.CONNECT, false);
        deadline = new MovingDeadline(ctx.eventLoop(), () -> late(ctx));
        deadline.set(most);
        ctx.writeAndFlush(out);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Buffer in = input.add((Buffer) message);
        try {
            decoder.decode(in, part -> take(ctx, part));
        } catch (DecoderException e) {
            fail(ctx, String.valueOf(e.getMessage()), e);
        }
        if (open.isDone()) {
            input.release();
            return;
        }
        input.trim();
        if (!decoder.isTunnel()) {
            return;
        }
        if (input.size() > 0) {
            // TLS begins with the client: these bytes are of nobody.
            fail(ctx, "bytes behind the tunnel's begin (expected: none)", null);
            return;
        }
        endDeadline();
        ctx.pipeline().remove(this);
        open.trySuccess(null);
    }

    private void take(ChannelHandlerContext ctx, ResponsePart part) {
        if (part instanceof BodyPart body) {
            body.data().release();
        } else if (part instanceof ResponseHead head && head.framing() != Framing.TUNNEL) {
            decoder.pause();
            fail(ctx, "the proxy " + proxy + " answers " + head.status(), null);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        input.release();
        fail(ctx, "the proxy " + proxy + " closed the connection (expected: a tunnel)", null);
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, "the connection to the proxy " + proxy + " broke: " + cause, cause);
    }

    /// The request may have given up long ago: its connection still has a place in the pool.
    private void late(ChannelHandlerContext ctx) {
        fail(ctx, new TimedOut(origin, Stage.PROXY, most));
    }

    private void fail(ChannelHandlerContext ctx, String what, @Nullable Throwable cause) {
        fail(ctx, new ConnectFailed(origin, Stage.PROXY, what, cause));
    }

    private void fail(ChannelHandlerContext ctx, HttpClientException cause) {
        endDeadline();
        if (open.tryFailure(cause)) {
            var _ = ctx.channel().abort();
        }
    }

    private void endDeadline() {
        if (deadline != null) {
            deadline.end();
        }
    }
}
