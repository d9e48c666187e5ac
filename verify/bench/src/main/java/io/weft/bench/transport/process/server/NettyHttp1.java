package io.weft.bench.transport.process.server;

import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.netty.handler.codec.http.HttpHeaderValues.APPLICATION_JSON;
import static io.netty.handler.codec.http.HttpHeaderValues.CLOSE;
import static io.netty.handler.codec.http.HttpHeaderValues.TEXT_PLAIN;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// [Http1Answers] as a user of Netty would write them.
final class NettyHttp1 extends ChannelInitializer<Channel> {
    private static final ByteBuf HELLO = shared(Http2Answers.text());
    private static final Map<String, ByteBuf> BODIES =
            Map.of(
                    Http1Answers.KIBI, body(Http1Answers.KIBI),
                    Http1Answers.LARGE, body(Http1Answers.LARGE),
                    Http1Answers.MEBI, body(Http1Answers.MEBI));

    private final @Nullable SslContext tls;
    private final boolean webSocket;

    /// @param tls null for none
    /// @param webSocket whether connections are of WebSocket, which echoes
    NettyHttp1(@Nullable SslContext tls, boolean webSocket) {
        this.tls = tls;
        this.webSocket = webSocket;
    }

    /// Over TLS on the JDK's engine, as the other side has it.
    static NettyHttp1 tls() {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        try {
            return new NettyHttp1(
                    SslContextBuilder.forServer(identity.key(), identity.certificate())
                            .sslProvider(SslProvider.JDK)
                            .build(),
                    false);
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuf body(String path) {
        return shared(Http2Answers.bytes(Http1Answers.length(path)));
    }

    private static ByteBuf shared(byte[] bytes) {
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
    }

    @Override
    protected void initChannel(Channel channel) {
        SslContext context = tls;
        if (context != null) {
            channel.pipeline().addLast(context.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(new HttpServerCodec());
        if (webSocket) {
            channel.pipeline()
                    .addLast(
                            new HttpObjectAggregator(64 << 10),
                            new WebSocketServerProtocolHandler(Http1Answers.ECHO),
                            new Echo());
        } else {
            channel.pipeline().addLast(new Answers());
        }
    }

    private static final class Echo extends SimpleChannelInboundHandler<BinaryWebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, BinaryWebSocketFrame frame) {
            var _ = ctx.write(frame.retain(), ctx.voidPromise());
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

    private static final class Answers extends SimpleChannelInboundHandler<HttpObject> {
        private String path = "";
        private boolean keepAlive;
        private long received;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpRequest request) {
                path = request.uri();
                keepAlive = HttpUtil.isKeepAlive(request);
                received = 0;
            }
            if (message instanceof HttpContent content) {
                received += content.content().readableBytes();
            }
            if (message instanceof LastHttpContent) {
                answer(ctx);
            }
        }

        private void answer(ChannelHandlerContext ctx) {
            ByteBuf body =
                    switch (path) {
                        case Http1Answers.HELLO -> HELLO.duplicate();
                        case Http1Answers.JSON -> Unpooled.wrappedBuffer(Http1Answers.json());
                        case Http1Answers.UPLOAD ->
                                Unpooled.copiedBuffer(
                                        Long.toString(received), StandardCharsets.US_ASCII);
                        default -> BODIES.getOrDefault(path, HELLO).duplicate();
                    };
            FullHttpResponse response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            body,
                            DefaultHttpHeadersFactory.headersFactory().withValidation(false),
                            DefaultHttpHeadersFactory.trailersFactory().withValidation(false));
            response.headers()
                    .set(
                            CONTENT_TYPE,
                            path.equals(Http1Answers.JSON) ? APPLICATION_JSON : TEXT_PLAIN)
                    .setInt(CONTENT_LENGTH, body.readableBytes());
            if (keepAlive) {
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
}
