package io.weft.handler.logging;

import java.nio.ByteBuffer;

/// One packet of TCP or UDP, in IPv4 (RFC 791) or IPv6 (RFC 8200), with the sums that its receiver
/// would check.
final class IpPacket {
    static final int TCP = 6;
    static final int UDP = 17;
    static final int UDP_HEADER = 8;

    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int HOP_LIMIT = 64;
    private static final int DO_NOT_FRAGMENT = 0x4000;

    private IpPacket() {}

    /// A packet without its content, positioned where that begins; both addresses are of one
    /// family.
    static ByteBuffer begin(byte[] from, byte[] to, int protocol, int length) {
        boolean v4 = from.length == 4;
        ByteBuffer p = ByteBuffer.allocate((v4 ? IPV4_HEADER : IPV6_HEADER) + length);
        if (v4) {
            p.put((byte) 0x45).put((byte) 0).putShort((short) (IPV4_HEADER + length));
            p.putInt(DO_NOT_FRAGMENT).put((byte) HOP_LIMIT).put((byte) protocol);
            p.putShort((short) 0).put(from).put(to);
            p.putShort(10, (short) ~folded(sum(p, 0, IPV4_HEADER)));
        } else {
            p.putInt(6 << 28).putShort((short) length).put((byte) protocol).put((byte) HOP_LIMIT);
            p.put(from).put(to);
        }
        return p;
    }

    /// Fills in the sum of a segment or datagram, which is whole now (RFC 9293, 3.1; RFC 768).
    ///
    /// @param at where the field is, from the beginning of the TCP or UDP header
    static void finish(ByteBuffer p, int at) {
        boolean v4 = p.get(0) >>> 4 == 4;
        int header = v4 ? IPV4_HEADER : IPV6_HEADER;
        int protocol = p.get(v4 ? 9 : 6);
        int length = p.capacity() - header;
        int addresses = v4 ? 12 : 8;
        long sum = sum(p, addresses, header - addresses) + protocol + length;
        int field = ~folded(sum + sum(p, header, length)) & 0xFFFF;
        // Of UDP, zero would mean that there is none.
        p.putShort(header + at, (short) (field == 0 && protocol == UDP ? 0xFFFF : field));
    }

    /// The internet checksum (RFC 1071), not folded; fields of sums are zero.
    private static long sum(ByteBuffer p, int from, int length) {
        long sum = 0;
        int end = from + length;
        for (int i = from; i < end - 1; i += 2) {
            sum += p.getShort(i) & 0xFFFF;
        }
        return (length & 1) == 0 ? sum : sum + ((p.get(end - 1) & 0xFF) << 8);
    }

    private static int folded(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xFFFF) + (folded >>> 16);
        }
        return (int) folded;
    }

    /// An IPv4 address in IPv6 form (RFC 4291, 2.5.5.2).
    static byte[] mapped(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xFF;
        mapped[11] = (byte) 0xFF;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }
}
