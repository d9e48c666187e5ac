package io.weft.http.server.coding;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.Decompressor;
import io.weft.http.model.BodySource;
import io.weft.http.model.BodyTooLongException;
import io.weft.http.model.Headers;
import io.weft.http.model.HttpException;
import io.weft.http.model.Status;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A source whose bytes are expanded as they are read. It holds nothing before the first read, and
/// may be closed while another thread reads.
public final class DecompressedSource implements BodySource {
    private static final int PIECE = 16 << 10;

    private final BodySource source;
    private final Supplier<Decompressor> format;
    private final long limit;

    // Guarded by this object:
    private final Cumulation compressed = new Cumulation();
    private @Nullable Decompressor decompressor;
    private boolean any;

    /// The decompressor has more to give, perhaps of input that it has taken.
    private boolean held;

    private boolean sourceEnded;
    private boolean finished;
    private boolean closed;

    /// @param limit of what comes out, for messages
    public DecompressedSource(BodySource source, Supplier<Decompressor> format, long limit) {
        this.source = source;
        this.format = format;
        this.limit = limit;
    }

    @Override
    public synchronized Step read(Buffer out) throws IOException {
        if (closed) {
            throw new IOException("the body is closed (expected: read before the answer)");
        }
        try {
            return expand(out);
        } catch (LimitExceededException e) {
            throw new BodyTooLongException(limit);
        } catch (DecoderException e) {
            throw new HttpException(Status.BAD_REQUEST, "body: " + e.getMessage());
        }
    }

    private Step expand(Buffer out) throws IOException {
        int before = out.readableBytes();
        while (true) {
            Buffer in = compressed.bytes();
            if (in != null && finished) {
                throw new HttpException(
                        Status.BAD_REQUEST, "body: bytes behind a compressed stream");
            }
            if ((in != null || held) && decompress(in, out) == Decompressor.Status.NEEDS_OUTPUT) {
                return Step.MORE;
            }
            if (sourceEnded) {
                if (any && !finished) {
                    decompressor().endOfInput();
                }
                return Step.END;
            }
            if (out.readableBytes() > before) {
                return Step.MORE;
            }
            if (!fill()) {
                return Step.WAIT;
            }
        }
    }

    /// @param in null when all that came was taken
    private Decompressor.Status decompress(@Nullable Buffer in, Buffer out) {
        Decompressor.Status status;
        if (in == null) {
            try (Buffer nothing = BufferAllocator.pooled().allocate(0)) {
                status = decompressor().decompress(nothing, out);
            }
        } else {
            status = decompressor().decompress(in, out);
            compressed.trim();
        }
        held = status == Decompressor.Status.NEEDS_OUTPUT;
        finished = status == Decompressor.Status.FINISHED;
        return status;
    }

    private Decompressor decompressor() {
        if (decompressor == null) {
            decompressor = format.get();
        }
        return decompressor;
    }

    /// @return false when nothing has come
    private boolean fill() throws IOException {
        Buffer piece = BufferAllocator.pooled().allocate(PIECE);
        Step step;
        try {
            step = source.read(piece);
        } catch (IOException | RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        sourceEnded = step == Step.END;
        if (!piece.isReadable()) {
            piece.release();
            return step != Step.WAIT;
        }
        any = true;
        compressed.add(piece);
        return true;
    }

    @Override
    public void onWake(Runnable wake) {
        source.onWake(wake);
    }

    @Override
    public boolean mayWait() {
        return source.mayWait();
    }

    @Override
    public Headers trailers() {
        return source.trailers();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            compressed.release();
            if (decompressor != null) {
                decompressor.close();
            }
        }
        source.close();
    }
}
