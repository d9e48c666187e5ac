package io.weft.bench.transport.process.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.UncheckedIOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// [Http2Answers] as a user of Netty would write them: a channel for each stream.
final class NettyHttp2 extends ChannelInitializer<Channel> {
    private static final AsciiString DATE = new AsciiString("Mon, 23 Nov 2026 05:00:00 GMT");
    private static final AsciiString GRPC = new AsciiString("application/grpc");
    private static final AsciiString TEXT = new AsciiString("text/plain");
    private static final ByteBuf SMALL = shared(Http2Answers.text());
    private static final ByteBuf LARGE = shared(Http2Answers.bytes(64 << 10));
    private static final ByteBuf MESSAGE = shared(Http2Answers.bytes(Http2Answers.MESSAGE));
    private static final ByteBuf STREAMED =
            shared(Http2Answers.bytes(Http2Answers.STREAMED_MESSAGE));

    private final @Nullable SslContext tls;

    /// @param tls null for none
    NettyHttp2(@Nullable SslContext tls) {
        this.tls = tls;
    }

    /// Over TLS on the JDK's engine, as the other side has it.
    static NettyHttp2 tls() {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        try {
            return new NettyHttp2(
                    SslContextBuilder.forServer(identity.key(), identity.certificate())
                            .sslProvider(SslProvider.JDK)
                            .applicationProtocolConfig(
                                    new ApplicationProtocolConfig(
                                            ApplicationProtocolConfig.Protocol.ALPN,
                                            ApplicationProtocolConfig.SelectorFailureBehavior
                                                    .NO_ADVERTISE,
                                            ApplicationProtocolConfig
                                                    .SelectedListenerFailureBehavior.ACCEPT,
                                            ApplicationProtocolNames.HTTP_2))
                            .build());
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
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
        channel.pipeline()
                .addLast(
                        Http2FrameCodecBuilder.forServer().build(),
                        new Http2MultiplexHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Answers());
                                    }
                                }));
    }

    private static final class Answers extends ChannelInboundHandlerAdapter {
        private CharSequence path = "";

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            boolean end = false;
            if (message instanceof Http2HeadersFrame head) {
                path = head.headers().path();
                end = head.isEndStream();
            } else if (message instanceof Http2DataFrame data) {
                end = data.isEndStream();
            }
            ReferenceCountUtil.release(message);
            if (end) {
                answer(ctx);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        private void answer(ChannelHandlerContext ctx) {
            switch (path.toString()) {
                case Http2Answers.SMALL -> whole(ctx, SMALL);
                case Http2Answers.LARGE -> whole(ctx, LARGE);
                case Http2Answers.UNARY -> messages(ctx, MESSAGE, 1);
                default -> messages(ctx, STREAMED, Http2Answers.MESSAGES);
            }
        }

        private static void whole(ChannelHandlerContext ctx, ByteBuf body) {
            Http2Headers head = head(TEXT);
            head.setInt("content-length", body.readableBytes());
            var _ = ctx.write(new DefaultHttp2HeadersFrame(head));
            var _ = ctx.write(new DefaultHttp2DataFrame(body.duplicate(), true));
        }

        private static void messages(ChannelHandlerContext ctx, ByteBuf message, int count) {
            var _ = ctx.write(new DefaultHttp2HeadersFrame(head(GRPC)));
            for (int i = 0; i < count; i++) {
                var _ = ctx.write(new DefaultHttp2DataFrame(message.duplicate(), false));
            }
            Http2Headers trailers = new DefaultHttp2Headers().add("grpc-status", "0");
            var _ = ctx.write(new DefaultHttp2HeadersFrame(trailers, true));
        }

        private static Http2Headers head(CharSequence type) {
            return new DefaultHttp2Headers()
                    .status("200")
                    .add("content-type", type)
                    .add("date", DATE);
        }
    }
}
