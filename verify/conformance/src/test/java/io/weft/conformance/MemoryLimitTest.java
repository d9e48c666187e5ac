package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// When there is no memory for buffers, who needs some may lose its connection; the loop and
/// everybody else live on.
@EveryTransport
class MemoryLimitTest {
    private static final Logger LOGGER = Logger.getLogger("io.weft.channel");

    private final Rig rig;

    MemoryLimitTest(String transport) throws IOException {
        LOGGER.setLevel(Level.OFF);
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
        LOGGER.setLevel(null);
    }

    private static void tap(Channel channel, @Nullable AllocationTap tap) {
        Rig.onLoop(channel, () -> AllocationTap.set(tap));
    }

    private static void refuse(int capacity) {
        throw AllocationTap.refusal(capacity);
    }

    /// Tells if the peer got its byte back, and not the end of its connection.
    private static boolean isServed(Socket peer) throws IOException {
        try {
            Rig.send(peer, "x");
            return Rig.receive(peer, 1).equals("x");
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void receivingWithoutMemoryCostsAtMostThatConnection() throws IOException {
        Assumptions.assumeFalse(
                rig.transport().equals("udt"),
                "without memory for the packets of a port, all connections over it fall silent");
        CompletableFuture<Channel> created = new CompletableFuture<>();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            created.complete(ch);
                            ch.pipeline().addLast(new Echo());
                        });
        Socket bystander = rig.connect(address);
        Rig.assertServed(bystander);
        Socket victim = rig.connect(address);
        Rig.assertServed(victim);
        Channel first = Rig.await(created);
        tap(first, MemoryLimitTest::refuse);
        boolean _ = isServed(victim);
        tap(first, null);
        Rig.assertServed(bystander);
        Rig.assertServed(rig.connect(address));
    }

    @Test
    void aHandlerWithoutMemoryCostsItsConnectionOnly() throws IOException {
        CompletableFuture<Channel> created = new CompletableFuture<>();
        CompletableFuture<Throwable> caught = new CompletableFuture<>();
        SocketAddress healthy =
                rig.listen(
                        ch -> {
                            created.complete(ch);
                            ch.pipeline().addLast(new Echo());
                        });
        SocketAddress greedy = rig.listen(ch -> ch.pipeline().addLast(new Greedy(caught)));
        Socket bystander = rig.connect(healthy);
        Rig.assertServed(bystander);
        assertThat(isServed(rig.connect(greedy))).isFalse();
        assertThat(Rig.await(caught)).isInstanceOf(MemoryLimitException.class);
        Rig.assertServed(bystander);
        Rig.assertServed(rig.connect(healthy));
        Rig.onLoop(Rig.await(created), () -> BufferAllocator.pooled().allocate(1 << 20).release());
    }

    /// Wants more than there can be.
    private record Greedy(CompletableFuture<Throwable> caught) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            long limit = BufferAllocator.pooled().limitBytes();
            assertThat(limit).isLessThan(BufferAllocator.MAX_CAPACITY);
            BufferAllocator.pooled().allocate(BufferAllocator.MAX_CAPACITY).release();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            caught.complete(cause);
            ctx.fireExceptionCaught(cause);
        }
    }
}
