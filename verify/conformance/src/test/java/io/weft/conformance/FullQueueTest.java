package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoop;
import io.weft.handler.filter.IpFilter;
import io.weft.handler.filter.UniqueIpFilter;
import io.weft.handler.flow.ChunkedWriteHandler;
import io.weft.handler.flow.Chunks;
import io.weft.handler.flow.FlushConsolidationHandler;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Handlers that do something later, on a loop that takes no more tasks.
@EveryTransport
class FullQueueTest {
    private static final int MORE_THAN_FIT = 200_000;

    private final Rig rig;

    FullQueueTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private static void fill(EventLoop loop) {
        try {
            for (int i = 0; i < MORE_THAN_FIT; i++) {
                loop.execute(() -> {});
            }
        } catch (RejectedExecutionException full) {
            return;
        }
        Assumptions.abort("the loops of this transport take any number of tasks");
    }

    private final class Connected {
        final Socket peer;
        final Channel channel;

        Connected(ChannelHandler... handlers) throws IOException {
            CompletableFuture<Channel> accepted = new CompletableFuture<>();
            peer =
                    rig.connect(
                            rig.listen(
                                    ch -> {
                                        for (ChannelHandler handler : handlers) {
                                            ch.pipeline().addLast(handler);
                                        }
                                        accepted.complete(ch);
                                    }));
            channel = Rig.await(accepted);
        }

        void onFullLoop(Runnable action) {
            Rig.onLoop(
                    channel,
                    () -> {
                        fill(channel.eventLoop());
                        action.run();
                    });
        }
    }

    @Test
    void aFilterLetsNobodyInBecauseOfIt() throws IOException {
        IpFilter none = new IpFilter(IpFilter.Action.REJECT);
        Connected connected = new Connected();
        connected.onFullLoop(() -> connected.channel.pipeline().addFirst("filter", none));
        Rig.await(connected.channel.closeFuture().toCompletionStage().toCompletableFuture());
    }

    @Test
    void norDoesOneThatCounts() throws IOException {
        UniqueIpFilter one = new UniqueIpFilter(1);
        Connected first = new Connected();
        Connected second = new Connected();
        first.onFullLoop(
                () -> {
                    first.channel.pipeline().addFirst("unique", one);
                    second.channel.pipeline().addFirst("unique", one);
                });
        Rig.await(second.channel.closeFuture().toCompletionStage().toCompletableFuture());
    }

    @Test
    void aContentGoesOn() throws IOException {
        int pieces = 5000;
        Connected connected = new Connected(new ChunkedWriteHandler());
        connected.onFullLoop(
                () ->
                        connected.channel.writeAndFlush(
                                Chunks.of(
                                        IntStream.range(0, pieces)
                                                .mapToObj(_ -> Rig.buffer("x"))
                                                .iterator())));
        assertThat(Rig.receive(connected.peer, pieces)).hasSize(pieces);
    }

    @Test
    void aFlushThatWaitsIsDone() throws IOException {
        Connected connected = new Connected(new FlushConsolidationHandler(100, true));
        connected.onFullLoop(() -> connected.channel.writeAndFlush(Rig.buffer("flushed")));
        assertThat(Rig.receive(connected.peer, 7)).isEqualTo("flushed");
    }
}
