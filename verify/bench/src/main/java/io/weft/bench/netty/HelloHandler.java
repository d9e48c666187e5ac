package io.weft.bench.netty;

import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.netty.handler.codec.http.HttpHeaderValues.CLOSE;
import static io.netty.handler.codec.http.HttpHeaderValues.TEXT_PLAIN;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;

/// Answers every request with the same pre-built content, and flushes once for all that one read
/// brought.
public final class HelloHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final byte[] TEXT = "Hello, World!".getBytes(US_ASCII);
    private static final ByteBuf CONTENT =
            Unpooled.unreleasableBuffer(Unpooled.directBuffer(TEXT.length).writeBytes(TEXT));
    private static final AsciiString LENGTH = AsciiString.cached(Integer.toString(TEXT.length));

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (!(message instanceof HttpRequest request)) {
            return; // The end of a request: bodies are not asked for.
        }
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK,
                        CONTENT.duplicate(),
                        DefaultHttpHeadersFactory.headersFactory().withValidation(false),
                        DefaultHttpHeadersFactory.trailersFactory().withValidation(false));
        response.headers().set(CONTENT_TYPE, TEXT_PLAIN).set(CONTENT_LENGTH, LENGTH);
        if (HttpUtil.isKeepAlive(request)) {
            var _ = ctx.write(response, ctx.voidPromise());
        } else {
            response.headers().set(CONNECTION, CLOSE);
            var _ = ctx.write(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var _ = ctx.close(); // Peers that reset their connections are part of the load.
    }
}
