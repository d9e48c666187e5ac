package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Deflates with the JDK's zlib, in any of its wrappers.
///
/// **Errors.** If `out` has no memory to grow, the stream is broken: part of the input is lost.
/// Every later call but [#close] throws an [IllegalStateException].
public final class DeflateCompressor implements Compressor {
    /// Method deflate, no optional field, no time, unknown system (RFC 1952, 2.3.1).
    private static final byte[] GZIP_HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 255};

    private static final byte[] NOTHING = {};
    private static final int ROOM = 4096;

    private final Deflater deflater;
    private final boolean gzip;
    private final CRC32 crc = new CRC32();
    private boolean begun;

    /// Set during each call, and left set by one that fails.
    private boolean broken;

    private boolean closed;

    public DeflateCompressor(Deflate wrapper) {
        this(wrapper, Deflater.DEFAULT_COMPRESSION, null);
    }

    /// @param level 0 (none) to 9 (best), or -1
    /// @param dictionary that the other side has too; not with gzip
    public DeflateCompressor(Deflate wrapper, int level, byte @Nullable [] dictionary) {
        if (wrapper == Deflate.AUTO || (wrapper == Deflate.GZIP && dictionary != null)) {
            throw new IllegalArgumentException(
                    "wrapper: " + wrapper + " (expected: ZLIB, RAW, or GZIP without a dictionary)");
        }
        deflater = new Deflater(level, wrapper != Deflate.ZLIB);
        gzip = wrapper == Deflate.GZIP;
        if (dictionary != null) {
            deflater.setDictionary(dictionary);
        }
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        begin(out);
        int length = in.readableBytes();
        if (gzip) {
            crc.update(in.byteBuffer(in.readOffset(), length));
        }
        deflater.setInput(in.byteBuffer(in.readOffset(), length));
        try {
            drain(out, Deflater.NO_FLUSH);
        } finally {
            in.skipReadable(length);
            deflater.setInput(NOTHING); // the memory is not ours any longer
        }
        broken = false;
    }

    private void begin(Buffer out) {
        if (broken) {
            throw new IllegalStateException("a call after one that failed (expected: close)");
        }
        broken = true;
        if (gzip && !begun) {
            out.writeBytes(GZIP_HEADER);
        }
        begun = true;
    }

    private void drain(Buffer out, int flush) {
        int made;
        int room;
        do {
            out.ensureWritable(ROOM);
            room = out.writableBytes();
            made = deflater.deflate(out.byteBuffer(out.writeOffset(), room), flush);
            out.writeOffset(out.writeOffset() + made);
        } while (made == room || (!deflater.needsInput() && !deflater.finished()));
    }

    @Override
    public void flush(Buffer out) {
        begin(out);
        drain(out, Deflater.SYNC_FLUSH);
        broken = false;
    }

    @Override
    public void finish(Buffer out) {
        begin(out);
        deflater.finish();
        while (!deflater.finished()) {
            drain(out, Deflater.NO_FLUSH);
        }
        if (gzip) {
            out.writeIntLE((int) crc.getValue());
            out.writeIntLE((int) deflater.getBytesRead());
        }
        broken = false;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            deflater.end();
        }
    }
}
