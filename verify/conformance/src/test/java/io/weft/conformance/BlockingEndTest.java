package io.weft.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.blocking.Connection;
import io.weft.blocking.Protocol;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of a connection, as a blocking reader hears of it.
class BlockingEndTest {
    private static final Protocol<String, String> LINES =
            Protocol.of(
                    () -> new LineDecoder(1024).then(new StringDecoder(UTF_8)), LineEncoder::new);

    private final EmbeddedChannel embedded = new EmbeddedChannel();

    @AfterEach
    void close() {
        embedded.close();
    }

    /// Fails when it is told to.
    private static final class Failing implements ChannelHandler {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            context.fireExceptionCaught((IOException) event);
        }
    }

    /// Stands for a close that waits for what is being sent.
    private static final class Keeper implements ChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // The channel stays open.
        }
    }

    private CompletableFuture<@Nullable String> read() throws Exception {
        embedded.channel().pipeline().addLast(new Failing());
        Connection<String, String> connection = Connection.over(embedded.channel(), LINES);
        embedded.channel().pipeline().addLast(new Keeper());
        CompletableFuture<@Nullable String> read = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                read.complete(connection.read());
                            } catch (Exception e) {
                                read.completeExceptionally(e);
                            }
                        });
        return read;
    }

    private void await(CompletableFuture<?> read) {
        while (!read.isDone()) {
            embedded.runPending();
            Thread.onSpinWait();
        }
    }

    @Test
    void anEndIsAnEnd() throws Exception {
        CompletableFuture<@Nullable String> read = read();
        embedded.receiveEnd();
        await(read);
        assertThat(read.get()).isNull();
    }

    @Test
    void anEndBehindAFailureIsAFailure() throws Exception {
        CompletableFuture<@Nullable String> read = read();
        embedded.channel().pipeline().fireUserEventTriggered(new IOException("cut short"));
        embedded.receiveEnd();
        await(read);
        assertThat(read).isCompletedExceptionally();
        assertThatThrownBy(read::get).hasStackTraceContaining("cut short");
    }
}
