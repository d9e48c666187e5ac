package io.weft.http.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;

import java.nio.charset.Charset;

/// The content of a message: none, bytes in memory, or a stream. In its place a [Tunnel] may stand
/// behind the head of a response.
///
/// `Empty` and `Bytes` may be sent any number of times by any thread; a `Stream` is read once.
public sealed interface Body {
    /// Length in bytes, or -1 when it is known only at the end.
    long length();

    /// The content as text.
    ///
    /// @throws IllegalStateException for a stream, which has to be read first
    String asString(Charset charset);

    /// The content as UTF-8; what is not UTF-8 becomes U+FFFD.
    default String asString() {
        return asString(UTF_8);
    }

    static Body empty() {
        return Empty.EMPTY;
    }

    /// A copy of `bytes`.
    static Bytes of(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /// The readable bytes of `in`, which count as read; `in` stays the caller's.
    static Bytes of(Buffer in) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        return new Bytes(bytes);
    }

    /// `bytes` themselves: the caller must no longer change them.
    static Bytes wrap(byte[] bytes) {
        return new Bytes(bytes);
    }

    /// `text` in UTF-8.
    static Bytes of(String text) {
        return new Bytes(text.getBytes(UTF_8));
    }

    /// A stream whose length is known at its end.
    static Stream of(BodySource source) {
        return new Stream(source, -1);
    }

    /// A stream of exactly `length` bytes; the message fails if the source gives fewer or more.
    ///
    /// @throws IllegalArgumentException for a negative length
    static Stream of(BodySource source, long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length: " + length + " (expected: >= 0)");
        }
        return new Stream(source, length);
    }

    /// No content.
    enum Empty implements Body {
        EMPTY;

        @Override
        public long length() {
            return 0;
        }

        @Override
        public String asString(Charset charset) {
            return "";
        }
    }

    /// Content in memory.
    final class Bytes implements Body {
        private final byte[] bytes;

        private Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public String asString(Charset charset) {
            return new String(bytes, charset);
        }

        /// A copy.
        public byte[] toByteArray() {
            return bytes.clone();
        }

        /// Writes all of it.
        public void writeTo(Buffer out) {
            out.writeBytes(bytes);
        }

        /// Writes `length` bytes from `offset` on.
        public void writeTo(Buffer out, int offset, int length) {
            out.writeBytes(bytes, offset, length);
        }
    }

    /// No content, but a protocol that takes over the connection behind the head of a response: 101
    /// to a request with Upgrade, or 2xx to CONNECT (RFC 9110, 7.8 and 9.3.6). The server's module
    /// has the kind that it serves.
    non-sealed interface Tunnel extends Body {
        @Override
        default long length() {
            return 0;
        }

        /// @throws IllegalStateException always
        @Override
        default String asString(Charset charset) {
            throw new IllegalStateException("body: a tunnel (expected: content in memory)");
        }
    }

    /// Content that is read while it is sent.
    final class Stream implements Body {
        private final BodySource source;
        private final long length;

        private Stream(BodySource source, long length) {
            this.source = source;
            this.length = length;
        }

        public BodySource source() {
            return source;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public String asString(Charset charset) {
            throw new IllegalStateException("body: a stream (expected: content in memory)");
        }
    }
}
