package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.engine.ChannelOption;
import io.weft.engine.LocalAddress;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import io.weft.testkit.Warns;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two loops that take turns; real threads are the conformance tests' affair.
class LocalChannelTest {
    private final ManualEventLoop serving =
            ManualEventLoop.stepped("embedded", new EmbeddedEngine(), new ManualClock());
    private final ManualEventLoop connecting =
            ManualEventLoop.stepped("embedded", new EmbeddedEngine(), new ManualClock());
    private final LocalAddress address = LocalAddress.unique();
    private final Heard served = new Heard();
    private final Heard heard = new Heard();

    private static final class Heard implements ChannelHandler {
        final StringBuilder text = new StringBuilder();
        final List<String> events = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                text.append(buffer.readString(StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            events.add("input closed");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            events.add("inactive");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            events.add(String.valueOf(cause.getMessage()));
            ctx.channel().abort();
        }
    }

    @AfterEach
    void close() {
        serving.eventLoop().shutdownGracefully();
        connecting.eventLoop().shutdownGracefully();
        turn();
        assertThat(serving.eventLoop().isTerminated()).isTrue();
        assertThat(connecting.eventLoop().isTerminated()).isTrue();
    }

    private void turn() {
        for (int i = 0; i < 20; i++) {
            serving.runPending();
            connecting.runPending();
        }
    }

    private <T> T outcome(Future<T> future) {
        turn();
        assertThat(future.isDone()).isTrue();
        return future.join();
    }

    private ServerBootstrap server() {
        return new ServerBootstrap(EventLoopGroup.of(serving))
                .childHandler(ch -> ch.pipeline().addLast(served));
    }

    private Bootstrap client() {
        return new Bootstrap(EventLoopGroup.of(connecting))
                .handler(ch -> ch.pipeline().addLast(heard));
    }

