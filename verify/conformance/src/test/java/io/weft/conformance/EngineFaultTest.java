package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.conformance.rig.EngineEvents;
import io.weft.conformance.rig.EngineRig;
import io.weft.conformance.rig.Rig;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Gather;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An Error out of any callback costs that connection alone: the listener accepts, others go on,
/// nothing leaks.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll", "scripted-kqueue", "nio"})
@Timeout(300)
class EngineFaultTest {
    private final EngineRig rig;
    private final EngineEvents listening = new EngineEvents();
    private final ListenHandle listener;
    private final EngineEvents bystander = new EngineEvents();
    private final Socket bystanderPeer;
    private final OutOfMemoryError bomb = new OutOfMemoryError("on purpose");
    private boolean exploded;

    EngineFaultTest(String transport) throws IOException {
        rig = new EngineRig(transport);
        listener = rig.listen(listening);
        bystanderPeer = rig.connect(listener);
        rig.adopt(listening, bystander).receive();
    }

    private void explode() {
        if (!exploded) {
            exploded = true;
            throw bomb;
        }
    }

    @AfterEach
    void othersGoOn() throws IOException {
        assertThat(exploded).isTrue();
        assertThat(rig.thrown).allMatch(bomb::equals);
        Rig.send(bystanderPeer, "fine");
        rig.pollUntil("the bystander", () -> bystander.text.toString().endsWith("fine"));
        EngineEvents next = new EngineEvents();
        for (Accepted left; (left = listening.accepted.poll()) != null; ) {
            left.close();
        }
        Socket peer = rig.connect(listener);
        rig.adopt(listening, next).receive();
        Rig.send(peer, "next");
        rig.pollUntil("the next connection", () -> next.text.toString().equals("next"));
        assertThat(listening.seen).doesNotContain("closed");
        rig.close();
    }

    @Test
    void acceptedThrows() throws IOException {
        listening.on("accepted", this::explode);
        Socket peer = rig.connect(listener);
        rig.pollUntil("the fault", () -> exploded);
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        assertThatThrownBy(() -> rig.adopt(listening, new EngineEvents()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void acceptedThrowsAmidBatch() throws IOException {
        Socket[] peers = new Socket[8];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = rig.connect(listener);
        }
        listening.on("accepted", this::explode);
        rig.pollUntil("all", () -> listening.accepted.size() == peers.length);
        int served = 0;
        while (!listening.accepted.isEmpty()) {
            try {
                rig.adopt(listening, new EngineEvents());
                served++;
            } catch (IOException gone) {
                assertThat(exploded).isTrue();
            }
        }
        assertThat(served).isEqualTo(peers.length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connected",
                "received",
                "receiveComplete",
                "inputClosed",
                "sent",
                "failed",
                "closed"
            })
    void streamCallbackThrows(String site) throws IOException {
        EngineEvents victim = new EngineEvents().on(site, this::explode);
        StreamHandle stream;
        Socket peer = null;
        if (site.equals("connected")) {
            stream = rig.engine.connect(listener.localAddress(), ChannelOptions.DEFAULT, victim);
            rig.pollUntil("the other end", () -> !listening.accepted.isEmpty());
        } else {
            peer = rig.connect(listener);
            stream = rig.adopt(listening, victim);
            stream.receive();
            rig.poll();
        }
        Rig.send(bystanderPeer, "in the same batch");
        switch (site) {
            case "received", "receiveComplete" -> Rig.send(peer, "x");
            case "inputClosed" -> peer.shutdownOutput();
            case "sent" -> sendUntilPending(stream, peer);
            case "failed" -> Rig.reset(peer);
            case "closed" -> rig.guard(() -> stream.close(true));
            default -> {}
        }
        rig.pollUntil("the fault", () -> exploded);
        rig.pollUntil("closed", () -> victim.heard("closed"));
        assertThat(victim.seen).endsWith("closed");
    }

    private void sendUntilPending(StreamHandle stream, Socket peer) throws IOException {
        Buffer bytes = BufferAllocator.pooled().allocate(1 << 20).writeOffset(1 << 20);
        Gather gather =
                new Gather() {
                    @Override
                    public int count() {
                        return 1;
                    }

                    @Override
                    public Buffer buffer(int index) {
                        return bytes;
                    }
                };
        while (stream.send(gather) != StreamHandle.PENDING) {
            Thread.onSpinWait();
        }
        while (!exploded) {
            if (peer.getInputStream().available() > 0) {
                peer.getInputStream().skipNBytes(peer.getInputStream().available());
            }
            rig.poll();
        }
        rig.poll();
        bytes.release();
    }

    @Test
    void lackOfMemoryIsTakenForUnreadInput() throws IOException {
        rig.connect(listener);
        StreamHandle stream = rig.adopt(listening, new EngineEvents());
        AllocationTap.set(_ -> explode());
        try {
            rig.guard(() -> assertThat(stream.discardInput()).isTrue());
        } finally {
            AllocationTap.set(null);
        }
        assertThat(rig.thrown).isEmpty();
    }

    @Test
    void exceptionFromClosedOfListenerIsThrownOnce() throws IOException {
        EngineEvents events = new EngineEvents().on("closed", this::explode);
        ListenHandle other = rig.listen(events);
        rig.guard(other::close);
        rig.pollUntil("closed", () -> events.heard("closed"));
        assertThat(rig.thrown).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"received", "receiveComplete", "closed"})
    void datagramCallbackThrows(String site) throws IOException {
        EngineEvents victim = new EngineEvents().on(site, this::explode);
        DatagramHandle socket =
                rig.engine.datagrams(Rig.ANY_PORT, null, ChannelOptions.DEFAULT, victim);
        EngineEvents sender = new EngineEvents();
        DatagramHandle from =
                rig.engine.datagrams(Rig.ANY_PORT, null, ChannelOptions.DEFAULT, sender);
        SocketAddress to = socket.localAddress();
        socket.receive();
        rig.poll();
        for (int i = 0; i < 8; i++) {
            send(from, to);
        }
        if (site.equals("closed")) {
            rig.guard(() -> socket.close(false));
        }
        rig.pollUntil("closed", () -> victim.heard("closed"));
        from.close(false);
        rig.pollUntil("closed", () -> sender.heard("closed"));
    }

    private static void send(DatagramHandle from, SocketAddress to) throws IOException {
        try (Datagram datagram = new Datagram(Rig.buffer("x"), to)) {
            int sent =
                    from.send(
                            new DatagramBatch() {
                                @Override
                                public int count() {
                                    return 1;
                                }

                                @Override
                                public Datagram datagram(int index) {
                                    return datagram;
                                }
                            });
            assertThat(sent).isOne();
        }
    }
}
