package io.weft.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// Moves bytes between a buffer and streams or channels. What those do in between is not trusted:
/// offsets move by checked calls afterwards.
final class Transfer {
    private static final int STREAM_CHUNK = 8192;

    private Transfer() {}

    static void toStream(Buffer from, OutputStream to, int length) throws IOException {
        byte[] chunk = new byte[Math.min(length, STREAM_CHUNK)];
        for (int left = length; left > 0; ) {
            int n = Math.min(left, chunk.length);
            from.getBytes(from.readOffset(), chunk, 0, n);
            to.write(chunk, 0, n);
            from.skipReadable(n);
            left -= n;
        }
    }

    static int fromStream(InputStream from, Buffer to, int length) throws IOException {
        byte[] chunk = new byte[Math.min(length, STREAM_CHUNK)];
        int total = 0;
        while (total < length) {
            int n = from.read(chunk, 0, Math.min(length - total, chunk.length));
            if (n < 0) {
                return total == 0 ? -1 : total;
            }
            to.writeBytes(chunk, 0, n);
            total += n;
        }
        return total;
    }

    static int toChannel(Buffer from, WritableByteChannel to, int length) throws IOException {
        ByteBuffer bytes = from.byteBuffer(from.readOffset(), length);
        to.write(bytes);
        from.skipReadable(bytes.position());
        return bytes.position();
    }

    static int fromChannel(ReadableByteChannel from, Buffer to, int length) throws IOException {
        to.ensureWritable(length);
        ByteBuffer bytes = to.byteBuffer(to.writeOffset(), length);
        int n = from.read(bytes);
        to.writeOffset(to.writeOffset() + bytes.position());
        return n < 0 ? -1 : bytes.position();
    }
}