    private static Buffer buffer(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    @Test
    void theAddressIsChosenWhenAConnectionBegins() {
        LocalAddress moved = LocalAddress.unique();
        outcome(server().bind(moved));
        List<SocketAddress> asked = new ArrayList<>();
        Future<Channel> connection =
                client().remoteAddress(
                                from -> {
                                    asked.add(from);
                                    return moved;
                                })
                        .connect(address);
        assertThat(asked).isEmpty();
        assertThat(outcome(connection).remoteAddress()).isEqualTo(moved);
        assertThat(asked).containsExactly(address);
    }

    @Test
    void whereNoAddressCanBeChosenTheConnectionFails() {
        IllegalStateException none = new IllegalStateException("no server left");
        Future<Channel> connection =
                client().remoteAddress(
                                _ -> {
                                    throw none;
                                })
                        .connect(address);
        turn();
        assertThat(connection.cause()).isSameAs(none);
    }

    @Test
    void bytesArriveInOrderAndCopied() {
        outcome(server().bind(address));
        Channel channel = outcome(client().connect(address));
        Buffer written = BufferAllocator.pooled().allocate(16).writeAscii("hello");
        channel.write(written);
        channel.writeAndFlush(BufferAllocator.pooled().allocate(16).writeAscii(", you"));
        turn();
        assertThat(served.text).hasToString("hello, you");
        assertThat(written.references()).isZero();
        channel.close();
        turn();
        assertThat(served.events).containsExactly("input closed", "inactive");
        assertThat(heard.events).containsExactly("inactive");
    }

    @Test
    void aNameBelongsToOneListener() {
        ServerChannel first = outcome(server().bind(address));
        assertThat(first.localAddress()).isEqualTo(address);
        assertThatThrownBy(() -> outcome(server().bind(address)))
                .hasCauseInstanceOf(BindException.class);
        first.close();
        outcome(server().bind(LocalAddress.of(address.name())));
    }

    @Test
    void nobodyListens() {
        Future<Channel> refused = client().connect(address);
        assertThatThrownBy(() -> outcome(refused)).hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void aFullBacklogRefuses() {
        ServerBootstrap small = server().option(ChannelOption.SO_BACKLOG, 1);
        outcome(small.bind(address));
        Future<Channel> first = client().connect(address);
        Future<Channel> second = client().connect(address);
        connecting.runPending();
        assertThat(outcome(first).isActive()).isTrue();
        assertThatThrownBy(() -> outcome(second)).hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void aReceiverThatDoesNotReadStopsTheSender() {
        outcome(server().childOption(ChannelOption.AUTO_READ, false).bind(address));
        Channel channel = outcome(client().option(ChannelOption.SO_SNDBUF, 4096).connect(address));
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(buffer(200_000), sent);
        turn();
        assertThat(sent.isDone()).isFalse();
        assertThat(served.text).isEmpty();
        channel.close();
        serving.eventLoop().execute(() -> {});
        turn();
        // Nobody reads, so the close waits for its timeout, which comes with the shutdown at last.
        assertThat(channel.closeFuture().isDone()).isFalse();
        channel.abort();
        turn();
        assertThat(sent.cause()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void buffersOfTheLargestSizeTakeBytes() {
        int most = Integer.MAX_VALUE;
        outcome(server().childOption(ChannelOption.SO_RCVBUF, most).bind(address));
        Channel channel = outcome(client().option(ChannelOption.SO_SNDBUF, most).connect(address));
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(buffer(200_000), sent);
        assertThat(outcome(sent)).isNull();
        assertThat(served.text).hasSize(200_000);
    }

    @Test
    void aSenderGoesOnWhenTheReceiverReads() {
        outcome(server().bind(address));
        Channel channel = outcome(client().connect(address));
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(buffer(1_000_000), sent);
        turn();
        assertThat(outcome(sent)).isNull();
        assertThat(served.text).hasSize(1_000_000);
    }

    @Test
    void oneDirectionMayEndBeforeTheOther() {
        List<Channel> accepted = new ArrayList<>();
        outcome(
                new ServerBootstrap(EventLoopGroup.of(serving))
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(
                                ch -> {
                                    accepted.add(ch);
                                    ch.pipeline().addLast(served);
                                })
                        .bind(address));
        Channel channel = outcome(client().connect(address));
        channel.eventLoop().execute(channel::shutdownOutput);
        turn();
        assertThat(served.events).containsExactly("input closed");
        Channel server = accepted.getFirst();
        server.writeAndFlush(BufferAllocator.pooled().allocate(8).writeAscii("still"));
        turn();
        assertThat(heard.text).hasToString("still");
        server.close();
        turn();
        assertThat(heard.events).containsExactly("input closed", "inactive");
    }

    @Test
    void anAbortIsAResetToThePeer() {
        outcome(server().bind(address));
        Channel channel = outcome(client().connect(address));
        channel.abort();
        turn();
        assertThat(served.events).containsExactly("Connection reset by peer", "inactive");
    }

    @Test
    void aListenerThatClosesResetsWhatItHasNotAccepted() {
        ServerChannel listener = outcome(server().bind(address));
        Future<Channel> connect = client().connect(address);
        listener.close();
        connecting.runPending();
        serving.runPending();
        turn();
        assertThat(connect.isDone()).isTrue();
        assertThat(heard.events).endsWith("inactive");
    }

    /// Answers the first bytes and leaves, while the rest of them waits for room.
    private static final class Leaving implements ChannelHandler {
        private final boolean aborts;

        Leaving(boolean aborts) {
            this.aborts = aborts;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
            ctx.writeAndFlush(BufferAllocator.pooled().allocate(8).writeAscii("answer"));
            if (aborts) {
                ctx.channel().abort();
            } else {
                ctx.close();
            }
        }
    }

    private Channel sendingToOneThatLeaves(boolean aborts) {
        outcome(
                new ServerBootstrap(EventLoopGroup.of(serving))
                        .childOption(ChannelOption.SO_RCVBUF, 2048)
                        .childOption(ChannelOption.LINGER_TIMEOUT, Duration.ZERO)
                        .childHandler(ch -> ch.pipeline().addLast(new Leaving(aborts)))
                        .bind(address));
        Channel channel = outcome(client().option(ChannelOption.SO_SNDBUF, 2048).connect(address));
        channel.writeAndFlush(buffer(10_000));
        connecting.runPending();
        serving.runPending();
        return channel;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answerOfAPeerThatHasLeftIsReadBeforeTheSendFails(boolean aborts) {
        Channel channel = sendingToOneThatLeaves(aborts);
        turn();
        assertThat(heard.text).hasToString("answer");
        String cause = aborts ? "Connection reset by peer" : "send: Broken pipe";
        assertThat(heard.events).containsExactly(cause, "inactive");
        assertThat(channel.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sendToAPeerThatHasLeftFailsWhenReadingStops(boolean aborts) {
        Channel channel = sendingToOneThatLeaves(aborts);
        Future<?> stopped =
                channel.eventLoop()
                        .submit(
                                () -> {
                                    channel.flush();
                                    channel.setOption(ChannelOption.AUTO_READ, false);
                                    return true;
                                });
        var _ = outcome(stopped);
        assertThat(heard.events).hasSize(2).endsWith("inactive");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    @Warns
    void bufferReleasedBeforeItIsSentLeavesNoCopies() {
        outcome(server().bind(address));
        Channel channel = outcome(client().connect(address));
        channel.eventLoop()
                .execute(
                        () -> {
                            Buffer gone = buffer(8);
                            channel.write(buffer(8));
                            channel.write(gone);
                            gone.release();
                            channel.flush();
                        });
        turn();
        assertThat(channel.isOpen()).isFalse();
        assertThat(Ledger.takeOpen()).isEmpty();
    }
}
