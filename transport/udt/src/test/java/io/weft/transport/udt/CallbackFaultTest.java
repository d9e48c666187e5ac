package io.weft.transport.udt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.ManualExecutor;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A listener and its streams, whose callbacks throw. The socket is the test's.
class CallbackFaultTest {
    private static final InetSocketAddress AT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9000);
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9001);

    private final ManualExecutor loop = new ManualExecutor();
    private final List<ByteBuffer> sent = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private @Nullable DatagramEvents port;
    private int closedPorts;
    private boolean adopts;

    private final DatagramHandle socket =
            new QuietSocket() {
                @Override
                public int send(DatagramBatch datagrams) {
                    for (int i = 0; i < datagrams.count(); i++) {
                        Buffer content = datagrams.datagram(i).content();
                        byte[] bytes = new byte[content.readableBytes()];
                        content.getBytes(content.readOffset(), bytes, 0, bytes.length);
                        sent.add(ByteBuffer.wrap(bytes));
                    }
                    return datagrams.count();
                }

                @Override
                public void close(boolean reset) {
                    closedPorts++;
                    port().closed();
                }

                @Override
                public SocketAddress localAddress() {
                    return AT;
                }
            };

    private final Engine engine =
            new Engine() {
                @Override
                public DatagramHandle datagrams(
                        @Nullable SocketAddress local,
                        @Nullable SocketAddress peer,
                        ChannelOptions options,
                        DatagramEvents events) {
                    port = events;
                    return socket;
                }

                @Override
                public ListenHandle listen(
                        SocketAddress address, ChannelOptions options, ListenEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public StreamHandle connect(
                        SocketAddress address, ChannelOptions options, StreamEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public StreamHandle adopt(Accepted connection, StreamEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void poll(long timeoutNanos) {}

                @Override
                public void wakeup() {}

                @Override
                public void close() {}
            };

    private final StreamEvents events =
            new StreamEvents() {
                @Override
                public void connected() {}

                @Override
                public void received(Buffer bytes) {
                    bytes.close();
                    heard.add("received");
                    throw new LinkageError("broken");
                }

                @Override
                public void received(DescriptorMessage message) {
                    throw new AssertionError();
                }

                @Override
                public void receiveComplete() {}

                @Override
                public void inputClosed() {}

                @Override
                public void sent(int bytes) {}

                @Override
                public void failed(IOException cause) {}

                @Override
                public void closed() {
                    heard.add("closed");
                }
            };

    private final ListenEvents accepts =
            new ListenEvents() {
                @Override
                public void accepted(Accepted connection) {
                    heard.add("accepted");
                    if (!adopts) {
                        throw new LinkageError("broken");
                    }
                    try {
                        connection.adopt(loop, engine, events).receive();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }

                @Override
                public void exhausted(IOException cause) {}

                @Override
                public void closed() {}
            };

    private final ListenHandle listener;

    CallbackFaultTest() throws IOException {
        listener = UdtPort.listen(loop, engine, UdtAddress.of(AT), ChannelOptions.DEFAULT, accepts);
        listener.accept();
    }

    @AfterEach
    void close() {
        listener.close();
        loop.advance(Duration.ofMinutes(1)); // what the closed connections wait for late packets
    }

    private DatagramEvents port() {
        if (port == null) {
            throw new IllegalStateException("port: none (expected: open)");
        }
        return port;
    }

    private void arrive(int... words) {
        Buffer packet = BufferAllocator.pooled().allocate(words.length * 4);
        for (int word : words) {
            packet.writeInt(word);
        }
        port().received(new Datagram(packet, CLIENT));
        port().receiveComplete();
        loop.runNow();
    }

    private ByteBuffer handshake(int request, int id, int cookie) {
        sent.clear();
        arrive(1 << 31, 0, 0, 0, 4, 1, 7, 1500, 8192, request, id, cookie, 0, 0, 0, 0);
        return sent.getFirst();
    }

    /// Returns the id of the server's end.
    private int connect(int id) {
        int cookie = handshake(1, id, 0).getInt(44);
        return handshake(-1, id, cookie).getInt(40);
    }

    @Test
    @Warns
    void listenerWhoseCallbackThrowsAcceptsTheNext() {
        int first = connect(1);
        assertThat(heard).containsExactly("accepted");
        assertThat(sent).anyMatch(p -> p.getInt(0) == 0x8005_0000 && p.getInt(12) == 1);
        int second = connect(2);
        assertThat(second).isNotEqualTo(first);
        assertThat(heard).containsExactly("accepted", "accepted");
    }

    @Test
    @Warns
    void callbackThatThrowsResetsTheChannel() {
        adopts = true;
        int id = connect(1);
        arrive(7, 0xE000_0001, 0, id, 0x68656C6C);
        assertThat(heard).containsExactly("accepted", "received", "closed");
        assertThat(sent).anyMatch(p -> p.getInt(0) == 0x8005_0000 && p.getInt(4) == 1);
    }

    @Test
    @Warns
    void greetingThatThrowsCostsNeitherThePortNorOtherClients() throws IOException {
        listener.close();
        closedPorts = 0;
        boolean[] broken = {false};
        RandomGenerator random =
                () -> {
                    if (broken[0]) {
                        throw new LinkageError("broken");
                    }
                    return 1L << 40 | 7;
                };
        ChannelOptions options = ChannelOptions.DEFAULT.with(UdtOption.RANDOM, random);
        ListenHandle second = UdtPort.listen(loop, engine, UdtAddress.of(AT), options, accepts);
        second.accept();
        int cookie = handshake(1, 1, 0).getInt(44);
        broken[0] = true;
        arrive(1 << 31, 0, 0, 0, 4, 1, 7, 1500, 8192, -1, 1, cookie, 0, 0, 0, 0);
        assertThat(heard).isEmpty();
        broken[0] = false;
        int _ = connect(2);
        assertThat(heard).containsExactly("accepted");
        assertThat(closedPorts).isZero();
        second.close();
    }

    @Test
    void portWhoseBeginningFailsIsClosed() {
        RandomGenerator broken =
                () -> {
                    throw new IllegalStateException("no random numbers");
                };
        ChannelOptions options = ChannelOptions.DEFAULT.with(UdtOption.RANDOM, broken);
        UdtAddress address = UdtAddress.of(AT);
        DatagramEvents first = port();
        assertThatThrownBy(() -> UdtPort.listen(loop, engine, address, options, accepts))
                .hasMessage("no random numbers");
        assertThat(closedPorts).isEqualTo(1);
        for (UdtAddress to : List.of(address, address.from(CLIENT))) {
            closedPorts = 0;
            assertThatThrownBy(() -> UdtPort.connect(loop, engine, to, options, events))
                    .hasMessage("no random numbers");
            assertThat(closedPorts).isEqualTo(1);
        }
        port = first;
    }
}
