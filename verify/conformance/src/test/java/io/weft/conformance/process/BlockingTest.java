package io.weft.conformance.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.blocking.Connection;
import io.weft.blocking.Listener;
import io.weft.blocking.Protocol;
import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.BytesDecoder;
import io.weft.codec.text.BytesEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Straight-line code on virtual threads.
@EveryTransport
class BlockingTest {
    static final Protocol<String, String> LINES =
            Protocol.of(
                    () -> new LineDecoder(1024).then(new StringDecoder(UTF_8)), LineEncoder::new);

    private final Rig rig;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Queue<Thread> serving = new ConcurrentLinkedQueue<>();

    BlockingTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws Exception {
        done.countDown();
        for (Thread thread : serving) {
            assertThat(thread.join(Duration.ofSeconds(Rig.PATIENCE_SECONDS))).isTrue();
        }
        rig.close();
    }

    private <I, O> Listener<I, O> listen(Protocol<I, O> protocol, Listener.Service<I, O> service)
            throws Exception {
        Listener<I, O> listener = Listener.bind(rig.group, Rig.ANY_PORT, protocol);
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                listener.serve(
                                        connection -> {
                                            serving.add(Thread.currentThread());
                                            service.serve(connection);
                                        });
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        return listener;
    }

    static void echo(Connection<String, String> connection) throws Exception {
        for (String line; (line = connection.read()) != null; ) {
            connection.write(line);
            connection.flush();
        }
    }

    private <I, O> Connection<I, O> connect(Listener<?, ?> listener, Protocol<I, O> protocol)
            throws Exception {
        return Connection.connect(rig.group, listener.localAddress(), protocol);
    }

