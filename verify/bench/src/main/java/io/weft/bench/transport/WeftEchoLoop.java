package io.weft.bench.transport;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

final class WeftEchoLoop implements EchoLoop {
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
            ctx.flush();
        }
    }

    /// Keeps the promise of what was written until its echo is there.
    private static final class AwaitEcho implements ChannelHandler {
        private @Nullable Promise<Void> sent;

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            sent = promise;
            ctx.write(message);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
            Promise<Void> echoed = sent;
            sent = null;
            if (echoed == null) {
                throw new IllegalStateException("an echo of nothing");
            }
            echoed.setSuccess(null);
        }
    }

    private final EventLoopGroup group;
    private final Timeout pending;
    private final Channel client;
    private final Buffer one = BufferAllocator.pooled().allocate(1).writeByte('a');

    WeftEchoLoop(String transport) {
        group = EventLoopGroup.create(transport, 1);
        pending = group.next().schedule(() -> {}, 5, TimeUnit.MINUTES);
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(channel -> channel.pipeline().addLast(new Echo()))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join();
        client =
                new Bootstrap(group)
                        .handler(channel -> channel.pipeline().addLast(new AwaitEcho()))
                        .connect(server.localAddress())
                        .join();
    }

    @Override
    public void pingPong() {
        Promise<Void> echoed = client.newPromise();
        client.writeAndFlush(one.slice(0, 1), echoed);
        echoed.join();
    }

    @Override
    public void execute() {
        client.eventLoop().submit(() -> true).join();
    }

    @Override
    public void close() {
        pending.cancel();
        group.close();
        one.release();
    }
}
