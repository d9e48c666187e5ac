package io.weft.conformance;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Any exception of a handler, in any event, closes its channel and nothing else.
@EveryTransport
class FaultTest {
    /// Loggers to silence: exceptions are thrown here on purpose, and are rightly logged, 200
    /// times.
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("io.weft.channel"), Logger.getLogger("io.weft.loop"));

    private static final List<Supplier<Throwable>> THROWABLES =
            List.of(
                    () -> new IllegalStateException("on purpose"),
                    () -> new IOException("on purpose"),
                    () -> new StackOverflowError("on purpose"),
                    () -> new OutOfMemoryError("on purpose"),
                    () -> new NoClassDefFoundError("on purpose"),
                    () -> new Throwable("on purpose"));

    private final Rig rig;

    FaultTest(String transport) throws IOException {
        LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
        LOGGERS.forEach(logger -> logger.setLevel(null));
    }

    enum Site {
        INIT_CHANNEL,
        HANDLER_ADDED,
        ACTIVE,
        READ,
        READ_COMPLETE,
        INPUT_CLOSED,
        WRITABILITY,
        USER_EVENT,
        EXCEPTION,
        WRITE,
        FLUSH,
        CLOSE,
        INACTIVE,
        REMOVED,
        PROMISE,
        TASK,
        TIMER;

        /// These are no channel's, so none is closed for them.
        boolean isOfTheLoop() {
            return this == PROMISE || this == TASK || this == TIMER;
        }
    }

    @ParameterizedTest
    @EnumSource(Site.class)
    void onlyTheChannelWhoseHandlerThrowsIsClosed(Site site) throws IOException {
        SocketAddress healthy = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        Socket bystander = rig.connect(healthy);
        Rig.assertServed(bystander);
        for (Supplier<Throwable> throwable : THROWABLES) {
            CompletableFuture<Channel> created = new CompletableFuture<>();
            SocketAddress address =
                    rig.listen(
                            rig.server(
                                            ch -> {
                                                created.complete(ch);
                                                if (site == Site.INIT_CHANNEL) {
                                                    sneak(throwable.get());
                                                }
                                                ch.pipeline().addLast(new Bomb(site, throwable));
                                            })
                                    .childOption(
                                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                                            new WriteBufferWaterMark(0, 0, 1 << 20)));
            Socket peer = rig.connect(address);
            Channel channel = Rig.await(created);
            provoke(site, peer, channel, throwable);
            if (site.isOfTheLoop()) {
                channel.close();
                peer.close(); // which the channel else awaits
            }
            Rig.await(channel.closeFuture().toCompletionStage().toCompletableFuture());
            Rig.assertServed(bystander);
        }
        Rig.assertServed(rig.connect(healthy));
    }

    private static void provoke(
            Site site, Socket peer, Channel channel, Supplier<Throwable> throwable)
            throws IOException {
        switch (site) {
            case INIT_CHANNEL, HANDLER_ADDED, ACTIVE -> {}
            case READ, READ_COMPLETE -> Rig.send(peer, "x");
            case INPUT_CLOSED -> peer.shutdownOutput();
            case WRITABILITY, WRITE, FLUSH -> channel.writeAndFlush(Rig.buffer("x"));
            case USER_EVENT, EXCEPTION ->
                    channel.eventLoop()
                            .execute(() -> channel.pipeline().fireUserEventTriggered("boom"));
            case CLOSE, INACTIVE, REMOVED -> channel.close();
            case PROMISE -> {
                Promise<Void> promise = channel.newPromise();
                promise.addListener(_ -> sneak(throwable.get()));
                channel.writeAndFlush(Rig.buffer("x"), promise);
                promise.join();
            }
            case TASK -> channel.eventLoop().execute(() -> sneak(throwable.get()));
            case TIMER ->
                    channel.eventLoop()
                            .schedule(() -> sneak(throwable.get()), 0, TimeUnit.MILLISECONDS);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable throwable) throws T {
        throw (T) throwable;
    }

    /// Throws at one of its methods.
    private record Bomb(Site site, Supplier<Throwable> throwable) implements ChannelHandler {
        private void maybe(Site here) {
            if (site == here) {
                FaultTest.<RuntimeException>sneak(throwable.get());
            }
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            maybe(Site.HANDLER_ADDED);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            maybe(Site.REMOVED);
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            maybe(Site.ACTIVE);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            maybe(Site.INACTIVE);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            maybe(Site.READ);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            maybe(Site.READ_COMPLETE);
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            maybe(Site.INPUT_CLOSED);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            maybe(Site.WRITABILITY);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
            maybe(Site.USER_EVENT);
            if (site == Site.EXCEPTION) {
                throw new IOException("the first of two");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            maybe(Site.EXCEPTION);
            ctx.fireExceptionCaught(cause);
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            ctx.write(message, promise);
            maybe(Site.WRITE);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            maybe(Site.FLUSH);
            ctx.flush();
        }

        @Override
        public void close(ChannelHandlerContext ctx) {
            maybe(Site.CLOSE);
            ctx.close();
        }
    }
}
