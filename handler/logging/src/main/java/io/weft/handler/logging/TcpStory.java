package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/// The packets of a connection as they could have been (RFC 9293).
final class TcpStory {
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int PUSH = 8;
    private static final int ACK = 16;
    private static final int TCP_HEADER = 20;
    private static final int SUM_AT = 16;

    /// A segment, so that the length of its packet fits into 16 bits.
    private static final int MAX_SEGMENT = 32_000;

    private final PcapWriter writer;
    private final InstantSource clock;
    private final Side here;
    private final Side there;
    private boolean peerEnded;

    /// One end of the connection.
    private static final class Side {
        final byte[] address;
        final int port;
        int sequence;

        Side(byte[] address, int port) {
            this.address = address;
            this.port = port;
        }
    }

    TcpStory(
            PcapWriter writer,
            InstantSource clock,
            InetSocketAddress local,
            InetSocketAddress remote) {
        this.writer = writer;
        this.clock = clock;
        byte[] a = local.getAddress().getAddress();
        byte[] b = remote.getAddress().getAddress();
        boolean both4 = a.length == 4 && b.length == 4;
        here = new Side(both4 ? a : IpPacket.mapped(a), local.getPort());
        there = new Side(both4 ? b : IpPacket.mapped(b), remote.getPort());
    }

    void handshake() throws IOException {
        packet(there, here, SYN, null, 0, 0);
        there.sequence++;
        packet(here, there, SYN | ACK, null, 0, 0);
        here.sequence++;
        packet(there, here, ACK, null, 0, 0);
    }

    void received(Buffer bytes) throws IOException {
        segments(there, here, bytes);
    }

    void sent(Buffer bytes) throws IOException {
        segments(here, there, bytes);
    }

    /// Bytes that are not seen here: a capture has a gap where they were.
    void sentUnseen(long bytes) {
        here.sequence += (int) bytes;
    }

    private void segments(Side from, Side to, Buffer bytes) throws IOException {
        int end = bytes.writeOffset();
        for (int at = bytes.readOffset(); at < end; ) {
            int length = Math.min(MAX_SEGMENT, end - at);
            packet(from, to, PUSH | ACK, bytes, at, length);
            from.sequence += length;
            at += length;
        }
        packet(to, from, ACK, null, 0, 0);
    }

    void peerEnds() throws IOException {
        peerEnded = true;
        packet(there, here, FIN | ACK, null, 0, 0);
        there.sequence++;
        packet(here, there, ACK, null, 0, 0);
    }

    void ends() throws IOException {
        packet(here, there, FIN | ACK, null, 0, 0);
        here.sequence++;
        if (!peerEnded) {
            packet(there, here, FIN | ACK, null, 0, 0);
            there.sequence++;
        }
        packet(there, here, ACK, null, 0, 0);
        writer.flush();
    }

    @SuppressWarnings("ByteBufferBackingArray") // a packet is all of an array
    private void packet(
            Side from,
            Side to,
            int flags,
            @org.jspecify.annotations.Nullable Buffer content,
            int at,
            int length)
            throws IOException {
        ByteBuffer p = IpPacket.begin(from.address, to.address, IpPacket.TCP, TCP_HEADER + length);
        p.putShort((short) from.port).putShort((short) to.port).putInt(from.sequence);
        p.putInt((flags & ACK) == 0 ? 0 : to.sequence);
        p.put((byte) ((TCP_HEADER / 4) << 4)).put((byte) flags).putShort((short) -1).putInt(0);
        if (content != null) {
            content.getBytes(at, p.array(), p.position(), length);
        }
        IpPacket.finish(p, SUM_AT);
        writer.packet(clock.instant(), p);
    }
}
