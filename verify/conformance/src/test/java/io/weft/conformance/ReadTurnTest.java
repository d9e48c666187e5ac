package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A request for input does not bring about events within the call: they would come in the midst of
/// whatever asks, such as a handler that writes one message in several pieces.
@EveryTransport
class ReadTurnTest {
    private final Rig rig;
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final List<String> events = new ArrayList<>();

    ReadTurnTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private final class Told implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            accepted.complete(ctx.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                events.add(
                        "read " + bytes.readString(bytes.readableBytes(), StandardCharsets.UTF_8));
            }
            asks(ctx.channel());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            events.add("complete");
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            events.add("end");
            ended.complete(null);
        }
    }

    private void asks(Channel channel) {
        int before = events.size();
        channel.autoRead(false);
        channel.read();
        channel.autoRead(true);
        assertThat(events).as("told within a request for input").hasSize(before);
    }

    @Test
    void inputAndEndAreToldAfterTheCallThatAsksForThem() throws Exception {
        Socket peer = rig.connect(rig.listen(ch -> ch.pipeline().addLast(new Told())));
        Channel channel = Rig.await(accepted);
        Rig.onLoop(channel, () -> channel.autoRead(false));
        Rig.send(peer, "a");
        peer.shutdownOutput();
        for (int i = 0; i < 20; i++) {
            Rig.onLoop(channel, () -> {}); // an engine may have taken the input meanwhile
        }
        Rig.onLoop(channel, () -> asks(channel));
        Rig.await(ended);
        assertThat(events).containsExactly("read a", "complete", "end");
    }
}
