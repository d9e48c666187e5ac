package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The HTTP server on every engine.
@EveryTransport
class HttpServerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    /// Of the engines by readiness, behind a receive that was full.
    private static final int LARGEST_RECEIVE = 64 << 10;

    private final Rig rig;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicReference<Channel> accepted = new AtomicReference<>();

    HttpServerTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Counts the bytes on their way to the server's connection.
    private final class Counter implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            taken.addAndGet(((Buffer) message).readableBytes());
            context.fireChannelRead(message);
        }
    }

    private Socket connect(HttpServer.Builder builder) throws IOException {
        ChannelInitializer connections = builder.initializer();
        SocketAddress address =
                rig.listen(
                        rig.server(
                                        ch -> {
                                            accepted.set(ch);
                                            ch.pipeline().addLast("counter", new Counter());
                                            connections.initChannel(ch);
                                        })
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true));
        return rig.connect(address);
    }

    private static CompletableFuture<Void> sendRepeatedly(Socket client, String text, int times) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        for (int i = 0; i < times; i++) {
                            Rig.send(client, text);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private boolean isReadingSuspended() {
        Channel channel = accepted.get();
        return channel != null && channel.eventLoop().submit(channel::isReadingSuspended).join();
    }

    @Test
    void inputBehindAnUnansweredRequestIsBounded() throws IOException {
        CompletableFuture<Response> first = new CompletableFuture<>();
        CompletableFuture<Response> next =
                CompletableFuture.completedFuture(Response.text("hello"));
        ArrayDeque<CompletableFuture<Response>> answers = new ArrayDeque<>(List.of(first));
        Socket client =
                connect(
                        HttpServer.builder()
                                .async(_ -> Objects.requireNonNullElse(answers.poll(), next)));
        int requests = 100_000;
        CompletableFuture<Void> sent = sendRepeatedly(client, GET.repeat(1000), requests / 1000);
        Rig.awaitTrue("reading suspended", this::isReadingSuspended);
        // Epoll and NIO receive no more once reading is suspended; io_uring hands up what had come
        // in before.
        assertThat(taken.get()).isLessThan(GET.length() * (long) requests - (64 << 10));
        if (!rig.transport().equals("io_uring")) {
            assertThat(taken.get()).isLessThanOrEqualTo((64 << 10) + LARGEST_RECEIVE + 28_000);
        }
        first.complete(Response.text("hello"));
        client.getInputStream().skipNBytes(readAnswer(client) * (requests - 1L));
        Rig.await(sent);
        assertThat(taken.get()).isEqualTo(GET.length() * (long) requests);
    }

    @Test
    void manyPipelinedRequestsAreAnsweredInTurns() throws IOException {
        Socket client = connect(HttpServer.builder().handler(_ -> Response.text("hello")));
        int requests = 20_000;
        CompletableFuture<Void> sent = sendRepeatedly(client, GET.repeat(1000), requests / 1000);
        client.getInputStream().skipNBytes(readAnswer(client) * (requests - 1L));
        Rig.await(sent);
        client.shutdownOutput();
        assertThat(client.getInputStream().read()).isNegative();
    }

    @Test
    void connectionsBeyondTheMaximumWaitForAnotherToClose() throws IOException {
        Rig.assumeSockets(rig.transport());
        AtomicLong answered = new AtomicLong();
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport(rig.transport())
                                .loops(1)
                                .maxConnections(1)
                                .handler(
                                        _ -> {
                                            answered.incrementAndGet();
                                            return Response.text("hello");
                                        })
                                .listen();
                Socket first = rig.connect(server.address());
                Socket second = rig.connect(server.address())) {
            Rig.send(second, GET);
            for (int i = 1; i <= 3; i++) {
                Rig.send(first, GET);
                readAnswer(first);
                assertThat(answered).hasValue(i);
            }
            first.shutdownOutput();
            readAnswer(second);
        }
    }

    /// Reads an answer that ends with "hello", and returns its length.
    private static int readAnswer(Socket client) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("hello")) {
            int next = client.getInputStream().read();
            assertThat(next).as("after " + answer).isNotNegative();
            answer.append((char) next);
        }
        return answer.length();
    }

    @Test
    void aFailingHandlerIsLoggedByMethodAndPath() throws IOException {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.weft.http.server");
        Handler recorder =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        logged.add(entry.getMessage());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(recorder);
        try {
            Socket client =
                    connect(
                            HttpServer.builder()
                                    .handler(
                                            _ -> {
                                                throw new IllegalStateException("on purpose");
                                            }));
            Rig.send(client, "PUT /a/b?key=secret HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(Rig.receiveAll(client)).startsWith("HTTP/1.1 500 ");
        } finally {
            logger.removeHandler(recorder);
        }
        assertThat(logged).containsExactly("PUT /a/b: the handler failed; the client gets 500");
    }
}
