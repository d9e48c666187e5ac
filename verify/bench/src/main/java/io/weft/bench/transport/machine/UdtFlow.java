package io.weft.bench.transport.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.udt.UdtAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A transfer by our UDT. On NIO, whose datagrams go one by one: netem would take a batch (GSO) for
/// one packet, and lose it as one.
final class UdtFlow implements Flow {
    private static final int PIECE = 16 << 10;

    private final AtomicLong received = new AtomicLong();
    private final EventLoopGroup group = EventLoopGroup.create("nio", 2);

    private static final class Source implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            send(ctx);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            send(ctx);
        }

        private static void send(ChannelHandlerContext ctx) {
            while (ctx.channel().isWritable()) {
                Buffer piece = BufferAllocator.pooled().allocate(PIECE);
                ctx.writeAndFlush(piece.writeOffset(PIECE));
            }
        }
    }

    private final class Sink implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                received.addAndGet(bytes.readableBytes());
            }
        }
    }

    UdtFlow() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(ch -> ch.pipeline().addLast(new Sink()))
                        .bind(UdtAddress.of(any))
                        .join();
        var _ =
                new Bootstrap(group)
                        .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofMinutes(1))
                        .handler(ch -> ch.pipeline().addLast(new Source()))
                        .connect(server.localAddress())
                        .join();
    }

    @Override
    public long received() {
        return received.get();
    }

    @Override
    public void close() {
        group.close();
    }
}
