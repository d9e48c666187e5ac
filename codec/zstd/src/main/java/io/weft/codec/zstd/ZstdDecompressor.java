package io.weft.codec.zstd;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Expands Zstandard frames (RFC 8878), one behind the other, checking the sums of those that have
/// one. Skippable frames are skipped; frames that need a dictionary are refused.
///
/// The library is handed one whole part of a frame at a time, a header, a block (of up to 128 KiB)
/// or a checksum: when it refuses one, all that came of those before it is out already, and nothing
/// of this one, however the bytes were cut. It keeps a window in native memory, whose size a frame
/// declares and `maxWindow` bounds; [#close] gives it back.
public final class ZstdDecompressor extends Decompressor {
    /// The window size that every decoder of HTTP contents must support, and need not exceed (RFC
    /// 9659).
    public static final int DEFAULT_MAX_WINDOW = 8 << 20;

    /// The largest window that the library takes.
    public static final int LARGEST_WINDOW = 128 << 20;

    private static final int SKIPPABLE = 0x184D2A50;
    private static final int BLOCK_HEADER = 3;
    private static final int RUN = 1;
    private static final int CHECKSUM = 4;

    /// `Block_Maximum_Size` of RFC 8878, 3.1.1.2.4.
    private static final int MAX_BLOCK = 128 << 10;

    private enum State {
        /// Between frames, where the stream may end once there was one.
        MAGIC,
        HEADER,
        BLOCK,
        LAST_BLOCK
    }

    private final int maxWindow;
    private State state = State.MAGIC;
    private boolean begun;

    /// True if input that is too short to be used is left unread.
    private boolean partial;

    private boolean checksum;
    private long skip;

    /// Bytes of the current part that the library has not got yet.
    private int part;

    /// True if the library may hold output back, since it filled all the room it had.
    private boolean full;

    private @Nullable ZstdDecompressCtx context;

    public ZstdDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public ZstdDecompressor(DecompressionLimits limits) {
        this(limits, DEFAULT_MAX_WINDOW);
    }

    /// @param maxWindow bytes of a window, at most; the tool's `--ultra` and `--long` make larger
    ///     ones
    /// @throws UnsupportedOperationException when the library cannot be loaded
    public ZstdDecompressor(DecompressionLimits limits, int maxWindow) {
        super(limits);
        if (maxWindow <= 0 || maxWindow > LARGEST_WINDOW) {
            throw new IllegalArgumentException(
                    "maxWindow: " + maxWindow + " (expected: 1 to " + LARGEST_WINDOW + ")");
        }
        this.maxWindow = maxWindow;
        Library.load();
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        while (true) {
            if (full || part > 0) {
                partial = !full && in.readableBytes() < part;
                if (partial) {
                    return Status.NEEDS_INPUT;
                }
                if (out.writableBytes() == 0) {
                    return Status.NEEDS_OUTPUT;
                }
                pump(in, out);
            } else if (skip > 0) {
                int n = (int) Math.min(skip, in.readableBytes());
                in.skipReadable(n);
                skip -= n;
                if (skip > 0) {
                    return Status.NEEDS_INPUT;
                }
            } else {
                partial = in.isReadable();
                if (!next(in)) {
                    return Status.NEEDS_INPUT;
                }
                partial = false;
            }
        }
    }

    /// Finds the part that begins at the read offset; false when too little of it is there.
    private boolean next(Buffer in) {
        return switch (state) {
            case MAGIC -> magic(in);
            case HEADER -> header(in);
            case BLOCK -> block(in);
            case LAST_BLOCK -> {
                part = checksum ? CHECKSUM : 0;
                state = State.MAGIC;
                yield true;
            }
        };
    }

    private boolean magic(Buffer in) {
        if (in.readableBytes() < FrameHeader.MAGIC_LENGTH) {
            return false;
        }
        int magic = in.getIntLE(in.readOffset());
        if (magic == FrameHeader.MAGIC) {
            state = State.HEADER;
            return true;
        }
        if ((magic & ~15) != SKIPPABLE) {
            throw corrupted("zstd magic", Integer.toHexString(magic), "fd2fb528");
        }
        if (in.readableBytes() < 2 * FrameHeader.MAGIC_LENGTH) {
            return false;
        }
        skip = in.getUnsignedIntLE(in.readOffset() + FrameHeader.MAGIC_LENGTH);
        in.skipReadable(2 * FrameHeader.MAGIC_LENGTH);
        begun = true;
        return true;
    }

    private boolean header(Buffer in) {
        int length = FrameHeader.length(in);
        if (in.readableBytes() < length) {
            return false;
        }
        FrameHeader header = FrameHeader.get(in);
        if (header.window() > maxWindow) {
            throw new LimitExceededException("zstd window bytes", header.window(), maxWindow);
        }
        checksum = header.checksum();
        part = length;
        state = State.BLOCK;
        begun = true;
        return true;
    }

    /// RFC 8878, 3.1.1.2: three bytes, of which the lowest bit tells the last block, two its kind
    /// and the rest its size.
    private boolean block(Buffer in) {
        if (in.readableBytes() < BLOCK_HEADER) {
            return false;
        }
        int block = in.getUnsignedMediumLE(in.readOffset());
        boolean run = (block >> 1 & 3) == RUN;
        int size = block >> 3;
        if (size > MAX_BLOCK) {
            throw corrupted("zstd block bytes", size, "at most " + MAX_BLOCK);
        }
        part = BLOCK_HEADER + (run ? 1 : size);
        state = (block & 1) == 0 ? State.BLOCK : State.LAST_BLOCK;
        return true;
    }

    private void pump(Buffer in, Buffer out) {
        ByteBuffer from = in.byteBuffer(in.readOffset(), Math.min(part, in.readableBytes()));
        ByteBuffer to = out.byteBuffer(out.writeOffset(), out.writableBytes());
        try {
            var _ = context().decompressDirectByteBufferStream(to, from);
        } catch (ZstdException e) {
            throw corrupted("zstd frame", String.valueOf(e.getMessage()), "RFC 8878");
        }
        in.skipReadable(from.position());
        part -= from.position();
        out.writeOffset(out.writeOffset() + to.position());
        full = !to.hasRemaining();
    }

    /// Made when there is something to expand.
    private ZstdDecompressCtx context() {
        ZstdDecompressCtx made = context;
        if (made == null) {
            made = new ZstdDecompressCtx();
            context = made;
        }
        return made;
    }

    @Override
    protected boolean isComplete() {
        return begun && state == State.MAGIC && part == 0 && skip == 0 && !full && !partial;
    }

    @Override
    public void close() {
        if (context != null) {
            context.close();
            context = null;
        }
    }
}
