package io.weft.codec.zstd;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.weft.buffer.Buffer;
import io.weft.codec.compression.Compressor;
import java.nio.ByteBuffer;

/// Compresses one Zstandard frame. It holds one to some ten megabytes of native memory, the more
/// the higher the level.
public final class ZstdCompressor implements Compressor {
    /// Levels above make windows that others need not take (RFC 9659).
    private static final int MAX_LEVEL = 19;

    private static final int MIN_LEVEL = -7;
    private static final int DEFAULT_LEVEL = 3;
    private static final int ROOM = 4096;

    private final ZstdCompressCtx context;

    /// Level 3, with a checksum.
    public ZstdCompressor() {
        this(DEFAULT_LEVEL, true);
    }

    /// @param level -7 (fast) to 19 (best)
    /// @param checksum whether the frame ends with four bytes of XXH64 of its content
    /// @throws UnsupportedOperationException when the library cannot be loaded
    public ZstdCompressor(int level, boolean checksum) {
        if (level < MIN_LEVEL || level > MAX_LEVEL) {
            throw new IllegalArgumentException(
                    "level: " + level + " (expected: " + MIN_LEVEL + " to " + MAX_LEVEL + ")");
        }
        Library.load();
        context = new ZstdCompressCtx().setLevel(level).setChecksum(checksum);
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        int length = in.readableBytes();
        ByteBuffer from = in.byteBuffer(in.readOffset(), length);
        while (from.hasRemaining()) {
            step(from, out, EndDirective.CONTINUE);
        }
        in.skipReadable(length);
    }

    @Override
    public void flush(Buffer out) {
        drain(out, EndDirective.FLUSH);
    }

    @Override
    public void finish(Buffer out) {
        drain(out, EndDirective.END);
    }

    private void drain(Buffer out, EndDirective how) {
        ByteBuffer nothing = out.byteBuffer(out.readOffset(), 0);
        boolean done;
        do {
            done = step(nothing, out, how);
        } while (!done);
    }

    /// @return whether everything that `how` asks for is out
    private boolean step(ByteBuffer from, Buffer out, EndDirective how) {
        out.ensureWritable(ROOM);
        ByteBuffer to = out.byteBuffer(out.writeOffset(), out.writableBytes());
        boolean done = context.compressDirectByteBufferStream(to, from, how);
        out.writeOffset(out.writeOffset() + to.position());
        return done;
    }

    @Override
    public void close() {
        context.close();
    }
}
