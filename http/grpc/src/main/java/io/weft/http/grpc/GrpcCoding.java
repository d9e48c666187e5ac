package io.weft.http.grpc;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor.Status;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateCompressor;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.http.model.HeaderName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The codings that a message may be compressed by, as `grpc-encoding` names them.
public enum GrpcCoding {
    /// None.
    IDENTITY,
    /// As of gzip (RFC 1952).
    GZIP;

    static final HeaderName ENCODING = HeaderName.of("grpc-encoding");
    static final HeaderName ACCEPT = HeaderName.of("grpc-accept-encoding");

    /// All that is taken, as `grpc-accept-encoding` says it.
    static final String ACCEPTED = "identity, gzip";

    /// Room for what is expanded next.
    private static final int PIECE = 8 << 10;

    /// More than deflate can reach: the limit on the whole message is the one that counts.
    private static final int RATIO = 2000;

    private final String coding = name().toLowerCase(Locale.ROOT);

    /// Returns the coding of a name; null for one that is not known.
    static @Nullable GrpcCoding of(@Nullable String name) {
        if (name == null) {
            return IDENTITY;
        }
        for (GrpcCoding known : values()) {
            if (known.coding.equals(name)) {
                return known;
            }
        }
        return null;
    }

    /// Compresses `message`, which is released.
    Buffer compress(Buffer message) {
        try (message) {
            int room = Math.max(64, message.readableBytes() / 2);
            Buffer out = BufferAllocator.pooled().allocate(room);
            try (DeflateCompressor gzip = new DeflateCompressor(Deflate.GZIP)) {
                gzip.compress(message, out);
                gzip.finish(out);
            } catch (Throwable t) {
                out.release();
                throw t;
            }
            return out;
        }
    }

    /// Expands `message`, which is released.
    ///
    /// @param most bytes that may come out
    /// @throws DecoderException when they are more, or the message is corrupted
    Buffer expand(Buffer message, int most) {
        DecompressionLimits limits = DecompressionLimits.DEFAULT.total(most).ratio(RATIO);
        try (message) {
            Buffer out = BufferAllocator.pooled().allocate(PIECE);
            try (DeflateDecompressor gzip = new DeflateDecompressor(Deflate.GZIP, limits)) {
                Status status;
                while ((status = gzip.decompress(message, out)) == Status.NEEDS_OUTPUT) {
                    out.ensureWritable(Math.max(PIECE, out.readableBytes()));
                }
                if (status != Status.FINISHED) {
                    gzip.endOfInput();
                }
            } catch (Throwable t) {
                out.release();
                throw t;
            }
            return out;
        }
    }

    @Override
    public String toString() {
        return coding;
    }
}
