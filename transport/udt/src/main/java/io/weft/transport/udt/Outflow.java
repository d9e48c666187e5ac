package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Gather;
import io.weft.transport.udt.machine.Connection;
import io.weft.transport.udt.machine.Packets;
import io.weft.transport.udt.machine.SendUnit;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Output of a connection on its way from the channel's loop to the port's: copied into packets, as
/// a kernel copies. What both loops use is under its own lock.
final class Outflow {
    private final boolean messages;
    private final UdtLimits limits;

    // The channel's loop.
    private Duration timeToLive;
    private boolean ordered;

    // Under the lock.
    private final ArrayDeque<SendUnit> waiting = new ArrayDeque<>(0);
    private long waitingBytes;
    private long unacknowledged;
    private int packet;
    private boolean sendWaits;
    private boolean finished;
    private boolean broken;

    Outflow(boolean messages, UdtLimits limits, ChannelOptions options) {
        this.messages = messages;
        this.limits = limits;
        timeToLive = options.get(UdtOption.MESSAGE_TTL);
        ordered = options.get(UdtOption.MESSAGE_ORDERED);
    }

    // ---- the port's loop ----

    /// Sets the size of packets, which the handshake has settled.
    synchronized void packet(int size) {
        packet = size;
    }

    /// Hands what waits to the machine.
    ///
    /// @return whether nothing comes behind it
    synchronized boolean pull(Connection to) {
        for (SendUnit unit; (unit = waiting.poll()) != null; ) {
            to.offer(unit);
        }
        unacknowledged += waitingBytes;
        waitingBytes = 0;
        boolean end = finished;
        finished = false;
        return end;
    }

    /// The machine has `bytes` that are not acknowledged.
    ///
    /// @return whether a send waits that may be tried again
    synchronized boolean unacknowledged(long bytes) {
        unacknowledged = bytes;
        return sendWaits && (broken || used() <= limits.sendBuffer() / 2);
    }

    /// Nothing can be sent any more.
    synchronized void broken() {
        broken = true;
    }

