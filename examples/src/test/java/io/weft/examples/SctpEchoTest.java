package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sctp.SctpAddress;
import io.weft.transport.sctp.SctpProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class SctpEchoTest {
    @Test
    void echoAnswersOverSctp() throws Exception {
        String refusal = SctpProvider.refusal();
        Assumptions.assumeTrue(refusal == null, refusal);
        CompletableFuture<String> answer = new CompletableFuture<>();
        Options options = Options.parse(0, "--transport", "sctp", "--port", "0", "--loops", "1");
        EventLoopGroup group = EventLoopGroup.create();
        try (Example.Running running = Echo.start(options)) {
            assertThat(running.transport()).startsWith("sctp over ");
            ChannelHandler heard =
                    new ChannelHandler() {
                        @Override
                        public void channelRead(ChannelHandlerContext ctx, Object message) {
                            try (Buffer bytes = (Buffer) message) {
                                answer.complete(bytes.readString(StandardCharsets.US_ASCII));
                            }
                        }
                    };
            Channel client =
                    new Bootstrap(group)
                            .handler(ch -> ch.pipeline().addLast(heard))
                            .connect(SctpAddress.of(running.address()))
                            .join();
            client.writeAndFlush(BufferAllocator.pooled().allocate(5).writeAscii("hello"));
            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("hello");
            client.abort().join();
        } finally {
            group.close();
        }
    }
}
