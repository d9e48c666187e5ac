package io.weft.codec.compression;

import static io.weft.codec.compression.Decompressor.Status.FINISHED;
import static io.weft.codec.compression.Decompressor.Status.NEEDS_INPUT;
import static io.weft.codec.compression.Decompressor.Status.NEEDS_OUTPUT;

import io.weft.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Expands deflated data with the JDK's zlib, in any of its wrappers.
public final class DeflateDecompressor extends Decompressor {
    private enum State {
        DETECT,
        GZIP_HEADER,
        BODY,
        GZIP_TRAILER,

        /// Between members of a gzip stream, where it may end.
        NEXT_MEMBER,
        END
    }

    private static final byte[] NOTHING = {};
    private static final int TRAILER = 8;

    private final byte @Nullable [] dictionary;
    private Deflate wrapper;
    private State state = State.DETECT;
    private @Nullable Inflater inflater;
    private final GzipHeader header = new GzipHeader();
    private final CRC32 crc = new CRC32();
    private long memberBytes;

    public DeflateDecompressor(Deflate wrapper) {
        this(wrapper, DecompressionLimits.DEFAULT);
    }

    public DeflateDecompressor(Deflate wrapper, DecompressionLimits limits) {
        this(wrapper, limits, null);
    }

    /// @param dictionary that the other side compressed with; only zlib and raw streams may have
    ///     one
    public DeflateDecompressor(
            Deflate wrapper, DecompressionLimits limits, byte @Nullable [] dictionary) {
        super(limits);
        this.wrapper = wrapper;
        this.dictionary = dictionary == null ? null : dictionary.clone();
        if (wrapper != Deflate.AUTO) {
            begin(wrapper);
        }
    }

    private void begin(Deflate as) {
        wrapper = as;
        state = as == Deflate.GZIP ? State.GZIP_HEADER : State.BODY;
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        while (true) {
            switch (state) {
                case DETECT -> {
                    if (in.readableBytes() < 2) {
                        return NEEDS_INPUT;
                    }
                    begin(detect(in.getUnsignedShort(in.readOffset())));
                }
                case GZIP_HEADER -> {
                    if (!header.take(in)) {
                        return NEEDS_INPUT;
                    }
                    crc.reset();
                    memberBytes = 0;
                    state = State.BODY;
                }
                case BODY -> {
                    Status status = inflate(in, out);
                    if (status != FINISHED) {
                        return status;
                    }
                    state = wrapper == Deflate.GZIP ? State.GZIP_TRAILER : State.END;
                }
                case GZIP_TRAILER -> {
                    if (in.readableBytes() < TRAILER) {
                        return NEEDS_INPUT;
                    }
                    trailer(in);
                    state = State.NEXT_MEMBER;
                }
                case NEXT_MEMBER -> {
                    if (!in.isReadable()) {
                        return NEEDS_INPUT;
                    }
                    engine().reset();
                    state = State.GZIP_HEADER;
                }
                case END -> {
                    return FINISHED;
                }
            }
        }
    }

    private static Deflate detect(int first) {
        if (first == GzipHeader.MAGIC) {
            return Deflate.GZIP;
        }
        // RFC 1950, 2.2: compression method 8, window at most 32 KiB, and a multiple of 31.
        boolean zlib = (first >> 8 & 15) == 8 && first >> 12 <= 7 && first % 31 == 0;
        return zlib ? Deflate.ZLIB : Deflate.RAW;
    }

    /// Made when there is something to expand: it holds 40 KiB of native memory.
    private Inflater engine() {
        Inflater made = inflater;
        if (made == null) {
            made = new Inflater(wrapper != Deflate.ZLIB);
            inflater = made;
            if (wrapper == Deflate.RAW && dictionary != null) {
                made.setDictionary(dictionary);
            }
        }
        return made;
    }

    private Status inflate(Buffer in, Buffer out) {
        if (!in.isReadable() && inflater == null) {
            return NEEDS_INPUT;
        }
        Inflater engine = engine();
        ByteBuffer from = in.byteBuffer(in.readOffset(), in.readableBytes());
        int start = out.writeOffset();
        long written = engine.getBytesWritten();
        try {
            engine.setInput(from);
            while (true) {
                int room = out.writableBytes();
                if (room == 0) {
                    return NEEDS_OUTPUT;
                }
                int made = engine.inflate(out.byteBuffer(out.writeOffset(), room));
                out.writeOffset(out.writeOffset() + made);
                if (engine.finished()) {
                    return FINISHED;
                }
                if (engine.needsDictionary()) {
                    setDictionary(engine);
                } else if (made == 0) {
                    return NEEDS_INPUT;
                }
            }
        } catch (DataFormatException e) {
            out.writeOffset(start + (int) (engine.getBytesWritten() - written));
            throw corrupted("deflated data", String.valueOf(e.getMessage()), "RFC 1951");
        } finally {
            in.skipReadable(from.position());
            engine.setInput(NOTHING); // the memory is not ours any longer
            sum(out, start);
        }
    }

    private void setDictionary(Inflater engine) {
        if (dictionary == null) {
            throw corrupted("zlib stream", "needs a dictionary", "none");
        }
        try {
            engine.setDictionary(dictionary);
        } catch (IllegalArgumentException e) {
            throw corrupted("zlib stream", "needs another dictionary", "the one that there is");
        }
    }

    private void sum(Buffer out, int start) {
        int made = out.writeOffset() - start;
        if (wrapper == Deflate.GZIP && made > 0) {
            crc.update(out.byteBuffer(start, made));
            memberBytes += made;
        }
    }

    private void trailer(Buffer in) {
        long sum = in.readUnsignedIntLE();
        long length = in.readUnsignedIntLE();
        if (sum != crc.getValue()) {
            throw corrupted("gzip CRC-32", sum, crc.getValue());
        }
        if (length != (memberBytes & 0xFFFF_FFFFL)) {
            throw corrupted("gzip length", length, memberBytes & 0xFFFF_FFFFL);
        }
    }

    @Override
    protected boolean isComplete() {
        return state == State.END || state == State.NEXT_MEMBER;
    }

    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }
}
