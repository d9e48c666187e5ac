package io.weft.transport.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Gather;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Libc;
import io.weft.ffi.Sockets;
import io.weft.transport.posix.ReadinessEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The engine polled by the test itself, with blocking sockets as its peers.
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EpollEngineTest {
    private static final long SECOND = 1_000_000_000;

    private final List<Socket> peers = new ArrayList<>();
    private final Recorder listening = new Recorder();
    private EpollQueue queue;
    private ReadinessEngine engine;
    private ListenHandle listener;

    @BeforeEach
    void listen() throws Exception {
        queue = new EpollQueue();
        engine = new ReadinessEngine(queue);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        listener = engine.listen(any, ChannelOptions.DEFAULT, listening);
        listener.accept();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        engine.close();
    }

    private Socket connectPeer() throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        Socket peer = new Socket(address.getAddress(), address.getPort());
        peers.add(peer);
        return peer;
    }

    private StreamHandle adopt(Recorder events) throws IOException {
        pollUntil(() -> !listening.accepted.isEmpty());
        return engine.adopt(listening.accepted.removeFirst(), events);
    }

    private void pollUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            engine.poll(SECOND);
        }
    }

    private static void send(Socket peer, String text) throws IOException {
        peer.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void reset(Socket peer) throws IOException {
        peer.setSoLinger(true, 0);
        peer.close();
    }

    /// Asserts that nothing is ready once all events have been told: otherwise the loop would spin.
    /// A change of the connection's state may still come, as the last acknowledgement does, but
    /// only what spins is always ready.
    private void assertQuiet() {
        int ready = queue.await(0);
        for (int i = 0; i < 100 && ready != 0; i++) {
            engine.poll(0);
            ready = queue.await(0);
        }
        assertThat(ready).isZero();
    }

    @Test
    void tellsWhatArrivedAndItsEnd() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        adopt(events).receive();
        send(peer, "hello");
        pollUntil(() -> events.heard("receiveComplete"));
        peer.shutdownOutput();
        pollUntil(() -> events.heard("inputClosed"));
        assertThat(events.events).containsExactly("hello", "receiveComplete", "inputClosed");
        assertQuiet();
    }

    /// Waits, without a poll, until `length` bytes are there to be received.
    private static void awaitBytes(StreamHandle stream, int length) {
        try (Buffer bytes = BufferAllocator.pooled().allocate(length)) {
            int fd = stream.descriptor();
            while (Sockets.recv(fd, bytes.address(), length, Sockets.MSG_PEEK) < length) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whereMuchCameAtATimeTheNextReceiveIsLarger() throws IOException {
        int[] sent = {40 << 10, 24 << 10, 1, 24 << 10};
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.receive();
        for (int length : sent) {
            send(peer, "x".repeat(length));
            awaitBytes(stream, length);
            engine.poll(0);
        }
        assertThat(events.events.stream().filter(e -> !e.equals("receiveComplete")))
                .extracting(String::length)
                .containsExactly(16 << 10, 24 << 10, 24 << 10, 1, 16 << 10, 8 << 10);
        assertQuiet();
    }

    @Test
    void handsUpNothingWhilePaused() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        events.at("first", stream::pause);
        stream.receive();
        send(peer, "first");
        pollUntil(() -> events.heard("receiveComplete"));
        send(peer, "second");
        peer.shutdownOutput();
        assertQuiet();
        assertThat(events.events).containsExactly("first", "receiveComplete");
        stream.receive();
        pollUntil(() -> events.heard("inputClosed"));
        assertThat(events.events)
                .containsExactly(
                        "first", "receiveComplete", "second", "receiveComplete", "inputClosed");
    }

    @Test
    void aResetIsToldEvenWhilePaused() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        reset(peer);
        pollUntil(() -> events.heard("failed"));
        assertThat(events.cause).hasMessageContaining("ECONNRESET");
        stream.close(true);
        assertThat(events.events).containsExactly("failed", "closed");
        assertQuiet();
    }

    @Test
    void resetBehindUnreadInputIsQuietUntilThatIsRead() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        send(peer, "last words");
        reset(peer);
        assertQuiet();
        assertThat(events.events).isEmpty();
        stream.receive();
        pollUntil(() -> events.heard("failed"));
        assertThat(events.events).containsExactly("last words", "receiveComplete", "failed");
        assertThat(events.cause).hasMessageContaining("ECONNRESET");
        stream.close(true);
    }

    @Test
    void aResetAfterTheEndOfInputIsTold() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.receive();
        peer.shutdownOutput();
        pollUntil(() -> events.heard("inputClosed"));
        reset(peer);
        pollUntil(() -> events.heard("failed"));
        stream.close(true);
        assertThat(events.events).containsExactly("inputClosed", "failed", "closed");
    }

    @Test
    void whatCameBeforeAResetIsHandedUp() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.receive();
        send(peer, "last words");
        reset(peer);
        pollUntil(() -> events.heard("failed"));
        assertThat(events.events).containsExactly("last words", "receiveComplete", "failed");
        stream.close(true);
    }

    @Test
    void aConnectionClosedInBothDirectionsIsQuiet() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.receive();
        peer.shutdownOutput();
        pollUntil(() -> events.heard("inputClosed"));
        stream.shutdownOutput();
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        engine.poll(SECOND); // the hang-up
        assertQuiet();
        assertThat(events.events).containsExactly("inputClosed");
    }

    @Test
    void bothDirectionsClosedWhilePausedAreReadInTheEnd() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.shutdownOutput();
        send(peer, "late");
        peer.shutdownOutput();
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        while (queue.await(0) != 0) {
            engine.poll(0);
        }
        assertThat(events.events).isEmpty();
        stream.receive();
        pollUntil(() -> events.heard("inputClosed"));
        assertThat(events.events).containsExactly("late", "receiveComplete", "inputClosed");
    }

    @Test
    void aStreamMayCloseAnotherOneInItsBatch() throws IOException {
        List<Recorder> recorders = List.of(new Recorder(), new Recorder());
        List<StreamHandle> streams = new ArrayList<>();
        List<Socket> senders = new ArrayList<>();
        for (Recorder events : recorders) {
            senders.add(connectPeer());
            streams.add(adopt(events));
            streams.getLast().receive();
        }
        Recorder late = new Recorder();
        Socket latecomer = connectPeer();
        pollUntil(() -> listening.accepted.size() == 1);
        for (int i = 0; i < 2; i++) {
            StreamHandle other = streams.get(1 - i);
            recorders
                    .get(i)
                    .at(
                            "x",
                            () -> {
                                other.close(false);
                                // Takes the slot, and after a close often the descriptor's number
                                // too.
                                adoptUnchecked(late);
                            });
            send(senders.get(i), "x");
        }
        pollUntil(() -> recorders.stream().anyMatch(r -> r.heard("closed")));
        engine.poll(0);
        assertThat(recorders.stream().filter(r -> r.heard("x"))).hasSize(1);
        assertThat(late.events).isEmpty();
        send(latecomer, "mine");
        pollUntil(() -> late.heard("mine"));
    }

    private void adoptUnchecked(Recorder events) {
        try {
            engine.adopt(listening.accepted.removeFirst(), events).receive();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStreamWhoseChannelThrowsIsClosedAndNoOther() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        events.at(
                "boom",
                () -> {
                    throw new LinkageError("thrown on purpose");
                });
        adopt(events).receive();
        connectPeer();
        Recorder other = new Recorder();
        adopt(other).receive();
        send(peer, "boom");
        Throwable thrown = null;
        while (thrown == null) {
            try {
                engine.poll(SECOND);
            } catch (LinkageError e) {
                thrown = e;
            }
        }
        assertThat(events.events).containsExactly("boom", "closed");
        send(peers.get(1), "fine");
        pollUntil(() -> other.heard("fine"));
    }

    @Test
    void aFullSendIsContinuedWhenThePeerReads() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        Buffer buffer = BufferAllocator.pooled().allocate(32 << 20);
        buffer.writeOffset(buffer.capacity());
        int taken = 0;
        // Full may be later than it seems: what is acknowledged meanwhile makes room.
        for (int n; (n = stream.send(gather(buffer))) != StreamHandle.PENDING; taken += n) {
            assertThat(n).isBetween(1, buffer.readableBytes() - 1);
            buffer.skipReadable(n);
        }
        assertThat(taken).isPositive();
        assertThat(events.events).isEmpty();
        peer.getInputStream().readNBytes(taken);
        pollUntil(() -> events.heard("sent"));
        assertThat(stream.send(gather(buffer))).isPositive();
        buffer.release();
    }

    private static Gather gather(Buffer... buffers) {
        return new Gather() {
            @Override
            public int count() {
                return buffers.length;
            }

            @Override
            public Buffer buffer(int index) {
                return buffers[index];
            }
        };
    }

    @Test
    void aRefusedConnectFails() throws IOException {
        listener.close();
        Socket holder = new Socket(); // it has the port, and does not listen
        peers.add(holder);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketAddress nobody = holder.getLocalSocketAddress();
        Recorder events = new Recorder();
        StreamHandle stream = engine.connect(nobody, ChannelOptions.DEFAULT, events);
        pollUntil(() -> events.heard("failed"));
        assertThat(events.cause).isInstanceOf(java.net.ConnectException.class);
        stream.close(true);
        assertThat(engine.isIdle()).isTrue();
    }

    @Test
    void aWakeupBeforeAPollEndsItAtOnce() {
        engine.wakeup();
        engine.poll(Long.MAX_VALUE);
        engine.wakeup();
        engine.wakeup();
        engine.poll(Long.MAX_VALUE);
        assertThat(queue.await(0)).isZero();
    }

    @Test
    void streamThatLetsGoOfSharedConnectionIsQuiet() throws IOException {
        Socket peer = connectPeer();
        Recorder events = new Recorder();
        StreamHandle stream = adopt(events);
        stream.receive();
        int other = Libc.fcntl(stream.descriptor(), Libc.F_DUPFD_CLOEXEC, 0);
        stream.letGo();
        send(peer, "for the other one");
        awaitReadable(other);
        assertQuiet();
        Libc.close(other);
    }

    @Test
    void closedStreamWhoseDescriptorWasToldIsQuiet() throws IOException {
        Socket peer = connectPeer();
        StreamHandle stream = adopt(new Recorder());
        int other = Libc.fcntl(stream.descriptor(), Libc.F_DUPFD_CLOEXEC, 0);
        stream.close(false);
        send(peer, "for the other one");
        awaitReadable(other);
        assertQuiet();
        Libc.close(other);
    }

    @Test
    void closedStreamOfTakenDescriptorIsQuiet() throws IOException {
        Socket peer = connectPeer();
        StreamHandle first = adopt(new Recorder());
        int other = Libc.fcntl(first.descriptor(), Libc.F_DUPFD_CLOEXEC, 0);
        int given = Libc.fcntl(other, Libc.F_DUPFD_CLOEXEC, 0);
        first.letGo();
        StreamHandle second = engine.adopt(engine.take(given), new Recorder());
        second.close(false);
        send(peer, "for the other one");
        awaitReadable(other);
        assertQuiet();
        Libc.close(other);
    }

    private static void awaitReadable(int fd) {
        try (Buffer bytes = BufferAllocator.pooled().allocate(1)) {
            while (Sockets.recv(fd, bytes.address(), 1, Sockets.MSG_PEEK) < 1) {
                Thread.onSpinWait();
            }
        }
    }
}
