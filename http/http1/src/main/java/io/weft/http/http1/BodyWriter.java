package io.weft.http.http1;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;

/// Writes the bodies of one connection's messages that are streams, one after the other: by length,
/// in chunks, or up to the end of the connection (RFC 9112, 6). When a method throws, nothing was
/// written and the writer is as it was.
final class BodyWriter {
    private enum Framing {
        NONE,
        LENGTH,
        CHUNKS,
        CLOSE
    }

    private Framing framing = Framing.NONE;

    /// Bytes of a body by length that are to come.
    private long remaining;

    /// A body of `length` bytes begins.
    void beginLength(long length) {
        framing = Framing.LENGTH;
        remaining = length;
    }

    void beginChunks() {
        framing = Framing.CHUNKS;
    }

    /// A body begins that ends with the connection.
    void beginUntilClose() {
        framing = Framing.CLOSE;
    }

    /// Tells if a body has begun that is not at its end.
    boolean isDue() {
        return framing != Framing.NONE;
    }

    /// Writes all readable bytes of `data` as a piece of the body. They count as read; `data` stays
    /// the caller's.
    ///
    /// @throws IllegalStateException when no body is due, or `data` is longer than what is left of
    ///     it
    void data(Buffer data, Buffer out) {
        int length = data.readableBytes();
        check(length);
        if (length > 0) {
            out.ensureWritable(length + Digits.MAX_HEX + 4);
            beginData(length, out);
            out.writeBytes(data);
            endData(out);
        }
    }

    /// Writes what stands before a piece of `length` bytes.
    ///
    /// @throws IllegalArgumentException for a length below 1: an empty chunk would end the body
    /// @throws IllegalStateException when no body is due, or `length` is more than what is left of
    ///     it
    void beginData(long length, Buffer out) {
        if (length < 1) {
            throw new IllegalArgumentException("length: " + length + " (expected: at least 1)");
        }
        check(length);
        if (framing == Framing.CHUNKS) {
            out.ensureWritable(Digits.MAX_HEX + 2);
            Digits.writeHex(length, out);
            out.writeShort(Lines.CRLF);
        } else if (framing == Framing.LENGTH) {
            remaining -= length;
        }
    }

    /// Writes what stands behind a piece.
    void endData(Buffer out) {
        if (framing == Framing.CHUNKS) {
            out.writeShort(Lines.CRLF);
        }
    }

    private void check(long length) {
        if (framing == Framing.NONE) {
            throw new IllegalStateException("data: no body is due (expected: head first)");
        }
        if (framing == Framing.LENGTH && length > remaining) {
            throw new IllegalStateException(
                    "data: " + length + " (expected: at most " + remaining + ", what is left)");
        }
    }

    /// Ends the body, with trailers if it is in chunks.
    ///
    /// @throws IllegalStateException when no body is due, or bytes of it are missing
    /// @throws IllegalArgumentException for a field that may not be a trailer
    void end(Headers trailers, Buffer out) {
        check(0);
        if (framing == Framing.LENGTH && remaining > 0) {
            throw new IllegalStateException("end: " + remaining + " bytes missing (expected: 0)");
        }
        HeaderName forbidden = Trailers.firstForbidden(trailers);
        if (forbidden != null) {
            throw new IllegalArgumentException(
                    "trailer: " + forbidden + " (expected: none of the kind)");
        }
        if (framing == Framing.CHUNKS) {
            out.ensureWritable(trailers.sectionLength() + 2 * trailers.size() + 5);
            out.writeByte('0').writeShort(Lines.CRLF);
            trailers.writeTo(out);
            out.writeShort(Lines.CRLF);
        }
        framing = Framing.NONE;
    }
}
