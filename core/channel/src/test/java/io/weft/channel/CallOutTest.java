package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import io.weft.resolver.names.DestinationOrder;
import io.weft.resolver.names.NameResolver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An error out of any code of the user's ends its channel at most. The ledger sees that nothing
/// leaks.
class CallOutTest {
    private static final class Injected extends OutOfMemoryError {
        private static final long serialVersionUID = 1;
    }

    private static Buffer buffer(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    /// Throws from one of its methods, after it has given up what it got.
    private static final class Throwing implements ChannelHandler {
        private final String at;
        int thrown;

        Throwing(String at) {
            this.at = at;
        }

        private void on(String event) {
            if (event.equals(at)) {
                thrown++;
                throw new Injected();
            }
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            on("handlerAdded");
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            on("handlerRemoved");
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            on("channelActive");
            ctx.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            on("channelInactive");
            ctx.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Messages.release(message);
            on("channelRead");
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            on("channelReadComplete");
            ctx.fireChannelReadComplete();
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            on("channelInputClosed");
            ctx.fireChannelInputClosed();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            on("channelWritabilityChanged");
            ctx.fireChannelWritabilityChanged();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            on("userEventTriggered");
            if ("exceptionCaught".equals(at)) {
                throw new IllegalStateException("to be caught");
            }
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            on("exceptionCaught");
            ctx.fireExceptionCaught(cause);
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            if ("write".equals(at)) {
                Messages.release(message);
            }
            on("write");
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            on("flush");
            ctx.flush();
        }

        @Override
        public void read(ChannelHandlerContext ctx) {
            on("read");
            ctx.read();
        }

        @Override
        public void close(ChannelHandlerContext ctx) {
            on("close");
            ctx.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "handlerAdded",
                "handlerRemoved",
                "channelActive",
                "channelInactive",
                "channelRead",
                "channelReadComplete",
                "channelInputClosed",
                "channelWritabilityChanged",
                "userEventTriggered",
                "exceptionCaught",
                "write",
                "flush",
                "read",
                "close"
            })
    void errorOfHandlerClosesItsChannelAndTellsAllPromises(String at) {
        Throwing handler = new Throwing(at);
        ChannelOptions small =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(1, 2, 1000));
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(small, ch -> ch.pipeline().addLast(handler))) {
            Channel channel = embedded.channel();
            embedded.receive("x");
            channel.pipeline().fireUserEventTriggered("event");
            Promise<Void> written = channel.newPromise();
            embedded.limitWindow(1);
            channel.writeAndFlush(buffer("four"), written);
            channel.read();
            embedded.openWindow(100);
            embedded.receiveEnd();
            channel.close();
            embedded.advance(Duration.ofMinutes(1));
            assertThat(handler.thrown).isPositive();
            assertThat(written.isDone()).isTrue();
            assertThat(embedded.isClosed()).isTrue();
            assertThat(channel.closeFuture().isDone()).isTrue();
            assertThat(channel.pipeline().names()).isEmpty();
        }
    }

    @Test
    void errorOfInitializerClosesTheChannel() {
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        _ -> {
                            throw new Injected();
                        })) {
            assertThat(embedded.isClosed()).isTrue();
        }
    }

    @Test
    void errorOfAMessageThatClosesKeepsNoChannelOpen() {
        AutoCloseable message =
                () -> {
                    throw new Injected();
                };
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Promise<Void> refused = embedded.channel().newPromise();
            embedded.channel().write(message, refused);
            assertThat(refused.cause()).isInstanceOf(IllegalArgumentException.class);
            assertThat(embedded.channel().isActive()).isTrue();
        }
    }

    @Test
    void errorsOfPromiseListenersKeepNoBytesFromBeingSent() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            Channel channel = embedded.channel();
            for (String text : List.of("a", "b", "c")) {
                Promise<Void> written = channel.newPromise();
                var _ =
                        written.addListener(
                                _ -> {
                                    throw new Injected();
                                });
                channel.write(buffer(text), written);
            }
            channel.flush();
            assertThat(embedded.takeOutboundText()).isEqualTo("abc");
            Promise<Void> unsent = channel.newPromise();
            var _ =
                    unsent.addListener(
                            _ -> {
                                throw new Injected();
                            });
            channel.write(buffer("d"), unsent);
            var _ =
                    channel.closeFuture()
                            .addListener(
                                    _ -> {
                                        throw new Injected();
                                    });
            channel.close();
            assertThat(embedded.isClosed()).isTrue();
        }
    }

    @Test
    void compositeWithoutMemoryFailsAndIsReleased() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            CompositeBuffer empty = new CompositeBuffer(BufferAllocator.pooled());
            empty.add(buffer(""));
            Promise<Void> written = embedded.channel().newPromise();
            AllocationTap.set(
                    capacity -> {
                        throw AllocationTap.refusal(capacity);
                    });
            try {
                embedded.channel().write(empty, written);
            } finally {
                AllocationTap.set(null);
            }
            assertThat(written.isDone()).isTrue();
            assertThat(empty.references()).isZero();
        }
    }

    @Test
    void errorOfAFunctionOfAGroupReachesNoOtherChannel() {
        try (EmbeddedChannel first = new EmbeddedChannel();
                EmbeddedChannel second = new EmbeddedChannel()) {
            ChannelGroup group = new ChannelGroup(first.channel().eventLoop());
            group.add(first.channel());
            group.add(second.channel());
            var done =
                    group.broadcastEach(
                            channel -> {
                                if (channel == first.channel()) {
                                    throw new Injected();
                                }
                                return buffer("x");
                            },
                            _ -> true);
            second.runPending();
            first.runPending();
            assertThat(second.takeOutboundText()).isEqualTo("x");
            assertThat(done.cause()).isInstanceOf(Injected.class);
        }
    }

    private final EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());

    private void run() {
        ((ManualExecutor) loop.executor()).runPending();
    }

    private Promise<Channel> race(NameResolver resolver, ConnectRace.Starter starter) {
        Promise<Channel> winner = loop.newPromise();
        new ConnectRace(
                        loop,
                        InetSocketAddress.createUnresolved("host", 1),
                        ChannelOptions.DEFAULT,
                        DestinationOrder.asFound(),
                        starter,
                        winner)
                .start(resolver);
        run();
        return winner;
    }

    @Test
    void resolverThatAnswersWithNullFailsTheConnect() {
        Promise<Channel> winner =
                race(
                        NameResolver.of(
                                (_, executor) ->
                                        executor.<List<java.net.InetAddress>>newPromise()
                                                .setSuccess(Arrays.asList(null, null))),
                        (_, _) -> {});
        assertThat(winner.isDone()).isTrue();
    }

    @Test
    void errorOfATunnelThatNamesAFailureFailsTheConnect() {
        IOException cause = new IOException("refused");
        Tunnel tunnel =
                new Tunnel() {
                    @Override
                    public SocketAddress entrance(SocketAddress destination) {
                        return InetSocketAddress.createUnresolved("entrance.test", 1);
                    }

                    @Override
                    public void open(
                            Channel channel,
                            SocketAddress destination,
                            ChannelInitializer handler,
                            Promise<Channel> opened) {}

                    @Override
                    public Throwable unreachable(SocketAddress destination, Throwable failure) {
                        throw new Injected();
                    }
                };
        ManualEventLoop manual =
                new ManualEventLoop("test", new EmbeddedEngine(), new ManualClock());
        Future<Channel> connecting =
                new Bootstrap(EventLoopGroup.of(manual))
                        .handler(_ -> {})
                        .tunnel(tunnel)
                        .resolver(
                                NameResolver.of(
                                        (_, executor) ->
                                                executor.<List<java.net.InetAddress>>newPromise()
                                                        .setFailure(cause)))
                        .connect("destination.test", 1);
        manual.runPending();
        assertThat(connecting.cause()).isInstanceOf(Injected.class).hasSuppressedException(cause);
        manual.close();
    }

    private static java.net.InetAddress loopback(int last) {
        try {
            return java.net.InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void errorOfTheStarterTriesTheNextAddress() {
        List<String> tried = new ArrayList<>();
        Promise<Channel> winner =
                race(
                        NameResolver.of(
                                (_, executor) ->
                                        executor.<List<java.net.InetAddress>>newPromise()
                                                .setSuccess(List.of(loopback(1), loopback(2)))),
                        (address, _) -> {
                            tried.add(address.getHostString());
                            throw new Injected();
                        });
        assertThat(tried).hasSize(2);
        assertThat(winner.cause())
                .isInstanceOf(java.net.ConnectException.class)
                .hasCauseInstanceOf(Injected.class);
    }
}
