package io.weft.handler.flow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.channel.InputBoundary;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.loop.Promise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowHandlersTest {
    /// One message a byte.
    private static final class Bytes implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                in.readString(US_ASCII).chars().forEach(c -> ctx.fireChannelRead((char) c));
            }
        }
    }

    private static final class Flushes implements ChannelHandler {
        int count;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            count++;
            ctx.flush();
        }
    }

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    private static EmbeddedChannel oneByOne() {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false),
                ch -> ch.pipeline().addLast(new Bytes()).addLast(new FlowControlHandler()));
    }

    @Test
    void oneMessageForEachReadWhereTheChannelDoesNotReadByItself() {
        try (EmbeddedChannel channel = oneByOne()) {
            channel.receive("abc");
            assertThat(channel.readInbound()).isNull();
            for (char c = 'a'; c <= 'c'; c++) {
                channel.channel().read();
                assertThat(channel.readInbound()).isEqualTo(c);
                assertThat(channel.readInbound()).isNull();
            }
            channel.channel().read();
            channel.receive("d");
            assertThat(channel.readInbound()).isEqualTo('d');
        }
    }

    @Test
    void autoReadSwitchedOnReleasesWhatWaitsInEveryHandler() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false),
                        ch ->
                                ch.pipeline()
                                        .addLast(new Bytes())
                                        .addLast(new FlowControlHandler())
                                        .addLast(new Twice())
                                        .addLast(new FlowControlHandler()))) {
            channel.channel().read();
            channel.receive("abc");
            assertThat(channel.readInbound()).isEqualTo('a');
            channel.channel().autoRead(true);
            for (char c : new char[] {'a', 'b', 'b', 'c', 'c'}) {
                assertThat(channel.readInbound()).isEqualTo(c);
            }
        }
    }

    @Test
    void messagesThatWaitComeBeforeTheCloseOfBothDirections() {
        FlowControlHandler flow = new FlowControlHandler();
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT
                                .with(ChannelOption.AUTO_READ, false)
                                .with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                        ch -> ch.pipeline().addLast(new Bytes()).addLast(flow))) {
            channel.channel().read();
            channel.receive("abc");
            assertThat(channel.readInbound()).isEqualTo('a');
            ChannelHandlerContext behind = channel.pipeline().context(flow);
            assertThat(behind).isNotNull();
            behind.read(); // as a decoder does that has no message yet
            channel.receiveEnd();
            assertThat(channel.readInbound()).isNull();
            channel.channel().shutdownOutput();
            channel.runPending();
            assertThat(channel.readInbound()).isEqualTo('b');
            assertThat(channel.readInbound()).isEqualTo('c');
            assertThat(channel.channel().isOpen()).isFalse();
        }
    }

    private static final class Twice implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            ctx.fireChannelRead(message);
        }
    }

    @Test
    void messagesThatWaitAtABoundaryAreNotTakenAsProtected() {
        try (EmbeddedChannel channel = oneByOne()) {
            channel.receive("abc");
            channel.channel().read();
            assertThat(channel.readInbound()).isEqualTo('a');
            channel.pipeline().fireUserEventTriggered(InputBoundary.PROTECTED);
            channel.channel().read();
            assertThat(channel.readInbound()).isNull();
            assertThat(channel.channel().isOpen()).isFalse();
        }
    }

    /// The batch was complete before: what is passed on out of turn has to be completed, too.
    @Test
    void messagesThatWaitedAreCompletedWhenAutoReadIsSwitchedOnAmidThem() {
        List<String> events = new ArrayList<>();
        ChannelHandler reader =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        events.add("read " + message);
                        if (message.equals('b')) {
                            ctx.channel().autoRead(true);
                        }
                    }

                    @Override
                    public void channelReadComplete(ChannelHandlerContext ctx) {
                        events.add("complete");
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false),
                        ch ->
                                ch.pipeline()
                                        .addLast(new Bytes())
                                        .addLast(new FlowControlHandler())
                                        .addLast(reader))) {
            channel.channel().read();
            channel.receive("abc");
            channel.channel().read();
            assertThat(events)
                    .containsExactly("read a", "complete", "read b", "read c", "complete");
        }
    }

    @Test
    void messagesPassWhereTheChannelReadsByItself() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Bytes(), new FlowControlHandler())) {
            channel.receive("ab");
            assertThat(channel.readInbound()).isEqualTo('a');
            assertThat(channel.readInbound()).isEqualTo('b');
        }
    }

    @Test
    void flushesOfABatchBecomeOne() {
        Flushes flushes = new Flushes();
        ChannelHandler echo =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ctx.writeAndFlush(bytes(1));
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        flushes, new FlushConsolidationHandler(3, false), new Bytes(), echo)) {
            channel.receive("ab");
            assertThat(flushes.count).isEqualTo(1);
            channel.receive("abcde");
            assertThat(flushes.count).isEqualTo(3);
            assertThat(channel.takeOutbound()).hasSize(7);
            channel.channel().flush();
            assertThat(flushes.count).isEqualTo(4);
        }
    }

    @Test
    void flushThatHasWaitedSendsWhatWasWrittenSince() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(new FlushConsolidationHandler(10, true))) {
            channel.channel().writeAndFlush(bytes(1));
            Promise<Void> later = channel.channel().newPromise();
            channel.channel().write(bytes(1), later);
            assertThat(later.isDone()).isFalse();
            channel.runPending();
            assertThat(later.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(2);
        }
    }

    @Test
    void flushesOutsideABatchWaitForTheTasksOfTheLoop() {
        Flushes flushes = new Flushes();
        try (EmbeddedChannel channel =
                new EmbeddedChannel(flushes, new FlushConsolidationHandler(100, true))) {
            channel.channel().writeAndFlush(bytes(1));
            channel.channel().writeAndFlush(bytes(1));
            assertThat(flushes.count).isZero();
            channel.runPending();
            assertThat(flushes.count).isEqualTo(1);
        }
    }

    @Test
    void aLargeContentIsMadeAsThePeerTakesIt() {
        int[] made = new int[1];
        Chunks content =
                Chunks.of(
                        IntStream.range(0, 1000)
                                .mapToObj(
                                        i -> {
                                            made[0]++;
                                            return bytes(8192);
                                        })
                                .iterator());
        try (EmbeddedChannel channel = new EmbeddedChannel(new ChunkedWriteHandler())) {
            channel.limitWindow(0);
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            channel.channel().writeAndFlush(bytes(3));
            assertThat(made[0]).isLessThan(12);
            for (int i = 0; i < 999; i++) {
                channel.openWindow(8192);
            }
            assertThat(sent.isDone()).isFalse();
            channel.openWindow(10_000);
            assertThat(sent.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(1000 * 8192 + 3);
        }
    }

    @Test
    void filesAndStreamsArriveWhole(@TempDir Path directory) throws IOException {
        byte[] content = new byte[100_000];
        new java.util.Random(1).nextBytes(content);
        Path file = Files.write(directory.resolve("file"), content);
        try (EmbeddedChannel channel = new EmbeddedChannel(new ChunkedWriteHandler())) {
            channel.channel().write(Chunks.of(FileChannel.open(file), 0, content.length));
            channel.channel().writeAndFlush(Chunks.of(new ByteArrayInputStream(content)));
            byte[] twice = java.util.Arrays.copyOf(content, 200_000);
            System.arraycopy(content, 0, twice, 100_000, 100_000);
            assertThat(channel.takeOutbound()).isEqualTo(twice);
        }
    }

    @Test
    void aFileThatIsShorterThanItWasFailsItsPromise(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[10]);
        try (EmbeddedChannel channel = new EmbeddedChannel(new ChunkedWriteHandler())) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(Chunks.of(FileChannel.open(file), 0, 11), sent);
            assertThat(sent.cause()).hasMessage("file ends at 10 (expected: at 11)");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void aContentThatHasNothingYetIsResumed() {
        List<Buffer> ready = new java.util.ArrayList<>();
        boolean[] closed = new boolean[1];
        Chunks content =
                new Chunks() {
                    @Override
                    public boolean isEnd() {
                        return false;
                    }

                    @Override
                    public @Nullable Buffer next() {
                        return ready.isEmpty() ? null : ready.removeFirst();
                    }

                    @Override
                    public void close() {
                        closed[0] = true;
                    }
                };
        ChunkedWriteHandler handler = new ChunkedWriteHandler();
        Promise<Void> sent;
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            assertThat(channel.takeOutbound()).isEmpty();
            ready.add(bytes(5));
            handler.resume();
            assertThat(channel.takeOutbound()).hasSize(5);
        }
        assertThat(closed[0]).isTrue();
        assertThat(sent.cause()).isInstanceOf(java.nio.channels.ClosedChannelException.class);
    }

    private static EmbeddedChannel oneByOne(ChannelOptions options, FlowControlHandler handler) {
        return new EmbeddedChannel(
                options.with(ChannelOption.AUTO_READ, false),
                ch -> ch.pipeline().addLast(new Bytes()).addLast(handler));
    }

    /// As TLS does, or an engine that receives on until the system has nothing more.
    private static void readAhead(EmbeddedChannel channel) {
        java.util.Objects.requireNonNull(channel.pipeline().context(FlowControlHandler.class))
                .read();
    }

    @Test
    void whatWaitsComesBeforeTheChannelClosesWithItsInput() {
        StringBuilder came = new StringBuilder();
        ChannelHandler hearing =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        came.append(message);
                        ctx.writeAndFlush(bytes(1));
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        came.append('.');
                    }

                    @Override
                    public void channelInactive(ChannelHandlerContext ctx) {
                        came.append('!');
                    }
                };
        try (EmbeddedChannel channel = oneByOne(ChannelOptions.DEFAULT, new FlowControlHandler())) {
            channel.pipeline().addLast(hearing);
            channel.channel().read();
            channel.receive("abc");
            assertThat(came.toString()).isEqualTo("a");
            readAhead(channel);
            channel.receiveEnd();
            assertThat(came.toString()).isEqualTo("abc.!");
            assertThat(channel.takeOutbound()).hasSize(3);
        }
    }

    @Test
    void whatWaitsWaitsOnWhereTheChannelMayStayHalfOpen() {
        ChannelOptions half = ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        try (EmbeddedChannel channel = oneByOne(half, new FlowControlHandler())) {
            channel.channel().read();
            channel.receive("ab");
            readAhead(channel);
            channel.receiveEnd();
            assertThat(channel.readInbound()).isEqualTo('a');
            assertThat(channel.readInbound()).isNull();
            channel.channel().read();
            assertThat(channel.readInbound()).isEqualTo('b');
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void whatWaitsIsLimited() {
        try (EmbeddedChannel channel =
                oneByOne(ChannelOptions.DEFAULT, new FlowControlHandler(3, 100))) {
            channel.receive("abc");
            assertThat(channel.isClosed()).isFalse();
            channel.channel().read();
            assertThat(channel.readInbound()).isEqualTo('a');
            channel.channel().read();
            channel.channel().read();
            channel.channel().read();
            channel.receive("12345");
            assertThat(channel.takeException())
                    .hasMessage(
                            "messages, bytes that nobody reads: 4, 0 (expected: at most 3, 100)");
            assertThat(channel.isClosed()).isTrue();
        }
    }
}
