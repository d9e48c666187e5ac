package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelHandle;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramHandle;
import io.weft.transport.udt.machine.PacketSink;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way of packets out of a port. Packets of one size to one peer lie in one buffer, which goes
/// to the engine as one datagram of many segments (GSO). On the port's loop.
final class Outlet implements DatagramBatch {
    /// The kernel cuts a datagram into no more segments.
    private static final int MAX_SEGMENTS = 64;

    /// Smaller packets are of control, and go alone mostly.
    private static final int LEAST_DATA = 512;

    private static final int RUN = 32 << 10;

    /// Datagrams that wait for the socket; what is beyond it waits where it comes from.
    private static final int MAX_WAITING = 64;

    /// Datagrams that wait while the socket takes none, beyond which packets of control are lost as
    /// on the way: peers choose how many of those there are.
    private static final int MAX_CONTROL = 256;

    private final boolean connected;
    private final List<Datagram> waiting = new ArrayList<>();
    private @Nullable DatagramHandle handle;

    /// The buffer that is being filled, to this address, with packets of this length.
    private @Nullable Buffer run;

    private @Nullable InetSocketAddress to;
    private int segment;
    private int segments;
    private boolean segmentation = true;
    private boolean pending;
    private boolean closed;

    /// Room for packets that are lost, for want of memory or of room.
    private final Buffer scratch;

    /// @param connected whether the socket has one peer
    /// @param longest packet, in bytes
    Outlet(boolean connected, int longest) {
        this.connected = connected;
        scratch = BufferAllocator.pooled().allocate(longest);
    }

    void sendsBy(DatagramHandle socket) {
        handle = socket;
    }

    /// Returns the way to one peer.
    PacketSink sink(InetSocketAddress peer) {
        return new PacketSink() {
            @Override
            public boolean isReady() {
                return Outlet.this.isReady();
            }

            @Override
            public Buffer packet(int length) {
                return Outlet.this.packet(length, peer);
            }
        };
    }

    boolean isReady() {
        return !pending && !closed && waiting.size() < MAX_WAITING;
    }

    private Buffer packet(int length, InetSocketAddress peer) {
        Buffer open = run;
        if (closed) {
            throw new IllegalStateException("port: closed (expected: open)");
        }
        boolean fits =
                open != null
                        && peer.equals(to)
                        && length <= segment
                        && segments < MAX_SEGMENTS
                        && open.writableBytes() >= length
                        && segmentation;
        if (!fits || open == null) {
            endRun();
            if (waiting.size() >= MAX_CONTROL) {
                flush();
                if (waiting.size() >= MAX_CONTROL) {
                    return scratch.clear();
                }
            }
            try {
                int size = length < LEAST_DATA ? length : Math.max(RUN, length);
                open = BufferAllocator.pooled().allocate(size);
            } catch (MemoryLimitException | OutOfMemoryError e) {
                return scratch.clear(); // the packet is lost, as on the way
            }
            run = open;
            to = peer;
            segment = length;
            segments = 0;
        }
        segments = length < segment ? MAX_SEGMENTS : segments + 1; // a short one is the last
        return open;
    }

    private void endRun() {
        Buffer full = run;
        if (full != null) {
            run = null;
            boolean several = full.readableBytes() > segment;
            waiting.add(new Datagram(full, connected ? null : to, several ? segment : 0));
        }
    }

    /// Hands everything to the socket, as far as that takes it.
    void flush() {
        endRun();
        while (!pending && !waiting.isEmpty() && handle != null) {
            try {
                int sent = handle.send(this);
                if (sent == ChannelHandle.PENDING) {
                    pending = true;
                } else {
                    remove(sent);
                }
            } catch (IOException e) {
                // Lost, as on the way: what matters comes again. A device that cannot cut
                // datagrams refuses those of several segments; an unreachable peer, which is a
                // SocketException, says nothing of the device.
                segmentation &=
                        waiting.getFirst().segmentSize() == 0 || e instanceof SocketException;
                remove(1);
            }
        }
    }

    /// A pending send moved `count` datagrams.
    void sent(int count) {
        pending = false;
        remove(count);
        flush();
    }

    private void remove(int count) {
        List<Datagram> done = waiting.subList(0, count);
        done.forEach(Datagram::close);
        done.clear();
    }

    /// Releases what waits; the socket is closed.
    void close() {
        handle = null;
        endRun();
        remove(waiting.size());
        if (!closed) {
            closed = true;
            scratch.release();
        }
    }

    @Override
    public int count() {
        return waiting.size();
    }

    @Override
    public Datagram datagram(int index) {
        return waiting.get(index);
    }
}