    void clear() {
        List<SendUnit> dropped;
        synchronized (this) {
            dropped = new ArrayList<>(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        dropped.forEach(SendUnit::drop);
    }

    // ---- the channel's loop ----

    private long used() {
        return waitingBytes + unacknowledged;
    }

    /// Tells, once, that a send that waited may be tried again.
    synchronized boolean takeWaiting() {
        boolean may = sendWaits && (broken || used() <= limits.sendBuffer() / 2);
        sendWaits &= !may;
        return may;
    }

    /// Tells if the peer takes no more, or the connection has ended.
    synchronized boolean isBroken() {
        return broken;
    }

    /// Nothing is sent after what was sent.
    ///
    /// @return whether that is new
    synchronized boolean finish() {
        boolean first = !finished && !broken;
        finished = true;
        return first;
    }

    /// As `StreamHandle.send`.
    int send(Gather buffers, long now) throws IOException {
        long room;
        boolean halfIsFree;
        int size;
        synchronized (this) {
            if (broken || finished) {
                throw new SocketException("send: Broken pipe");
            }
            room = limits.sendBuffer() - used();
            halfIsFree = used() <= limits.sendBuffer() / 2;
            size = packet;
        }
        List<SendUnit> units = new ArrayList<>();
        int sent;
        try {
            sent =
                    messages
                            ? cut(buffers, size, room, halfIsFree, now, units)
                            : fill(buffers, size, room, units);
        } catch (MemoryLimitException e) {
            units.forEach(SendUnit::drop);
            throw new IOException("send: no memory", e);
        } catch (Throwable t) {
            units.forEach(SendUnit::drop);
            throw t;
        }
        return hand(units, sent, buffers);
    }

    private int hand(List<SendUnit> units, int sent, Gather buffers) throws IOException {
        boolean late;
        synchronized (this) {
            late = broken;
            if (!late) {
                for (SendUnit unit : units) {
                    waiting.add(unit);
                    waitingBytes += unit.weight();
                }
                if (sent == 0 && !isEmpty(buffers)) {
                    sendWaits = used() > limits.sendBuffer() / 2;
                    return sendWaits ? ChannelHandle.PENDING : 0; // 0: there is room by now
                }
            }
        }
        if (late) {
            units.forEach(SendUnit::drop);
            throw new SocketException("send: Broken pipe");
        }
        return sent;
    }

    private static boolean isEmpty(Gather buffers) {
        for (int i = 0; i < buffers.count(); i++) {
            if (buffers.buffer(i).isReadable()) {
                return false;
            }
        }
        return true;
    }

    /// Copies bytes into packets that are full, but for the last.
    private static int fill(Gather buffers, int size, long room, List<SendUnit> units) {
        long offered = 0;
        for (int i = 0; i < buffers.count() && offered < room; i++) {
            offered += buffers.buffer(i).readableBytes();
        }
        int length = (int) Math.max(Math.min(offered, room), 0);
        int from = 0;
        int at = 0;
        for (int left = length; left > 0; ) {
            Buffer payload = BufferAllocator.pooled().allocate(Math.min(left, size));
            int flags = Packets.FIRST | Packets.LAST | Packets.IN_ORDER;
            int filled = 0;
            int full = Math.min(left, size);
            while (filled < full) {
                Buffer source = buffers.buffer(from);
                int count = Math.min(full - filled, source.readableBytes() - at);
                payload.setBytes(filled, source, source.readOffset() + at, count);
                filled += count;
                at += count;
                if (at == source.readableBytes()) {
                    from++;
                    at = 0;
                }
            }
            units.add(new SendUnit(payload.writeOffset(full), flags, SendUnit.NEVER));
            left -= full;
        }
        return length;
    }

    /// Copies whole messages, one a buffer, into packets of their own. Their packets count, too: a
    /// million messages of a byte are more than a MiB. If half of the room is free, the first
    /// message is taken in any case, since one in small packets may weigh more than there ever is.
    private int cut(
            Gather buffers, int size, long room, boolean halfIsFree, long now, List<SendUnit> units)
            throws IOException {
        long deadline = timeToLive.isZero() ? SendUnit.NEVER : now + timeToLiveNanos();
        int order = ordered ? Packets.IN_ORDER : 0;
        int sent = 0;
        long left = room;
        for (int i = 0; i < buffers.count(); i++) {
            Buffer message = buffers.buffer(i);
            int length = message.readableBytes();
            if (length > limits.greatestMessage()) {
                if (i > 0) {
                    return sent; // the next call begins with it
                }
                throw new IOException(
                        "message: "
                                + length
                                + " bytes (expected: at most "
                                + limits.greatestMessage()
                                + ")");
            }
            left -= length + (long) SendUnit.OVERHEAD * ((length + size - 1) / size);
            if (left < 0 && !(halfIsFree && i == 0)) {
                return sent;
            }
            for (int at = 0; at < length; at += size) {
                int count = Math.min(size, length - at);
                Buffer payload = BufferAllocator.pooled().allocate(count);
                payload.setBytes(0, message, message.readOffset() + at, count).writeOffset(count);
                int ends =
                        (at == 0 ? Packets.FIRST : 0) | (at + count == length ? Packets.LAST : 0);
                units.add(new SendUnit(payload, ends | order, deadline));
            }
            sent += length;
        }
        return sent;
    }

    /// Returns half of the range at most, so that deadlines compare by difference.
    private long timeToLiveNanos() {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(timeToLive), 1, Long.MAX_VALUE / 2);
    }

    // ---- options ----

    <T> T option(ChannelOption<T> option) {
        if (option == UdtOption.MESSAGE_TTL) {
            return UdtStream.cast(option, timeToLive);
        }
        if (option == UdtOption.MESSAGE_ORDERED) {
            return UdtStream.cast(option, ordered);
        }
        throw new UnsupportedOperationException(option + " of a UDT channel");
    }

    <T> void option(ChannelOption<T> option, T value) {
        if (option == UdtOption.MESSAGE_TTL) {
            timeToLive = (Duration) value;
        } else if (option == UdtOption.MESSAGE_ORDERED) {
            ordered = (Boolean) value;
        } else {
            throw new UnsupportedOperationException(option + " of a UDT channel");
        }
    }
}
