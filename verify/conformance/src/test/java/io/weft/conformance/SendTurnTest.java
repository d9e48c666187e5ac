package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A handler that sends as long as its channel is writable, to a peer that takes everything at
/// once, does not keep its loop.
@EveryTransport
class SendTurnTest {
    private static final int SIZE = 1024;
    private static final int TOTAL = 64 << 20;

    /// Sends of one turn, and what fills the buffer to its high watermark of 64 KiB and a message.
    private static final int MOST_AT_ONCE = 64 * SIZE + 64 * 1024 + 2 * SIZE;

    private final Rig rig;

    SendTurnTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private static final class Greedy implements ChannelHandler {
        private final byte[] piece = new byte[SIZE];
        private int sent;
        private int most;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            send(ctx.channel());
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            send(ctx.channel());
        }

        private void send(Channel channel) {
            int before = sent;
            while (sent < TOTAL && channel.isWritable()) {
                sent += SIZE;
                channel.writeAndFlush(Rig.buffer(piece));
            }
            most = Math.max(most, sent - before);
            if (sent >= TOTAL) {
                channel.close();
            }
        }
    }

    private static final class Counting implements ChannelHandler {
        final CompletableFuture<Long> total = new CompletableFuture<>();
        private long received;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                received += bytes.readableBytes();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            total.complete(received);
        }
    }

    @Test
    void sendsABoundedAmountAtOnceToAPeerThatTakesEverything() throws Exception {
        Counting counting = new Counting();
        Greedy greedy = new Greedy();
        rig.connectWeft(
                rig.listen(ch -> ch.pipeline().addLast(counting)),
                ch -> ch.pipeline().addLast(greedy));
        assertThat(Rig.await(counting.total)).isEqualTo(TOTAL);
        assertThat(greedy.most).isLessThanOrEqualTo(MOST_AT_ONCE);
    }
}
