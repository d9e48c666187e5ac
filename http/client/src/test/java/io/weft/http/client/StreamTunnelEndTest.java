package io.weft.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.ChannelOption;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Upgrade;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The end of a tunnel over HTTP/2 between the client and our own server, either of which reads
/// late: what the other side has sent before its orderly close is read, and then the end.
class StreamTunnelEndTest {
    private static final String URL = "http://example.com/";

    /// Content that fits into the windows of either side.
    private static final int SENT = 50_000;

    private static final Duration LONGER_THAN_LINGERING = Duration.ofSeconds(5);

    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));
    private final Ear client = new Ear();
    private final Ear server = new Ear();

    /// Of both ends.
    private Duration linger = ChannelOption.LINGER_TIMEOUT.defaultValue();

    @AfterEach
    void end() {
        web.close();
    }

    /// One end of the tunnel, which is not read at first.
    private final class Ear implements ChannelHandler {
        final List<String> log = new ArrayList<>();
        long bytes;
        private @Nullable Channel channel;

        void listen(Channel there) {
            channel = there;
            try {
                there.setOption(ChannelOption.LINGER_TIMEOUT, linger);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            there.autoRead(false);
            there.pipeline().addLast(this);
        }

        boolean isThere() {
            return channel != null;
        }

        void run(Consumer<Channel> action) {
            Channel there = Objects.requireNonNull(channel);
            there.eventLoop().execute(() -> action.accept(there));
        }

        void sendAndClose() {
            run(
                    there -> {
                        Buffer all = BufferAllocator.pooled().allocate(SENT);
                        there.writeAndFlush(all.writeBytes("x".repeat(SENT).getBytes(US_ASCII)));
                        there.close();
                    });
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                bytes += in.readableBytes();
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            log.add("end");
            ctx.fireChannelInputClosed();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            log.add("failure");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            log.add("inactive");
        }
    }

    @BeforeEach
    void serve() {
        web.serve(80, HttpServer.builder().handler(_ -> Upgrade.connected(server::listen)));
    }

    private void connect() throws Exception {
        web.await(
                        web.client()
                                .connectAsync(
                                        Origin.of(Request.get(URL).target()),
                                        "other:99",
                                        Headers.EMPTY,
                                        (there, _, _) -> client.listen(there)))
                .close();
        web.runUntil(() -> client.isThere() && server.isThere());
    }

    private void closes(Ear writer, Ear reader) throws Exception {
        connect();
        writer.sendAndClose();
        web.runUntil(() -> writer.log.contains("inactive"));
        web.run(LONGER_THAN_LINGERING);
        assertThat(reader.log).isEmpty();
        reader.run(there -> there.autoRead(true));
        web.runUntil(() -> !reader.log.isEmpty());
        web.run(LONGER_THAN_LINGERING);
        assertThat(reader.bytes).isEqualTo(SENT);
        assertThat(reader.log).startsWith("end").doesNotContain("failure");
    }

    @Test
    void clientReadsAllOfAServerThatHasClosed() throws Exception {
        closes(server, client);
    }

    @Test
    void serverReadsAllOfAClientThatHasClosed() throws Exception {
        closes(client, server);
    }

    @Test
    void clientReadsAllOfAServerThatDoesNotLinger() throws Exception {
        linger = Duration.ZERO;
        closes(server, client);
    }

    @Test
    void serverReadsAllOfAClientThatDoesNotLinger() throws Exception {
        linger = Duration.ZERO;
        closes(client, server);
    }

    @Test
    void clientReadsWhatHadArrivedBeforeItsConnectionBroke() throws Exception {
        connect();
        server.sendAndClose();
        web.run(Duration.ofSeconds(1)); // less than the server lingers
        Channel connection = web.accepted.getFirst();
        connection.eventLoop().execute(connection::abort);
        web.run(LONGER_THAN_LINGERING);
        assertThat(client.log).isEmpty();
        client.run(there -> there.autoRead(true));
        web.runUntil(() -> client.log.contains("inactive"));
        assertThat(client.bytes).isEqualTo(SENT);
        assertThat(client.log).startsWith("end");
    }
}
