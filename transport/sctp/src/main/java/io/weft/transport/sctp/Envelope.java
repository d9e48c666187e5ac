package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.PrInfo;
import io.weft.ffi.SctpLayout.RcvInfo;
import io.weft.ffi.SctpLayout.SndInfo;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Message header of one channel, with its vector, ancillary data and address, in native memory.
final class Envelope implements AutoCloseable {
    private static final int VECTOR = (Sockets.MSGHDR_SIZE + 7) & -8;
    private static final int CONTROL = VECTOR + Sockets.IOVEC_SIZE;

    /// Room for what the kernel tells, and some more that options of the socket may ask for.
    private static final int CONTROL_ROOM = 256;

    private static final int NAME = CONTROL + CONTROL_ROOM;
    private static final int SIZE = NAME + SockAddr.SIZE;

    private long header = Memory.allocate(SIZE, 8);

    /// Of the ancillary data that were read last.
    private long info;

    long header() {
        return header;
    }

    @Override
    public void close() {
        if (header != 0) {
            Memory.free(header, SIZE);
            header = 0;
        }
    }

    // ---- sending ----

    /// Sends `length` bytes at `base` as a message of stream 0.
    void send(long base, int length) {
        Sockets.putIovec(header + VECTOR, base, length);
        Sockets.putMsghdr(header, header + VECTOR, 1);
    }

    /// Sends `length` bytes at `base` as `message` says.
    ///
    /// @param family of the socket
    /// @throws IllegalArgumentException when the peer's address is not of that family
    void send(long base, int length, SctpMessage message, int family) {
        send(base, length);
        int flags = message.unordered() ? Sctp.SCTP_UNORDERED : 0;
        putInfo(message.stream(), flags, message.protocolId(), message.association());
        int space = Sockets.controlSpace(SndInfo.SIZE);
        SctpReliability reliability = message.reliability();
        if (reliability.policy() != Sctp.SCTP_PR_SCTP_NONE) {
            long at = header + CONTROL + space;
            Sockets.putControl(at, Sctp.IPPROTO_SCTP, Sctp.SCTP_PRINFO, PrInfo.SIZE);
            long data = at + Sockets.CMSGHDR_SIZE;
            Memory.putLong(data, 0);
            Memory.putShort(data + PrInfo.PR_POLICY, (short) reliability.policy());
            Memory.putInt(data + PrInfo.PR_VALUE, reliability.value());
            space += Sockets.controlSpace(PrInfo.SIZE);
        }
        putControl(space);
        InetSocketAddress peer = message.peer();
        if (peer != null && message.association() == 0) {
            int nameLength = SockAddr.write(peer, family, header + NAME);
            Memory.putLong(header + Sockets.MSGHDR_NAME, header + NAME);
            Memory.putInt(header + Sockets.MSGHDR_NAMELEN, nameLength);
        }
    }

    /// Sends no message, but what `flags` mean for an association.
    void command(int flags, int association) {
        Sockets.putMsghdr(header, 0, 0);
        putInfo(0, flags, 0, association);
        putControl(Sockets.controlSpace(SndInfo.SIZE));
    }

    private void putInfo(int stream, int flags, int protocolId, int association) {
        long at = header + CONTROL;
        Sockets.putControl(at, Sctp.IPPROTO_SCTP, Sctp.SCTP_SNDINFO, SndInfo.SIZE);
        long data = at + Sockets.CMSGHDR_SIZE;
        Memory.putShort(data + SndInfo.SND_SID, (short) stream);
        Memory.putShort(data + SndInfo.SND_FLAGS, (short) flags);
        Memory.putIntBE(data + SndInfo.SND_PPID, protocolId);
        Memory.putInt(data + SndInfo.SND_CONTEXT, 0);
        Memory.putInt(data + SndInfo.SND_ASSOC_ID, association);
    }

    private void putControl(int space) {
        Memory.putLong(header + Sockets.MSGHDR_CONTROL, header + CONTROL);
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, space);
    }

    // ---- receiving ----

    /// Receives up to `length` bytes to `base`.
    ///
    /// @param named true if the sender's address is to be told
    void receive(long base, int length, boolean named) {
        send(base, length);
        putControl(CONTROL_ROOM);
        if (named) {
            Memory.putLong(header + Sockets.MSGHDR_NAME, header + NAME);
            Memory.putInt(header + Sockets.MSGHDR_NAMELEN, SockAddr.SIZE);
        }
    }

    private int flags() {
        return Memory.getInt(header + Sockets.MSGHDR_FLAGS);
    }

    /// Tells if what was received is a notification, or a piece of one.
    boolean isNotification() {
        return (flags() & Sctp.MSG_NOTIFICATION) != 0;
    }

    /// Tells if what was received is the end of a message.
    boolean isEnd() {
        return (flags() & Sctp.MSG_EOR) != 0;
    }

    /// Looks for the information about the message that was received.
    ///
    /// @return false if there is none, as with a kernel that lacks `SCTP_RECVRCVINFO`
    boolean findInfo() {
        long length = Memory.getLong(header + Sockets.MSGHDR_CONTROLLEN);
        long at = header + CONTROL;
        long end = at + Math.min(length, CONTROL_ROOM);
        info = 0;
        while (at + Sockets.CMSGHDR_SIZE <= end) {
            long size = Memory.getLong(at + Sockets.CMSGHDR_LENGTH);
            if (size < Sockets.CMSGHDR_SIZE || size > end - at) {
                return false;
            }
            if (Memory.getInt(at + Sockets.CMSGHDR_LEVEL) == Sctp.IPPROTO_SCTP
                    && Memory.getInt(at + Sockets.CMSGHDR_TYPE) == Sctp.SCTP_RCVINFO
                    && size >= Sockets.CMSGHDR_SIZE + RcvInfo.SIZE) {
                info = at + Sockets.CMSGHDR_SIZE;
                return true;
            }
            at += (size + 7) & -8;
        }
        return false;
    }

    /// Returns what was received, whose bytes are in `bytes`; without information about it, with
    /// zeros in its place.
    SctpMessage message(Buffer bytes) {
        boolean told = findInfo();
        return new SctpMessage(
                bytes,
                told ? stream() : 0,
                told ? protocolId() : 0,
                told && isUnordered(),
                isEnd(),
                told ? association() : 0,
                sender(),
                SctpReliability.FULL);
    }

    /// After [#findInfo] has returned true, as the following.
    int stream() {
        return Short.toUnsignedInt(Memory.getShort(info + RcvInfo.RCV_SID));
    }

    int protocolId() {
        return Memory.getIntBE(info + RcvInfo.RCV_PPID);
    }

    boolean isUnordered() {
        return (Memory.getShort(info + RcvInfo.RCV_FLAGS) & Sctp.SCTP_UNORDERED) != 0;
    }

    int association() {
        return Memory.getInt(info + RcvInfo.RCV_ASSOC_ID);
    }

    /// Returns the sender's address; null if it is not known.
    @Nullable InetSocketAddress sender() {
        boolean named =
                Memory.getLong(header + Sockets.MSGHDR_NAME) != 0
                        && Memory.getInt(header + Sockets.MSGHDR_NAMELEN) >= SockAddr.SIZE_INET;
        return named ? SockAddr.read(header + NAME) : null;
    }
}
