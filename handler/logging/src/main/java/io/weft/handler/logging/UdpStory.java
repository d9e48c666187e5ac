package io.weft.handler.logging;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/// Datagrams (RFC 768) as they travel, one by one.
record UdpStory(PcapWriter writer, InstantSource clock) {
    private static final int SUM_AT = 6;

    /// @param segment bytes of one datagram, where the content is several
    void sent(InetSocketAddress from, InetSocketAddress to, Buffer content, int segment)
            throws IOException {
        int at = content.readOffset();
        int end = content.writeOffset();
        do {
            int length = Math.min(segment == 0 ? end - at : segment, end - at);
            packet(from, to, content, at, length);
            at += length;
        } while (at < end);
    }

    @SuppressWarnings("ByteBufferBackingArray") // a packet is all of an array
    private void packet(
            InetSocketAddress from, InetSocketAddress to, Buffer content, int at, int length)
            throws IOException {
        byte[] a = from.getAddress().getAddress();
        byte[] b = to.getAddress().getAddress();
        boolean same = a.length == b.length;
        ByteBuffer p =
                IpPacket.begin(
                        same ? a : IpPacket.mapped(a),
                        same ? b : IpPacket.mapped(b),
                        IpPacket.UDP,
                        IpPacket.UDP_HEADER + length);
        p.putShort((short) from.getPort()).putShort((short) to.getPort());
        p.putShort((short) (IpPacket.UDP_HEADER + length)).putShort((short) 0);
        content.getBytes(at, p.array(), p.position(), length);
        IpPacket.finish(p, SUM_AT);
        writer.packet(clock.instant(), p);
    }
}
