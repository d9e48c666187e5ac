package io.weft.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointMessage;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.UnsentMessageException;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointMessageTest {
    private record Note(Buffer content, int number) implements EndpointMessage {}

    /// Keeps what it was given, or refuses it.
    private static final class Desk extends QuietStream {
        final List<String> sent = new ArrayList<>();
        int unsendable = -1;
        @Nullable Exception refusal;

        @Override
        public int send(Gather buffers) throws IOException {
            EndpointMessage first = buffers.endpointMessage(0);
            int number = first instanceof Note note ? note.number : 0;
            if (number == unsendable) {
                throw new UnsentMessageException("number: " + number);
            }
            Buffer content = buffers.buffer(0);
            byte[] bytes = new byte[content.readableBytes()];
            content.getBytes(content.readOffset(), bytes, 0, bytes.length);
            sent.add(number + " " + new String(bytes, US_ASCII));
            return bytes.length;
        }

        @Override
        public @Nullable Exception refusal(EndpointMessage message) {
            return refusal;
        }
    }

    private final List<Object> heard = new ArrayList<>();
    private final Desk desk = new Desk();
    private final Channel channel =
            new Channel(
                    new EventLoop(new EmbeddedEngine(), new ManualClock()), ChannelOptions.DEFAULT);
    private final StreamSide side = new StreamSide(channel);

    EndpointMessageTest() {
        channel.life().attach(desk);
        channel.life()
                .activate(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new ChannelHandler() {
                                                    @Override
                                                    public void channelRead(
                                                            ChannelHandlerContext ctx, Object in) {
                                                        heard.add(in);
                                                    }

                                                    @Override
                                                    public void userEventTriggered(
                                                            ChannelHandlerContext ctx,
                                                            Object event) {
                                                        heard.add(event);
                                                    }
                                                }));
    }

    @AfterEach
    void end() {
        side.failed(new IOException("over"));
        side.closed();
    }

    private static Note note(int number, String text) {
        return new Note(BufferAllocator.pooled().allocate(text.length()).writeAscii(text), number);
    }

    @Test
    void messagesAreSentInOrderAmongBytes() {
        channel.write(note(1, "one"));
        channel.write(note(0, "bytes").content());
        Promise<Void> written = channel.newPromise();
        channel.writeAndFlush(note(2, "two"), written);

        assertThat(desk.sent).containsExactly("1 one", "0 bytes", "2 two");
        assertThat(written.isSuccess()).isTrue();
    }

    @Test
    void messageThatCannotBeSentFailsAlone() {
        desk.unsendable = 1;
        Promise<Void> first = channel.newPromise();
        channel.write(note(1, "one"), first);
        Promise<Void> second = channel.newPromise();
        channel.writeAndFlush(note(2, "two"), second);

        assertThat(first.cause()).isInstanceOf(UnsentMessageException.class);
        assertThat(second.isSuccess()).isTrue();
        assertThat(channel.isOpen()).isTrue();
    }

    /// As an association does that sends nothing but its own messages.
    @Test
    void refusedFileRegionLeavesNothingBehind(@TempDir Path directory) throws IOException {
        FileRegion region = FileRegion.open(Files.write(directory.resolve("file"), new byte[9]));
        desk.unsendable = 0;
        Promise<Void> refused = channel.newPromise();
        channel.write(region, refused);
        channel.writeAndFlush(note(2, "two"));

        assertThat(refused.cause()).isInstanceOf(UnsentMessageException.class);
        assertThat(region.file().isOpen()).isFalse();
        assertThat(desk.sent).containsExactly("2 two");
        channel.write(note(3, "three")); // into the same queue, lent once more
        assertThat(channel.pendingBytes()).isEqualTo(5);
    }

    @Test
    void refusedMessageFailsWhenItIsWritten() {
        desk.refusal = new IllegalArgumentException("stream: 9 (expected: 0 to 3)");
        Promise<Void> written = channel.newPromise();
        channel.write(note(1, "one"), written);

        assertThat(written.cause()).isSameAs(desk.refusal);
    }

    @Test
    void inputAndEventsTravelThePipeline() {
        try (Note in = note(7, "in")) {
            side.received(in);
            side.happened("something");

            assertThat(heard).containsExactly(in, "something");
        }
    }

    @Test
    void otherChannelsRefuseMessages() {
        try (EmbeddedChannel other = new EmbeddedChannel()) {
            Promise<Void> written = other.channel().newPromise();
            other.channel().writeAndFlush(note(1, "one"), written);

            assertThat(written.cause()).hasMessageContaining("expected: a Buffer");
        }
    }
}
