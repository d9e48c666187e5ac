package io.weft.transport.udt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class UdtPortTest {
    /// 15 packets, sent at once.
    private static final int FLIGHT = 15 * 1_400;

    private static final class Sender implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            Buffer flight = ctx.channel().allocator().allocate(FLIGHT).writeOffset(FLIGHT);
            ctx.channel().writeAndFlush(flight);
            ctx.fireChannelActive();
        }
    }

    private static final class Receiver implements ChannelHandler {
        private final CompletableFuture<UdtStatistics> statistics = new CompletableFuture<>();
        private int received;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            try (Buffer in = (Buffer) message) {
                received += in.readableBytes();
            }
            if (received == FLIGHT) {
                statistics.complete(ctx.channel().getOption(UdtOption.STATISTICS));
            }
        }
    }

    /// The smallest buffer that Linux gives takes one packet.
    @Test
    void theFirstFlightFindsRoomThoughTheBufferIsAskedToBeSmall() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Receiver receiver = new Receiver();
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Sender()))
                            .bind(UdtAddress.of(any))
                            .join();
            Channel client =
                    new Bootstrap(group)
                            .handler(ch -> ch.pipeline().addLast(receiver))
                            .option(ChannelOption.SO_RCVBUF, 2304)
                            .connect(server.localAddress())
                            .join();
            assertThat(receiver.statistics.get(60, TimeUnit.SECONDS).missed()).isZero();
            client.abort().join();
        }
    }

    /// The socket is opened for the packets of the first connection, and cuts longer ones off.
    @Test
    void connectionsThatShareAPortKeepToThePacketsOfItsSocket() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        UdtLimits jumbo = UdtLimits.DEFAULT.withSegment(9000);
        Asker asker = new Asker(false, 100_000);
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                            .bind(UdtAddress.of(any).with(jumbo))
                            .join();
            UdtAddress at = (UdtAddress) server.localAddress();
            Channel first =
                    new Bootstrap(group)
                            .handler(_ -> {})
                            .connect(at.with(UdtLimits.DEFAULT).from(any))
                            .join();
            UdtAddress shared = (UdtAddress) Objects.requireNonNull(first.localAddress());
            Channel second =
                    new Bootstrap(group)
                            .handler(asker.initializer())
                            .connect(at.from(shared.socket()))
                            .join();
            assertThat(asker.answered.get(60, TimeUnit.SECONDS)).isEqualTo(100_000);
            second.abort().join();
            first.abort().join();
        }
    }
}
