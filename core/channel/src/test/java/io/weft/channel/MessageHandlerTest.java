package io.weft.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MessageHandlerTest {
    private final List<String> seen = new ArrayList<>();

    private final class Texts implements MessageHandler<Buffer> {
        @Override
        public Class<Buffer> messageType() {
            return Buffer.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Buffer message) {
            Buffer reader = message.slice(message.readOffset(), message.readableBytes());
            String text = reader.readString(US_ASCII);
            reader.release();
            seen.add(text);
            if (text.equals("throw")) {
                throw new IllegalStateException("no");
            }
            if (text.equals("pass")) {
                ctx.fireChannelRead(message.retain());
            }
            if (text.equals("echo")) {
                ctx.writeAndFlush(message.retain());
            }
        }
    }

    private static final class Source implements ChannelHandler {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            ctx.fireChannelRead(event);
        }
    }

    @Test
    void messageIsReleasedUnlessRetained() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Texts())) {
            channel.receive("one").receive("echo").receive("pass");
            assertThat(seen).containsExactly("one", "echo", "pass");
            assertThat(channel.takeOutboundText()).isEqualTo("echo");
            Messages.release(Objects.requireNonNull(channel.readInbound()));
        }
    }

    @Test
    void messageIsReleasedWhenItsHandlerThrows() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Texts())) {
            channel.receive("throw");
            assertThat(channel.takeException()).hasMessage("no");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void messageOfAnotherTypeTravelsOn() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Source(), new Texts())) {
            channel.pipeline().fireUserEventTriggered("a string");
            assertThat(seen).isEmpty();
            assertThat(channel.readInbound()).isEqualTo("a string");
        }
    }

    /// A test of a handler needs no codec in front of it.
    @Test
    void handlerIsGivenMessagesWithoutTheirCodec() {
        List<String> heard = new ArrayList<>();
        MessageHandler<Integer> handler =
                new MessageHandler<>() {
                    @Override
                    public Class<Integer> messageType() {
                        return Integer.class;
                    }

                    @Override
                    public void messageRead(ChannelHandlerContext ctx, Integer number) {
                        heard.add("number " + number);
                    }

                    @Override
                    public void channelReadComplete(ChannelHandlerContext ctx) {
                        heard.add("complete");
                    }
                };
        try (EmbeddedChannel embedded = new EmbeddedChannel(handler)) {
            embedded.receiveMessage(1).receiveMessage("text");
            assertThat(heard).containsExactly("number 1", "complete", "complete");
            assertThat(embedded.readInbound()).isEqualTo("text");
        }
    }
}
