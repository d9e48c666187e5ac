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
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
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
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
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

    /// For handlers that block, which must not run on the loop.
    private static final Executor BLOCKING = Executors.newVirtualThreadPerTaskExecutor();

    private final @Nullable SslContext tls;
    private final @Nullable File file;

    /// @param tls null for none
    /// @param file of [Http1Answers#FILE]; null if connections are of WebSocket, which echoes
    private NettyHttp1(@Nullable SslContext tls, @Nullable File file) {
        this.tls = tls;
        this.file = file;
    }

    static NettyHttp1 webSocket() {
        return new NettyHttp1(null, null);
    }

    /// @param directory that of [Http1Answers#file]
    static NettyHttp1 plain(Path directory) {
        return new NettyHttp1(null, Http1Answers.file(directory).toFile());
    }

    /// Over TLS on the JDK's engine, as the other side has it.
    static NettyHttp1 tls(Path directory) {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        try {
            return new NettyHttp1(
                    SslContextBuilder.forServer(identity.key(), identity.certificate())
                            .sslProvider(SslProvider.JDK)
                            .build(),
                    Http1Answers.file(directory).toFile());
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
        if (file == null) {
            channel.pipeline()
                    .addLast(
                            new HttpObjectAggregator(64 << 10),
                            new WebSocketServerProtocolHandler(Http1Answers.ECHO),
                            new Echo());
        } else {
            channel.pipeline().addLast(new Answers(file));
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
        private final File file;
        private String path = "";
        private boolean keepAlive;
        private long received;

        Answers(File file) {
            this.file = file;
        }

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
                switch (path) {
                    case Http1Answers.FILE -> answerFile(ctx);
                    case Http1Answers.BLOCKING -> BLOCKING.execute(() -> block(ctx));
                    default -> answer(ctx);
                }
            }
        }

        private void block(ChannelHandlerContext ctx) {
            try {
                Thread.sleep(Http1Answers.BLOCKED);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            ctx.executor()
                    .execute(
                            () -> {
                                answer(ctx);
                                ctx.flush();
                            });
        }

        /// Over plain connections that stay, which is how it is asked for.
        private void answerFile(ChannelHandlerContext ctx) {
            HttpResponse head =
                    new DefaultHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK,
                            DefaultHttpHeadersFactory.headersFactory().withValidation(false));
            head.headers().set(CONTENT_TYPE, TEXT_PLAIN).set(CONTENT_LENGTH, file.length());
            var _ = ctx.write(head, ctx.voidPromise());
            var _ = ctx.write(new DefaultFileRegion(file, 0, file.length()));
            var _ = ctx.write(LastHttpContent.EMPTY_LAST_CONTENT);
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