    private static <T> CompletableFuture<T> virtually(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(call.call());
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    @Test
    void whatIsWrittenIsReadMessageByMessage() throws Exception {
        try (var listener = listen(LINES, BlockingTest::echo);
                var connection = connect(listener, LINES)) {
            for (int round = 0; round < 100; round++) {
                connection.write("round " + round);
                connection.flush();
                assertThat(connection.read()).isEqualTo("round " + round);
            }
            for (int i = 0; i < 1000; i++) {
                connection.write("line " + i);
            }
            connection.shutdownOutput();
            for (int i = 0; i < 1000; i++) {
                assertThat(connection.read()).isEqualTo("line " + i);
            }
            assertThat(connection.read()).isNull();
            assertThat(connection.read()).isNull();
        }
    }

    @Test
    void acceptsConnectionsOneByOne() throws Exception {
        try (var listener = Listener.bind(rig.group, Rig.ANY_PORT, LINES);
                Socket peer = rig.connect((InetSocketAddress) listener.localAddress())) {
            Rig.send(peer, "a\nb\nc");
            try (var connection = listener.accept()) {
                assertThat(connection.read()).isEqualTo("a");
                assertThat(connection.read()).isEqualTo("b");
                connection.write("x");
            } // sends what was written; "c" is given up
            assertThat(Rig.receiveAll(peer)).isEqualTo("x\r\n");
        }
    }

    @Test
    void anEndInsideAMessageIsTold() throws Exception {
        try (var listener = Listener.bind(rig.group, Rig.ANY_PORT, LINES)) {
            Socket peer = rig.connect((InetSocketAddress) listener.localAddress());
            Rig.send(peer, "whole\ncut");
            peer.shutdownOutput();
            try (var connection = listener.accept()) {
                assertThat(connection.read()).isEqualTo("whole");
                assertThatThrownBy(connection::read)
                        .isInstanceOf(io.weft.codec.PrematureEndException.class);
            }
        }
    }

    @Test
    void afterTheInputsEndOneMayStillWrite() throws Exception {
        try (var listener =
                        listen(
                                LINES,
                                connection -> {
                                    int count = 0;
                                    while (connection.read() != null) {
                                        count++;
                                    }
                                    connection.write("lines: " + count);
                                });
                var connection = connect(listener, LINES)) {
            connection.write("a");
            connection.write("b");
            connection.shutdownOutput();
            assertThat(connection.read()).isEqualTo("lines: 2");
            assertThat(connection.read()).isNull();
            assertThatThrownBy(() -> connection.write("c"))
                    .isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void aLineThatIsTooLongEndsTheReading() throws Exception {
        try (var listener = Listener.bind(rig.group, Rig.ANY_PORT, LINES)) {
            Socket peer = rig.connect((InetSocketAddress) listener.localAddress());
            Rig.send(peer, "ok\n" + "x".repeat(2000) + "\n");
            try (var connection = listener.accept()) {
                assertThat(connection.read()).isEqualTo("ok");
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(connection::read).isInstanceOf(LimitExceededException.class);
                }
            }
        }
    }

    @Test
    void aReadThatTimesOutMayBeTriedAgain() throws Exception {
        try (var listener = listen(LINES, BlockingTest::echo);
                var connection = connect(listener, LINES.readTimeout(Duration.ofMillis(5)))) {
            assertThatThrownBy(connection::read)
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("read: nothing within PT0.005S");
            connection.readTimeout(Duration.ZERO);
            connection.write("hello");
            connection.flush();
            assertThat(connection.read()).isEqualTo("hello");
        }
    }

    @Test
    void anInterruptCancelsAReadAndNothingElse() throws Exception {
        try (var listener = listen(LINES, BlockingTest::echo);
                var connection = connect(listener, LINES)) {
            CompletableFuture<Thread> reader = new CompletableFuture<>();
            CompletableFuture<String> read =
                    virtually(
                            () -> {
                                reader.complete(Thread.currentThread());
                                return connection.read();
                            });
            Rig.await(reader).interrupt();
            assertThatThrownBy(() -> Rig.await(read))
                    .hasRootCauseInstanceOf(InterruptedException.class);
            connection.write("still here");
            connection.flush();
            assertThat(connection.read()).isEqualTo("still here");
        }
    }

    /// 16 KiB each.
    private static final Protocol<byte[], byte[]> CHUNKS =
            Protocol.<byte[], byte[]>of(
                            () ->
                                    new io.weft.codec.framing.FixedLengthDecoder(16 << 10)
                                            .then(new BytesDecoder()),
                            BytesEncoder::new)
                    .option(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(32 << 10, 60 << 10, 128 << 10))
                    .writeTimeout(Duration.ofMillis(200));

    @Test
    void aPeerThatReadsNothingMakesTheWriterWaitAndNothingIsLost() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> count = new CompletableFuture<>();
        try (var listener =
                        listen(
                                CHUNKS,
                                connection -> {
                                    go.await();
                                    connection.readTimeout(Duration.ZERO);
                                    int read = 0;
                                    for (byte[] chunk; (chunk = connection.read()) != null; ) {
                                        assertThat(chunk[0]).isEqualTo((byte) read++);
                                    }
                                    count.complete(read);
                                });
                var connection = connect(listener, CHUNKS)) {
            int written = 0;
            long[] pending = new long[1];
            while (pending[0] == 0) { // or it was a loop without a processor that took nothing
                try {
                    for (; ; ) {
                        byte[] chunk = new byte[16 << 10];
                        chunk[0] = (byte) written++;
                        connection.write(chunk);
                    }
                } catch (SocketTimeoutException e) {
                    assertThat(e).hasMessage("write: the peer took nothing within PT0.2S");
                }
                Rig.onLoop(
                        connection.channel(),
                        () -> pending[0] = connection.channel().pendingBytes());
            }
            assertThat(pending[0]).isLessThanOrEqualTo(128L << 10);
            connection.writeTimeout(Duration.ZERO);
            go.countDown();
            connection.shutdownOutput();
            assertThat(Rig.await(count)).isEqualTo(written);
        }
    }

    @Test
    void whatNobodyReadsStaysWithThePeer() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (var listener =
                        listen(
                                CHUNKS,
                                connection -> {
                                    byte[] _ = connection.read();
                                    Rig.awaitTrue(
                                            "no more is received",
                                            () -> !connection.channel().autoRead());
                                    read.countDown();
                                    done.await();
                                });
                var connection = connect(listener, CHUNKS)) {
            while (read.getCount() > 0) {
                try {
                    connection.write(new byte[16 << 10]);
                } catch (SocketTimeoutException e) {
                    assertThat(e).hasMessage("write: the peer took nothing within PT0.2S");
                }
            }
            assertThatThrownBy(
                            () -> {
                                for (; ; ) {
                                    connection.write(new byte[16 << 10]);
                                }
                            })
                    .isInstanceOf(SocketTimeoutException.class);
            connection.abort();
        }
    }

