package io.weft.handler.logging;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;

/// Writes packets in the file format of tcpdump and Wireshark (draft-ietf-opsawg-pcap), each an IP
/// packet. Any number of channels may share one, on any loops; it blocks them while it writes.
public final class PcapWriter implements Closeable {
    private static final int MAGIC_MICROSECONDS = 0xA1B2C3D4;

    /// Packets begin with their IPv4 or IPv6 header.
    private static final int LINKTYPE_RAW = 101;

    private static final int SNAP_LENGTH = 1 << 18;

    private final OutputStream out;

    /// Writes the header of the file.
    public PcapWriter(OutputStream out) throws IOException {
        this.out = new BufferedOutputStream(out);
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(MAGIC_MICROSECONDS).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(SNAP_LENGTH).putInt(LINKTYPE_RAW);
        this.out.write(header.array());
    }

    /// Writes one packet.
    ///
    /// @param packet all of an array
    @SuppressWarnings("ByteBufferBackingArray") // see above
    synchronized void packet(Instant at, ByteBuffer packet) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        record.putInt((int) at.getEpochSecond()).putInt(at.getNano() / 1000);
        record.putInt(packet.capacity()).putInt(packet.capacity());
        out.write(record.array());
        out.write(packet.array());
    }

    /// Makes what was written visible to readers of the file.
    public synchronized void flush() throws IOException {
        out.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
