package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.LoopEngine;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.ManualClock;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Local listeners and streams whose callbacks throw.
@Warns
class LocalFaultsTest {
    private final ManualEventLoop serving =
            ManualEventLoop.stepped("embedded", new EmbeddedEngine(), new ManualClock());
    private final ManualEventLoop connecting =
            ManualEventLoop.stepped("embedded", new EmbeddedEngine(), new ManualClock());
    private final LocalAddress address = LocalAddress.unique();
    private final List<String> served = new ArrayList<>();

    /// Notes its callbacks, one of which throws.
    private static final class End implements StreamEvents {
        final List<String> heard = new ArrayList<>();
        final String fault;
        @Nullable StreamHandle handle;

        End(String fault) {
            this.fault = fault;
        }

        private void called(String callback) {
            heard.add(callback);
            if (callback.equals(fault)) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void connected() {
            if (handle != null) {
                handle.receive();
            }
            called("connected");
        }

        @Override
        public void received(Buffer bytes) {
            bytes.release();
            called("received");
        }

        @Override
        public void received(DescriptorMessage message) {
            message.close();
        }

        @Override
        public void receiveComplete() {
            called("receiveComplete");
        }

        @Override
        public void inputClosed() {
            called("inputClosed");
        }

        @Override
        public void sent(int count) {
            called("sent");
        }

        @Override
        public void failed(IOException cause) {
            called(String.valueOf(cause.getMessage()));
        }

        @Override
        public void closed() {
            called("closed");
        }
    }

    @AfterEach
    void close() {
        serving.eventLoop().shutdownGracefully();
        connecting.eventLoop().shutdownGracefully();
        turn();
    }

    private void turn() {
        for (int i = 0; i < 20; i++) {
            serving.runPending();
            connecting.runPending();
        }
    }

    private <T> T in(ManualEventLoop loop, Callable<T> action) {
        var result = loop.eventLoop().submit(action);
        turn();
        return result.join();
    }

    private End connect(String fault) {
        End end = new End(fault);
        LoopEngine engine = connecting.eventLoop().engine();
        return in(
                connecting,
                () -> {
                    end.handle = engine.connect(address, ChannelOptions.DEFAULT, end);
                    return end;
                });
    }

    /// A server that greets, and ends its output.
    private ChannelHandler greeting() {
        return new ChannelHandler() {
            @Override
            public void channelActive(ChannelHandlerContext ctx) {
                ctx.writeAndFlush(BufferAllocator.pooled().allocate(2).writeAscii("hi"));
                ctx.channel().shutdownOutput();
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                served.add(String.valueOf(cause.getMessage()));
                ctx.channel().abort();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"connected", "received", "receiveComplete", "inputClosed"})
    void callbackThatThrowsResetsTheConnection(String fault) {
        var _ =
                new ServerBootstrap(EventLoopGroup.of(serving))
                        .childHandler(ch -> ch.pipeline().addLast(greeting()))
                        .bind(address);
        turn();
        End end = connect(fault);
        assertThat(end.heard).endsWith(fault, "closed").containsOnlyOnce("closed");
        // Its first send may be what hears of the reset.
        assertThat(served).singleElement().asString().endsWith("Connection reset by peer");
    }

    /// Throws for its first connection.
    private final class Door implements ListenEvents {
        final End first = new End("");
        final End second = new End("");
        boolean adopts;
        int accepted;

        @Override
        public void accepted(Accepted connection) {
            boolean isFirst = accepted++ == 0;
            if (adopts || !isFirst) {
                adopt(connection, isFirst ? first : second);
            }
            if (isFirst) {
                throw new IllegalStateException("on purpose");
            }
        }

        private void adopt(Accepted connection, End end) {
            try {
                end.handle = serving.eventLoop().engine().adopt(connection, end);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void exhausted(IOException cause) {}

        @Override
        public void closed() {}
    }

    private ListenHandle listen(Door door) {
        return in(
                serving,
                () -> serving.eventLoop().engine().listen(address, ChannelOptions.DEFAULT, door));
    }

    private void accept(ListenHandle listener) {
        in(
                serving,
                () -> {
                    listener.accept();
                    return true;
                });
    }

    @Test
    void listenerThatThrowsResetsTheConnectionAndTakesTheNext() {
        Door door = new Door();
        ListenHandle listener = listen(door);
        End first = connect("");
        End second = connect("");
        accept(listener);
        assertThat(door.accepted).isEqualTo(2);
        assertThat(first.heard).containsExactly("connected", "Connection reset by peer");
        assertThat(second.heard).containsExactly("connected");
        assertThat(door.second.handle).isNotNull();
    }

    @Test
    void connectionStaysOpenIfTheListenerThrowsBehindItsAdoption() {
        Door door = new Door();
        door.adopts = true;
        ListenHandle listener = listen(door);
        End first = connect("");
        accept(listener);
        assertThat(door.first.handle).isNotNull();
        assertThat(first.heard).containsExactly("connected");
    }
}