    @Test
    void closingEndsWhoReadsAndWhoWrites() throws Exception {
        try (var listener = listen(CHUNKS, connection -> done.await());
                var connection = connect(listener, CHUNKS.writeTimeout(Duration.ZERO))) {
            CompletableFuture<byte[]> reading = virtually(connection::read);
            CompletableFuture<Thread> writer = new CompletableFuture<>();
            CompletableFuture<byte[]> writing =
                    virtually(
                            () -> {
                                writer.complete(Thread.currentThread());
                                for (; ; ) {
                                    connection.write(new byte[16 << 10]);
                                }
                            });
            Thread waiting = Rig.await(writer);
            Rig.awaitTrue("the writer waits", () -> waiting.getState() == Thread.State.WAITING);
            connection.abort();
            assertThatThrownBy(() -> Rig.await(reading))
                    .hasRootCauseInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> Rig.await(writing))
                    .hasRootCauseInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(connection::read).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void aResetIsTold() throws Exception {
        try (var listener = Listener.bind(rig.group, Rig.ANY_PORT, LINES)) {
            Socket peer = rig.connect((InetSocketAddress) listener.localAddress());
            try (var connection = listener.accept()) {
                CompletableFuture<String> reading = virtually(connection::read);
                Rig.send(peer, "cut");
                Rig.reset(peer);
                assertThatThrownBy(() -> Rig.await(reading))
                        .hasRootCauseInstanceOf(IOException.class);
                assertThatThrownBy(
                                () -> {
                                    connection.write("x");
                                    connection.flush();
                                })
                        .isInstanceOf(IOException.class);
            }
        }
    }

    /// Half an answer must not look like a whole one.
    @Test
    void aServiceThatThrowsResetsItsConnection() throws Exception {
        List<Exception> thrown =
                List.of(new IOException("on purpose"), new IllegalStateException("on purpose"));
        for (Exception exception : thrown) {
            Listener.Service<String, String> service =
                    connection -> {
                        // A reset that comes before the peer has seen the connection fails its
                        // connect instead.
                        assertThat(connection.read()).isEqualTo("go");
                        connection.write("half");
                        throw exception;
                    };
            try (var listener = listen(LINES, service);
                    Socket peer = rig.connect((InetSocketAddress) listener.localAddress())) {
                Rig.send(peer, "go\n");
                assertThatThrownBy(() -> peer.getInputStream().read())
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("reset");
            }
        }
    }

    @Test
    void whoAcceptsHearsThatTheListenerIsClosedOrIsInterrupted() throws Exception {
        var listener = Listener.bind(rig.group, Rig.ANY_PORT, LINES);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Object> interrupted =
                virtually(
                        () -> {
                            thread.complete(Thread.currentThread());
                            return listener.accept();
                        });
        Rig.await(thread).interrupt();
        assertThatThrownBy(() -> Rig.await(interrupted))
                .hasRootCauseInstanceOf(InterruptedException.class);
        CompletableFuture<Object> accepting = virtually(listener::accept);
        Socket peer = rig.connect((InetSocketAddress) listener.localAddress());
        try (var connection = (Connection<?, ?>) Rig.await(accepting)) {
            CompletableFuture<Object> next = virtually(listener::accept);
            listener.close();
            assertThatThrownBy(() -> Rig.await(next))
                    .hasRootCauseInstanceOf(ClosedChannelException.class);
            assertThat(connection.channel().isOpen()).isTrue();
        }
        assertThat(Rig.receiveAll(peer)).isEmpty();
    }

    @Test
    void interruptedBindLeavesNoListener() throws Exception {
        var address = rig.listenedOnce();
        CountDownLatch interrupted = new CountDownLatch(1);
        for (var loop : rig.group.loops()) {
            loop.submit(() -> interrupted.await(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        Thread.currentThread().interrupt();
        var shared = LINES.option(ChannelOption.SO_REUSEPORT, true); // the port is held
        assertThatThrownBy(() -> Listener.bind(rig.group, address, shared))
                .isInstanceOf(InterruptedException.class);
        interrupted.countDown();
        for (var loop : rig.group.loops()) {
            loop.submit(() -> true).join(); // behind the attempt to bind
        }
        assertThatThrownBy(() -> Connection.connect(rig.group, address, LINES))
                .isInstanceOf(java.net.ConnectException.class);
    }

    @Test
    void bootstrapOfAConnectionMayBeChanged() throws Exception {
        var somewhere = InetSocketAddress.createUnresolved("somewhere.example", 7);
        try (var listener = listen(LINES, BlockingTest::echo);
                var connection =
                        Connection.connect(
                                rig.group,
                                somewhere,
                                LINES,
                                b -> b.remoteAddress(_ -> listener.localAddress()))) {
            connection.write("hello");
            connection.flush();
            assertThat(connection.read()).isEqualTo("hello");
        }
    }

    @Test
    void aConnectThatFailsSaysWhy() throws Exception {
        var address = rig.listenedOnce();
        assertThatThrownBy(() -> Connection.connect(rig.group, address, LINES))
                .isInstanceOf(java.net.ConnectException.class);
    }

    @Test
    void theGroupsEndIsTold() throws Exception {
        try (var listener = listen(LINES, BlockingTest::echo)) {
            var connection = connect(listener, LINES.readTimeout(Duration.ZERO));
            CompletableFuture<String> reading = virtually(connection::read);
            rig.group.close();
            try {
                assertThat(Rig.await(reading)).isNull();
            } catch (AssertionError e) {
                assertThat(e).hasRootCauseInstanceOf(IOException.class);
            }
            assertThatThrownBy(
                            () -> {
                                connection.write("x");
                                connection.flush();
                            })
                    .isInstanceOf(IOException.class);
            connection.close();
        }
    }

    @Test
    void messagesThatHoldBuffersAreReleasedWithTheConnection() throws Exception {
        Protocol<Buffer, byte[]> frames =
                Protocol.of(
                        () -> new io.weft.codec.framing.FixedLengthDecoder(2), BytesEncoder::new);
        try (var listener = Listener.bind(rig.group, Rig.ANY_PORT, frames)) {
            Socket peer = rig.connect((InetSocketAddress) listener.localAddress());
            Rig.send(peer, "aabbccd");
            try (var connection = listener.accept()) {
                try (Buffer first = connection.read()) {
                    assertThat(first.readableBytes()).isEqualTo(2);
                }
            }
        }
    }
}
