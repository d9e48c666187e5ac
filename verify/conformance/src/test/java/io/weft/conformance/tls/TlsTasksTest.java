package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.LineDecoder;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.timeout.IdleState;
import io.weft.handler.timeout.IdleStateHandler;
import io.weft.handler.timeout.ReadTimeoutException;
import io.weft.handler.timeout.ReadTimeoutHandler;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A server whose tasks take long: the test says when each one runs. It has a key of RSA and asks
/// for a certificate, so that engines of both kinds need tasks, the last one when the client's
/// first data may have arrived.
@ParameterizedClass
@EnumSource
class TlsTasksTest {
    private static final TlsIdentity RSA =
            CertificateBuilder.subject("CN=example.com")
                    .host("example.com")
                    .key("2048")
                    .selfSigned();

    private final TlsEngineKind kind;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private TlsContext client;
    private TlsContext server;
    private TlsChannels pair;

    TlsTasksTest(TlsEngineKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void begin() throws SSLException {
        String unavailable = TlsContext.unavailable(kind);
        assumeTrue(unavailable.isEmpty(), unavailable);
        client =
                TlsContext.client()
                        .engine(kind)
                        .trust(RSA.certificate())
                        .identity(TlsChannels.IDENTITY)
                        .tasks(Runnable::run)
                        .build();
        server =
                TlsContext.server(RSA)
                        .engine(kind)
                        .clientAuth(ClientAuth.REQUIRE)
                        .trust(TlsChannels.IDENTITY.certificate())
                        .tasks(tasks::add)
                        .build();
        pair = new TlsChannels(client, server);
    }

    @AfterEach
    void end() {
        if (pair != null) {
            pair.close();
            client.close();
            server.close();
        }
    }

    /// Sends text with the end of the client's handshake, all of which arrives before the server's
    /// last task runs.
    private void sayWithTheHandshake(String text) {
        pair.start();
        pair.client.channel().writeAndFlush(TlsChannels.buffer(text));
        pair.carry();
        for (Runnable task; (task = tasks.poll()) != null; ) {
            task.run();
            pair.carry();
        }
        assertThat(pair.serverTls.handshake().isSuccess()).isTrue();
    }

    @Test
    void readAfterATaskIsCompleted() {
        List<String> events = new ArrayList<>();
        pair.server
                .pipeline()
                .addFirst(
                        "events",
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                events.add("read");
                                ctx.fireChannelRead(message);
                            }

                            @Override
                            public void channelReadComplete(ChannelHandlerContext ctx) {
                                events.add("complete");
                                ctx.fireChannelReadComplete();
                            }
                        });
        sayWithTheHandshake("hello");
        assertThat(pair.serverEar.text()).isEqualTo("hello");
        assertThat(events).contains("read").last().isEqualTo("complete");
    }

    @Test
    void readTimeoutAfterATaskIsNoticed() {
        pair.server.pipeline().addFirst("timeout", new ReadTimeoutHandler(Duration.ofSeconds(1)));
        sayWithTheHandshake("hello");
        pair.server.advance(Duration.ofSeconds(2));
        assertThat(pair.serverEar.failures)
                .singleElement()
                .isInstanceOf(ReadTimeoutException.class);
    }

    @Test
    void idlenessAfterATaskIsNoticed() {
        pair.server
                .pipeline()
                .addFirst(
                        "idle",
                        new IdleStateHandler(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO));
        sayWithTheHandshake("hello");
        pair.server.advance(Duration.ofSeconds(1));
        assertThat(pair.serverEar.events).filteredOn(IdleState.class::isInstance).isNotEmpty();
    }

    @Test
    void decoderAsksForTheRestOfAMessageAfterATask() {
        List<String> lines = new ArrayList<>();
        pair.server.channel().autoRead(false);
        pair.server
                .pipeline()
                .addFirst(
                        "lines",
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                try (Buffer line = (Buffer) message) {
                                    lines.add(line.readString(StandardCharsets.US_ASCII));
                                }
                            }
                        })
                .addFirst("decoder", new DecoderHandler<>(new LineDecoder(100)));
        pair.server.channel().read();
        sayWithTheHandshake("hel");
        pair.client.channel().writeAndFlush(TlsChannels.buffer("lo\n"));
        pair.carry();
        assertThat(lines).containsExactly("hello");
    }

    /// Records for a task that waits, more than the handler takes before it suspends reading.
    private void sayMuchForATask() {
        pair.start();
        pair.client.channel().writeAndFlush(TlsChannels.buffer(new byte[200_000]));
        pair.carry();
        while (!pair.clientTls.handshake().isDone()) {
            tasks.remove().run();
            pair.carry();
        }
        assertThat(pair.server.channel().isReadingSuspended()).isTrue();
    }

    private void runTasks() {
        for (Runnable task; (task = tasks.poll()) != null; ) {
            task.run();
            pair.carry();
        }
    }

    @Test
    void autoReadSwitchedOffDuringATaskStaysOff() {
        sayMuchForATask();
        pair.server.channel().autoRead(false);
        runTasks();
        assertThat(pair.serverEar.data.size()).isEqualTo(200_000);
        assertThat(pair.server.channel().isReadingSuspended()).isFalse();
        assertThat(pair.server.channel().autoRead()).isFalse();
    }

    @Test
    void readingGoesOnAfterATask() {
        sayMuchForATask();
        runTasks();
        pair.client.channel().writeAndFlush(TlsChannels.buffer("more"));
        pair.carry();
        assertThat(pair.serverEar.data.size()).isEqualTo(200_004);
    }

    @Test
    void removedHandlerLeavesReadingOn() {
        sayMuchForATask();
        pair.server.pipeline().remove(pair.serverTls);
        assertThat(pair.server.channel().isReadingSuspended()).isFalse();
        assertThat(pair.server.channel().readsByItself()).isTrue();
        tasks.remove().run(); // closes the engine
        pair.server.runPending();
    }

    @Test
    void handshakeIsHeardWhileAHandlerSuspendsReading() {
        pair.start();
        pair.server.pipeline().context(pair.serverEar).suspendReading();
        pair.carry();
        runTasks();
        assertThat(pair.serverTls.handshake().isSuccess()).isTrue();
        pair.client.channel().writeAndFlush(TlsChannels.buffer("hello"));
        pair.carry();
        pair.server.pipeline().context(pair.serverEar).resumeReading();
        pair.carry();
        assertThat(pair.serverEar.text()).isEqualTo("hello");
    }
}
