package io.weft.transport.nio;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.SelectionKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams, one a call.
final class NioDatagrams implements DatagramHandle, Target {
    /// Datagrams that a ready socket may receive before others get their turn.
    private static final int MAX_RECEIVES = 16;

    private final NioEngine engine;
    private final DatagramChannel channel;
    private final DatagramEvents events;
    private final int receiveSize;
    private final SelectionKey key;
    private final Map<Joined, MembershipKey> memberships = new HashMap<>();

    /// Datagrams to receive before the selector is asked again. Most often there is one, and a call
    /// that finds no other costs as much again. A socket that is ready in selection after selection
    /// gets more and more of them.
    private int expected = 1;

    /// Selection in which the last `expected` datagrams were all there.
    private long fullAt = -1;

    private boolean receiving;
    private boolean sendWaits;
    private boolean closed;

    private record Joined(InetAddress group, NetworkInterface over, @Nullable InetAddress source) {}

    NioDatagrams(
            NioEngine engine,
            DatagramChannel channel,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        this.engine = engine;
        this.channel = channel;
        this.events = events;
        this.receiveSize = options.get(ChannelOption.MAX_DATAGRAM_SIZE);
        this.key = engine.register(channel, 0, this);
    }

    @Override
    public void ready() {
        if (closed) {
            return; // by another one that was selected with it
        }
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_WRITE) != 0 && sendWaits) {
            sendWaits = false;
            NioEngine.interest(key, key.interestOps() & ~SelectionKey.OP_WRITE);
            events.sent(0);
        }
        if ((ready & SelectionKey.OP_READ) != 0 && !closed) {
            readable();
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (!receiving && !closed) {
            receiving = true;
            NioEngine.interest(key, key.interestOps() | SelectionKey.OP_READ);
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void ignoreInput() {
        NioEngine.interest(key, key.interestOps() & ~SelectionKey.OP_READ);
    }

    private void readable() {
        if (!receiving) {
            ignoreInput();
            return;
        }
        expected = engine.selections() == fullAt + 1 ? Math.min(2 * expected, MAX_RECEIVES) : 1;
        int count = 0;
        while (count < expected && receiving && !closed) {
            Datagram datagram = null;
            try {
                datagram = receiveOne();
            } catch (MemoryLimitException | OutOfMemoryError e) {
                receiving = false; // or it would be told for ever
                ignoreInput();
                events.failed(new IOException("receive: no memory", e));
            } catch (IOException e) {
                events.failed(e);
            }
            if (datagram == null) {
                break;
            }
            count++;
            events.received(datagram);
        }
        if (count == expected) {
            fullAt = engine.selections();
        }
        if (count > 0 && !closed) {
            events.receiveComplete();
        }
    }

    private @Nullable Datagram receiveOne() throws IOException {
        Buffer content = BufferAllocator.pooled().allocate(receiveSize);
        ByteBuffer view = content.byteBuffer(0, receiveSize);
        SocketAddress sender = null;
        try {
            sender = channel.receive(view);
        } finally {
            if (sender == null) {
                content.release();
            }
        }
        return sender == null ? null : new Datagram(content.writeOffset(view.position()), sender);
    }

    // ---- sending ----

    @Override
    public int send(DatagramBatch datagrams) throws IOException {
        int count = datagrams.count();
        for (int i = 0; i < count; i++) {
            try {
                if (!send(datagrams.datagram(i))) {
                    if (i > 0) {
                        return i;
                    }
                    sendWaits = true;
                    NioEngine.interest(key, key.interestOps() | SelectionKey.OP_WRITE);
                    return PENDING;
                }
            } catch (IOException e) {
                if (i > 0) {
                    return i; // the next call begins with it
                }
                throw e;
            } catch (RuntimeException e) { // unresolved, not connected, of another family
                if (i > 0) {
                    return i;
                }
                throw new IOException("send: " + e, e);
            }
        }
        return count;
    }

    /// False when the kernel takes no more. Segments are datagrams of their own here; if the kernel
    /// takes only some of them, the rest is lost, as datagrams may be.
    private boolean send(Datagram datagram) throws IOException {
        Buffer content = datagram.content();
        ByteBuffer all = content.byteBuffer(content.readOffset(), content.readableBytes());
        int size = datagram.segmentSize() == 0 ? all.remaining() : datagram.segmentSize();
        if (size >= all.remaining()) {
            return sendOne(all, datagram.address());
        }
        for (int at = 0; at < all.limit(); at += size) {
            ByteBuffer segment = all.slice(at, Math.min(size, all.limit() - at));
            if (!sendOne(segment, datagram.address())) {
                return at > 0;
            }
        }
        return true;
    }

    private boolean sendOne(ByteBuffer bytes, @Nullable SocketAddress recipient)
            throws IOException {
        boolean empty = !bytes.hasRemaining();
        if (empty && channel.isConnected()) {
            throw new IOException("send: empty, which the JDK does not send to a connected peer");
        }
        int sent = recipient == null ? channel.write(bytes) : channel.send(bytes, recipient);
        return sent > 0 || empty;
    }

    // ---- the rest ----

    @Override
    public void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source)
            throws IOException {
        switch (change) {
            case JOIN ->
                    memberships.put(
                            new Joined(group, over, source),
                            source == null
                                    ? channel.join(group, over)
                                    : channel.join(group, over, source));
            case LEAVE -> {
                MembershipKey left = memberships.remove(new Joined(group, over, source));
                joined(left, group).drop();
            }
            case BLOCK -> everybody(group, over).block(required(source));
            case UNBLOCK -> everybody(group, over).unblock(required(source));
        }
    }

    private MembershipKey everybody(InetAddress group, NetworkInterface over) throws IOException {
        return joined(memberships.get(new Joined(group, over, null)), group);
    }

    private static MembershipKey joined(@Nullable MembershipKey membership, InetAddress group)
            throws IOException {
        if (membership == null) {
            throw new IOException("group: " + group + " (expected: one that was joined)");
        }
        return membership;
    }

    private static InetAddress required(@Nullable InetAddress source) {
        if (source == null) {
            throw new IllegalArgumentException("source: null (expected: an address)");
        }
        return source;
    }

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        sendWaits = false;
        key.cancel();
        NioEngine.close(channel);
        engine.closed();
        events.closed();
    }

    @Override
    public void abandon() {
        close(true);
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return NioOptions.get(channel, option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        NioOptions.set(channel, option, value);
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        try {
            return channel.getRemoteAddress();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }
}
