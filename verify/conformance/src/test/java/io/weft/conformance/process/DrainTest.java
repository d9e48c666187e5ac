package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.loop.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that shuts down answers whoever has asked before it ends.
@EveryTransport
@Timeout(300)
class DrainTest {
    private static final int REQUESTS = 10_000;

    /// So many connect at a time, as a backlog is finite.
    private static final int AT_A_TIME = 100;

    private final Rig rig;
    private final String transport;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CompletableFuture<Void> all = new CompletableFuture<>();

    DrainTest(String transport) throws IOException {
        this.transport = transport;
        rig = Rig.ofSockets(transport, 1);
        TenThousandTest.assumeDescriptors();
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Asks once, and looks whether the answer comes whole before the end.
    private final class Asking implements ChannelHandler {
        private final StringBuilder answer = new StringBuilder();

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(Rig.buffer("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                answer.append(bytes.readString(StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (answer.toString().startsWith("HTTP/1.1 200")
                    && answer.toString().endsWith("answered")) {
                answered.incrementAndGet();
            }
            if (ended.incrementAndGet() == REQUESTS) {
                all.complete(null);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            answer.append(cause);
            ctx.channel().abort();
        }
    }

    @Test
    void tenThousandRequestsInFlightAreAnswered() throws IOException {
        try (Child server =
                new Child(
                        DrainChild.class,
                        transport,
                        0,
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Drequests=" + REQUESTS)) {
            Bootstrap client =
                    new Bootstrap(rig.group)
                            .option(
                                    ChannelOption.CONNECT_TIMEOUT,
                                    Duration.ofSeconds(Rig.PATIENCE_SECONDS))
                            .handler(ch -> ch.pipeline().addLast(new Asking()));
            for (int i = 0; i < REQUESTS; i += AT_A_TIME) {
                Future<?>[] connecting = new Future<?>[AT_A_TIME];
                for (int j = 0; j < AT_A_TIME; j++) {
                    Future<Channel> connected = client.connect(server.address);
                    connecting[j] = connected;
                }
                for (Future<?> connected : connecting) {
                    connected.join();
                }
            }
            all.orTimeout(TenThousandTest.PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            assertThat(answered).as(server::errors).hasValue(REQUESTS);
        }
    }
}
