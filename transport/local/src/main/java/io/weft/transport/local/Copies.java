package io.weft.transport.local;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.Gather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Copies of bytes on their way from a sender to its peer.
final class Copies {
    private static final int PIECE = 16 << 10;

    private Copies() {}

    /// Tells if nothing is to be sent.
    static boolean isEmpty(Gather buffers) {
        for (int i = 0; i < buffers.count(); i++) {
            if (buffers.buffer(i).readableBytes() > 0) {
                return false;
            }
        }
        return true;
    }

    /// Copies bytes from the front.
    ///
    /// @param length number of bytes, of which `buffers` has no fewer
    /// @throws IOException if there is no memory
    static List<Buffer> of(Gather buffers, int length) throws IOException {
        List<Buffer> copies = new ArrayList<>(1 + length / PIECE);
        try {
            int from = 0;
            int at = 0;
            for (int left = length; left > 0; ) {
                Buffer piece = BufferAllocator.pooled().allocate(Math.min(left, PIECE));
                copies.add(piece);
                int filled = 0;
                while (filled < Math.min(left, PIECE)) {
                    Buffer source = buffers.buffer(from);
                    int count =
                            Math.min(Math.min(left, PIECE) - filled, source.readableBytes() - at);
                    piece.setBytes(filled, source, source.readOffset() + at, count);
                    filled += count;
                    at += count;
                    if (at == source.readableBytes()) {
                        from++;
                        at = 0;
                    }
                }
                piece.writeOffset(filled);
                left -= filled;
            }
            return copies;
        } catch (MemoryLimitException e) {
            copies.forEach(Buffer::release);
            throw new IOException("send: no memory", e);
        } catch (Throwable e) { // such as of a buffer that was released after it was written
            copies.forEach(Buffer::release);
            throw e;
        }
    }
}
