package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Memory for the headers, vectors, addresses and control data of [#MAX] datagrams, for `sendmmsg`
/// and `recvmmsg`. One is enough for a loop: the kernel uses it during the call only.
public final class MessageBatch {
    /// Datagrams in one call.
    public static final int MAX = 32;

    /// For a size of segments, both kinds of original destinations, and what else options of the
    /// socket may have told.
    private static final int CONTROL = 160;

    private static final int VECTOR_AT = 0;
    private static final int ADDRESS_AT = Sockets.IOVEC_SIZE;
    private static final int CONTROL_AT = ADDRESS_AT + Addresses.SIZE;
    private static final int REST = CONTROL_AT + CONTROL;
    private static final int SIZE = MAX * (Sockets.MMSGHDR_SIZE + REST);

    private final long headers = Memory.allocate(SIZE, 64);
    private final long rests = headers + (long) MAX * Sockets.MMSGHDR_SIZE;

    /// The array of `struct mmsghdr`.
    public long headers() {
        return headers;
    }

    private long header(int index) {
        return headers + (long) index * Sockets.MMSGHDR_SIZE;
    }

    private long rest(int index) {
        return rests + (long) index * REST;
    }

    // ---- to send ----

    /// Fills in the first datagrams of `batch`, to be written for a socket of `family`; as many as
    /// have addresses of that family, but at least one.
    ///
    /// @return how many
    /// @throws IllegalArgumentException when the first one's address is not for such a socket
    public int fill(DatagramBatch batch, int family) {
        int count = Math.min(batch.count(), MAX);
        for (int i = 0; i < count; i++) {
            try {
                put(i, batch.datagram(i), family);
            } catch (IllegalArgumentException e) {
                if (i == 0) {
                    throw e;
                }
                return i;
            }
        }
        return count;
    }

    private void put(int index, Datagram datagram, int family) {
        long header = header(index);
        long rest = rest(index);
        Buffer content = datagram.content();
        Sockets.putIovec(
                rest + VECTOR_AT,
                content.address() + content.readOffset(),
                content.readableBytes());
        Sockets.putMsghdr(header, rest + VECTOR_AT, 1);
        SocketAddress address = datagram.address();
        if (address != null) {
            int length = Addresses.write(address, family, rest + ADDRESS_AT);
            Memory.putLong(header + Sockets.MSGHDR_NAME, rest + ADDRESS_AT);
            Memory.putInt(header + Sockets.MSGHDR_NAMELEN, length);
        }
        if (datagram.segmentSize() > 0 && datagram.segmentSize() < content.readableBytes()) {
            long control = rest + CONTROL_AT;
            Sockets.putControl(control, Sockets.IPPROTO_UDP, Sockets.UDP_SEGMENT, Short.BYTES);
            Memory.putShort(Sockets.controlData(control), (short) datagram.segmentSize());
            Memory.putLong(header + Sockets.MSGHDR_CONTROL, control);
            Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, Sockets.controlSpace(Short.BYTES));
        }
    }

    // ---- to receive ----

    /// The datagram at `index` is to be received into `length` bytes at `address`.
    public void expect(int index, long address, int length) {
        long header = header(index);
        long rest = rest(index);
        Sockets.putIovec(rest + VECTOR_AT, address, length);
        Sockets.putMsghdr(header, rest + VECTOR_AT, 1);
        Memory.putLong(header + Sockets.MSGHDR_NAME, rest + ADDRESS_AT);
        Memory.putInt(header + Sockets.MSGHDR_NAMELEN, Addresses.SIZE);
        Memory.putLong(header + Sockets.MSGHDR_CONTROL, rest + CONTROL_AT);
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, CONTROL);
    }

    /// The bytes received at `index`.
    public int length(int index) {
        return Memory.getInt(header(index) + Sockets.MMSGHDR_LENGTH);
    }

    /// Returns the sender of what was received at `index`; null if it has no address.
    public @Nullable SocketAddress sender(int index) {
        return Addresses.read(
                rest(index) + ADDRESS_AT, Memory.getInt(header(index) + Sockets.MSGHDR_NAMELEN));
    }

    /// The size of the datagrams that the kernel put together into what was received at `index`; 0
    /// when it is one.
    public int segmentSize(int index) {
        long at = control(index, Sockets.IPPROTO_UDP, Sockets.UDP_GRO);
        return at == 0 ? 0 : Memory.getInt(Sockets.controlData(at));
    }

    /// Returns the original destination of what was received at `index`; null if the kernel was not
    /// asked to tell.
    public @Nullable SocketAddress destination(int index) {
        long at = control(index, Sockets.IPPROTO_IP, Sockets.IP_RECVORIGDSTADDR);
        if (at == 0) {
            at = control(index, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVORIGDSTADDR);
        }
        return at == 0 ? null : Addresses.read(Sockets.controlData(at), Sockets.controlLength(at));
    }

    /// Returns the address in memory of this control data of what was received at `index`; 0 if the
    /// kernel gave none.
    private long control(int index, int level, int type) {
        long header = header(index);
        long at = Sockets.nextControl(header, 0);
        while (at != 0 && !Sockets.isControl(at, level, type)) {
            at = Sockets.nextControl(header, at);
        }
        return at;
    }

    public void close() {
        Memory.free(headers, SIZE);
    }
}
