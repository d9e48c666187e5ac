package io.weft.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.blocking.Connection;
import io.weft.blocking.Protocol;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.Decoder;
import io.weft.codec.MessageDecoder;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of a connection, as a blocking reader hears of it.
class BlockingEndTest {
    private static final Protocol<String, String> LINES =
            Protocol.of(BlockingEndTest::lines, LineEncoder::new);

    private final EmbeddedChannel embedded = new EmbeddedChannel();

    @AfterEach
    void close() {
        embedded.close();
    }

    private static Decoder<String> lines() {
        return new LineDecoder(1024).then(new StringDecoder(UTF_8));
    }

    /// Fails when it is told to, or reads a message that it is told.
    private static final class Failing implements ChannelHandler {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IOException cause) {
                context.fireExceptionCaught(cause);
            } else {
                context.fireChannelRead(event);
            }
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
        return read(connection);
    }

    private static CompletableFuture<@Nullable String> read(Connection<String, String> connection) {
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

    /// Stands for a decoder that gets no memory for the second line, and loses it.
    private static void decode(String line, Consumer<? super String> out) {
        if (line.equals("lost")) {
            throw new MemoryLimitException("memory", 2, 1);
        }
        out.accept(line);
    }

    @Test
    void readBehindLostInputFails() throws Exception {
        MessageDecoder<String, String> loses = BlockingEndTest::decode;
        Protocol<String, String> protocol =
                Protocol.of(() -> lines().then(loses), LineEncoder::new);
        Connection<String, String> connection = Connection.over(embedded.channel(), protocol);
        CompletableFuture<@Nullable String> first = read(connection);
        embedded.runPending();
        embedded.receive("first\r\nlost\r\nlater\r\n");
        await(first);
        assertThat(first.get()).isEqualTo("first");
        for (int i = 0; i < 3; i++) {
            CompletableFuture<@Nullable String> behind = read(connection);
            await(behind);
            assertThatThrownBy(behind::get).hasCauseInstanceOf(MemoryLimitException.class);
        }
        connection.close();
    }

    @Test
    void readBehindMessageThatIsNotTakenFails() throws Exception {
        CompletableFuture<@Nullable String> read = read();
        embedded.runPending();
        embedded.pipeline().fireUserEventTriggered("not a buffer");
        embedded.receive("later\r\n");
        await(read);
        assertThatThrownBy(read::get).hasRootCauseInstanceOf(IllegalArgumentException.class);
    }
}
