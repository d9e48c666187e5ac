package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Pages;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.posix.Reception;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Streams without a loop: the test polls the engine, and tells completions that a kernel makes
/// only when its completion queue has overflowed.
@Timeout(300)
class UringStreamTest {
    private static final long MEMORY = ReceiveBuffers.MEMORY;

    private final List<String> seen = new ArrayList<>();
    private @Nullable UringEngine made;

    @BeforeEach
    void needsTheEngine() {
        try {
            new UringProvider().probe();
            UringEngine engine = new UringEngine();
            engine.start();
            made = engine;
        } catch (EngineUnavailableException e) {
            abort(String.valueOf(e.getMessage()));
        }
    }

    @AfterEach
    void everyBufferWasReleased() {
        if (made != null) {
            made.close();
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private UringEngine engine() {
        if (made == null) {
            throw new IllegalStateException("no engine");
        }
        return made;
    }

    private UringStream connect(ServerSocket server, StreamEvents events) throws IOException {
        StreamHandle handle =
                engine().connect(
                                server.getLocalSocketAddress(),
                                io.weft.engine.ChannelOptions.DEFAULT,
                                events);
        pollUntil("connected");
        return (UringStream) handle;
    }

    private void pollUntil(String event) {
        while (!seen.contains(event)) {
            engine().poll(1_000_000_000);
        }
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private class Recorder implements StreamEvents {
        @Override
        public void connected() {
            seen.add("connected");
        }

        @Override
        public void received(DescriptorMessage message) {
            message.close();
        }

        @Override
        public void received(Buffer bytes) {
            seen.add("received");
            bytes.release();
        }

        @Override
        public void receiveComplete() {}

        @Override
        public void inputClosed() {
            seen.add("end");
        }

        @Override
        public void sent(int bytes) {
            seen.add("sent");
        }

        @Override
        public void failed(IOException cause) {
            seen.add("failed");
        }

        @Override
        public void closed() {
            seen.add("closed");
        }
    }

    @Test
    void closingWithinTheLastCompletionFreesTheSlotOnce() throws Exception {
        UringStream[] stream = {null};
        try (ServerSocket server = listen()) {
            stream[0] =
                    connect(
                            server,
                            new Recorder() {
                                @Override
                                public void received(Buffer bytes) {
                                    super.received(bytes);
                                    stream[0].close(true);
                                }
                            });
            stream[0].receive();
            stream[0].completed(Operation.RECEIVE, 1, IoUring.IORING_CQE_F_BUFFER);
            assertThat(seen).containsExactly("connected", "received", "closed");
            UringStream one = new UringStream(engine(), -1, Reception.BYTES, new Recorder());
            UringStream other = new UringStream(engine(), -1, Reception.BYTES, new Recorder());
            assertThat(one.slot).isNotEqualTo(other.slot);
            one.close(false);
            other.close(false);
        }
    }

    @Test
    void theEndOfInputIsToldOnce() throws Exception {
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket peer = server.accept()) {
                stream.receive();
                peer.shutdownOutput();
                pollUntil("end");
                stream.pause();
                stream.receive();
                for (int i = 0; i < 3; i++) {
                    engine().poll(0);
                }
                assertThat(seen).containsExactly("connected", "end");
                stream.close(true);
            }
        }
    }

    @Test
    void aPausedStreamHoldsNoReceiveBuffer() throws Exception {
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket peer = server.accept()) {
                stream.receive();
                engine().poll(0);
                stream.pause();
                peer.getOutputStream().write(new byte[128 << 10]);
                for (int i = 0; i < 100; i++) {
                    engine().poll(1_000_000);
                }
                assertThat(engine().buffers.home()).isEqualTo(ReceiveBuffers.COUNT);
                stream.receive();
                pollUntil("received");
                stream.close(true);
                pollUntil("closed");
            }
        }
    }

    @Test
    void aSendThatDoesNotFitTellsWhatItSent() throws Exception {
        Gather large =
                new Gather() {
                    private final Buffer bytes =
                            BufferAllocator.pooled().allocate(64 << 20).writeOffset(64 << 20);

                    @Override
                    public int count() {
                        return 1;
                    }

                    @Override
                    public Buffer buffer(int index) {
                        return bytes;
                    }
                };
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket _ = server.accept();
                    Buffer _ = large.buffer(0)) {
                stream.send(large);
                pollUntil("sent");
                assertThat(seen).containsExactly("connected", "sent");
                stream.close(true);
            }
        }
    }

    @Test
    void resetOfAPausedStreamThatReceivesByCallsIsTold() throws Exception {
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket peer = server.accept()) {
                receiveByCalls(stream, peer);
                stream.pause();
                peer.setSoLinger(true, 0);
            }
            pollUntil("failed");
            stream.close(true);
            pollUntil("closed");
        }
    }

    @Test
    void resetBehindInputOfAPausedStreamThatReceivesByCallsIsToldBehindIt() throws Exception {
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket peer = server.accept()) {
                receiveByCalls(stream, peer);
                stream.pause();
                seen.clear();
                peer.getOutputStream().write(1);
                peer.setSoLinger(true, 0);
            }
            pollOften();
            stream.receive(); // by a poll, which finds both at once
            stream.pause();
            assertResetIsToldBehindInput(stream, "received", "failed");
        }
    }

    @Test
    void resetBehindAnEndThatIsHeldIsToldBehindIt() throws Exception {
        try (ServerSocket server = listen()) {
            UringStream stream = connect(server, new Recorder());
            try (Socket peer = server.accept()) {
                stream.receive();
                engine().poll(0);
                stream.pause();
                seen.clear();
                peer.getOutputStream().write(1);
                peer.shutdownOutput();
                pollOften();
                peer.setSoLinger(true, 0);
            }
            assertResetIsToldBehindInput(stream, "received", "end", "failed");
        }
    }

    private void pollOften() {
        for (int i = 0; i < 100; i++) {
            engine().poll(1_000_000);
        }
    }

    private void assertResetIsToldBehindInput(UringStream stream, String... events) {
        pollOften();
        assertThat(seen).isEmpty();
        stream.receive();
        pollUntil("failed");
        assertThat(seen).containsExactly(events);
        stream.close(true);
        pollUntil("closed");
    }

    /// Has the peer send so much that the stream waits for more with a poll.
    private void receiveByCalls(UringStream stream, Socket peer) throws IOException {
        stream.receive();
        while (!stream.receivesMuch()) {
            peer.getOutputStream().write(new byte[128 << 10]);
            for (int i = 0; i < 100; i++) {
                engine().poll(1_000_000);
            }
        }
    }

    /// A view that a user kept by mistake must not kill the process.
    @Test
    void memoryOfReceivedBuffersStaysMappedAfterTheEnd() throws Exception {
        long[] received = {0};
        try (ServerSocket server = listen()) {
            UringStream stream =
                    connect(
                            server,
                            new Recorder() {
                                @Override
                                public void received(Buffer bytes) {
                                    received[0] = bytes.address();
                                    super.received(bytes);
                                }
                            });
            try (Socket peer = server.accept()) {
                stream.receive();
                peer.getOutputStream().write(1);
                pollUntil("received");
            }
            stream.close(true);
            pollUntil("closed");
        }
        engine().close();
        made = null;
        assertThat(freeRanges())
                .anyMatch(range -> range <= received[0] && received[0] < range + MEMORY);
    }

    /// Memory that [Pages] hands out again, and so never unmaps.
    private static List<Long> freeRanges() {
        List<Long> ranges = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            ranges.add(Pages.allocate(MEMORY));
        }
        ranges.forEach(range -> Pages.free(range, MEMORY));
        return ranges;
    }
}
