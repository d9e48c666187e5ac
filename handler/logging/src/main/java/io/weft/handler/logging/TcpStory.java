package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;

/// The packets of a connection as they could have been: IPv4 (RFC 791) or IPv6 (RFC 8200) around TCP (RFC 9293). The sums of
/// TCP are left zero, as a sending host's capture has them.
final class TcpStory {
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int PUSH = 8;
    private static final int ACK = 16;
    private static final int TCP_HEADER = 20;
    private static final int TCP = 6;

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
        here = new Side(both4 ? a : mapped(a), local.getPort());
        there = new Side(both4 ? b : mapped(b), remote.getPort());
    }

    /// An IPv4 address in IPv6 form (RFC 4291, 2.5.5.2).
    private static byte[] mapped(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xFF;
        mapped[11] = (byte) 0xFF;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
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

    private void packet(
            Side from,
            Side to,
            int flags,
            @org.jspecify.annotations.Nullable Buffer content,
            int at,
            int length)
            throws IOException {
        boolean v4 = from.address.length == 4;
        int tcpLength = TCP_HEADER + length;
        ByteBuffer p = ByteBuffer.allocate((v4 ? 20 : 40) + tcpLength);
        if (v4) {
            p.put((byte) 0x45).put((byte) 0).putShort((short) (20 + tcpLength));
            p.putInt(0x4000).put((byte) 64).put((byte) TCP).putShort((short) 0);
            p.put(from.address).put(to.address);
            p.putShort(10, sum(p, 20));
        } else {
            p.putInt(6 << 28).putShort((short) tcpLength).put((byte) TCP).put((byte) 64);
            p.put(from.address).put(to.address);
        }
        p.putShort((short) from.port).putShort((short) to.port).putInt(from.sequence);
        p.putInt((flags & ACK) == 0 ? 0 : to.sequence);
        p.put((byte) ((TCP_HEADER / 4) << 4)).put((byte) flags).putShort((short) -1).putInt(0);
        if (content != null) {
            content.getBytes(at, p.array(), p.position(), length);
        }
        Instant now = clock.instant();
        long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
        writer.packet(micros, p.array(), p.capacity());
    }

    /// The internet checksum (RFC 1071) of the first `length` bytes, whose own field is zero.
    private static short sum(ByteBuffer packet, int length) {
        int sum = 0;
        for (int i = 0; i < length; i += 2) {
            sum += packet.getShort(i) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (short) ~((sum & 0xFFFF) + (sum >>> 16));
    }
}
