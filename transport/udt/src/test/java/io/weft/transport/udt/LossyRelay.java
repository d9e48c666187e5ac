package io.weft.transport.udt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Two UDP sockets; what comes to one goes out of the other, or is lost, or comes twice, or late.
/// Each learns who is on its side from the first datagram.
final class LossyRelay implements AutoCloseable {
    private final Selector selector;
    private final Side front;
    private final Side back;
    private final double loss;
    private final SplittableRandom random =
            new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
    private final Thread thread;

    private static final class Side {
        final DatagramChannel socket;
        @Nullable InetSocketAddress peer;

        /// A datagram that others overtake.
        byte @Nullable [] late;

        Side(Selector selector) throws IOException {
            socket = DatagramChannel.open();
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            socket.configureBlocking(false);
            socket.setOption(java.net.StandardSocketOptions.SO_RCVBUF, 1 << 20);
            socket.register(selector, SelectionKey.OP_READ, this);
        }

        InetSocketAddress address() throws IOException {
            return (InetSocketAddress) socket.getLocalAddress();
        }
    }

    /// @param target on the back's side; null: who sends there first
    /// @param loss of datagrams that are lost; a quarter as many come twice, half as many late
    LossyRelay(@Nullable InetSocketAddress target, double loss) throws IOException {
        this.loss = loss;
        selector = Selector.open();
        front = new Side(selector);
        back = new Side(selector);
        back.peer = target;
        thread = Thread.ofPlatform().name("relay").daemon().start(this::run);
    }

    InetSocketAddress front() throws IOException {
        return front.address();
    }

    InetSocketAddress back() throws IOException {
        return back.address();
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocate(65_536);
        try {
            while (selector.isOpen()) {
                selector.select(
                        key -> {
                            Side from = (Side) key.attachment();
                            pass(buffer, from, from == front ? back : front);
                        },
                        1_000);
            }
        } catch (ClosedSelectorException e) {
            // The end.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pass(ByteBuffer buffer, Side from, Side to) {
        try {
            for (; ; ) {
                buffer.clear();
                InetSocketAddress sender = (InetSocketAddress) from.socket.receive(buffer);
                if (sender == null) {
                    return;
                }
                from.peer = sender;
                byte[] datagram = new byte[buffer.flip().remaining()];
                buffer.get(datagram);
                pass(datagram, to);
            }
        } catch (PortUnreachableException e) {
            // Not there yet.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pass(byte[] datagram, Side to) throws IOException {
        double dice = random.nextDouble();
        if (to.peer == null || dice < loss) {
            return;
        }
        if (dice < loss * 1.5 && to.late == null) {
            to.late = datagram;
            return;
        }
        int copies = dice > 1 - loss / 4 ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            to.socket.send(ByteBuffer.wrap(datagram), to.peer);
        }
        byte[] late = to.late;
        if (late != null && random.nextInt(4) == 0) {
            to.late = null;
            to.socket.send(ByteBuffer.wrap(late), to.peer);
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        front.socket.close();
        back.socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
