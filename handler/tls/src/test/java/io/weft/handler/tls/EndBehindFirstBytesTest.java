package io.weft.handler.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.testkit.ClientHellos;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Handlers that pass the first bytes of a connection on, and get more of them meanwhile, and the
/// end: a handler behind has asked for input, which one in front had held back.
class EndBehindFirstBytesTest {
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Asks for more within each message.
    private final class Asking implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.read();
            try (Buffer in = (Buffer) message) {
                log.add("bytes " + in.readableBytes());
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            log.add("end");
        }
    }

    /// Has a channel get two batches, the second and the end within the first.
    private void receive(ChannelHandler handler, byte[] first) {
        ChannelOptions halfClosing =
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(halfClosing, ch -> ch.pipeline().addLast(handler))) {
            channel.channel().autoRead(false);
            channel.pipeline().addLast(new Asking());
            TlsPair.give(channel, first, 0);
            channel.receive("later");
            channel.receiveEnd();
            assertThat(log).isEmpty();
            channel.channel().read();
            channel.runPending();
        }
    }

    @Test
    void endComesBehindPlaintextThatArrivesMeanwhile() {
        receive(
                new OptionalTlsHandler(() -> new ChannelHandler() {}, _ -> {}),
                "plain".getBytes(US_ASCII));
        assertThat(log).containsExactly("bytes 5", "bytes 5", "end");
    }

    @Test
    void endComesBehindRecordsThatArriveMeanwhile() {
        byte[] hello = ClientHellos.records(ClientHellos.hello("www.example.com"));
        receive(
                new SniHandler((handler, message) -> handler.proceed(message, new Asking())),
                hello);
        assertThat(log).containsExactly("bytes " + hello.length, "bytes 5", "end");
    }
}
