package io.weft.http.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The content of a message: none, bytes in memory, or a stream. In its place a [Tunnel] may stand
/// behind the head of a response.
///
/// `Empty` and `Bytes` may be sent any number of times by any thread; a `Stream` is read once.
public sealed interface Body {
    /// Length in bytes, or -1 when it is known only at the end.
    long length();

    /// The content as text. A [Stream] is read for it, by a thread that may block, up to its limit
    /// for content in memory.
    ///
    /// @throws IllegalStateException for a stream that the calling thread must not wait for, such
    ///     as a request's on its event loop, and for a tunnel
    /// @throws java.io.UncheckedIOException when a stream breaks, or is longer than its limit: a
    ///     [BodyTooLongException]
    String asString(Charset charset);

    /// The content as UTF-8; what is not UTF-8 becomes U+FFFD.
    default String asString() {
        return asString(UTF_8);
    }

    /// The content as an [InputStream]. That of a [Stream] blocks for what has not arrived, takes
    /// no more from the source ahead of its reader than a buffer of 16 KiB, and gives the body up
    /// when it is closed, or its reader interrupted.
    ///
    /// @throws IllegalStateException for a stream that the calling thread must not wait for
    InputStream asInputStream();

    /// Collects the content in memory, without blocking.
    ///
    /// @param limit bytes, at most
    /// @return fails with a [BodyTooLongException] when there are more, or with the failure of the
    ///     stream; completed by the thread that brings the last bytes
    CompletionStage<Bytes> collect(int limit);

    static Body empty() {
        return Empty.EMPTY;
    }

    /// Reads the content piece by piece, without blocking and without keeping it.
    ///
    /// @param action gets pieces that are not empty, one at a time and in order, each for the time
    ///     of the call; if it throws, the body is given up
    /// @return the number of bytes; fails with what `action` has thrown, or with the failure of the
    ///     stream; completed by the thread that brings the last bytes
    CompletionStage<Long> forEachPiece(Consumer<? super Buffer> action);

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

    /// The readable bytes of `in` themselves, for content that is sent often: it is not copied for
    /// each message, as content on the heap is. `in` stays the caller's, who writes to it no more,
    /// and releases it when no message with this body is sent any more, or never.
    static Bytes share(Buffer in) {
        return new Bytes(in);
    }

    /// `text` in UTF-8.
    static Bytes of(String text) {
        return new Bytes(text.getBytes(UTF_8));
    }

    /// A stream whose length is known at its end.
    static Stream of(BodySource source) {
        return new Stream(source, -1, Stream.IN_MEMORY);
    }

    /// A stream of exactly `length` bytes; the message fails if the source gives fewer or more.
    ///
    /// @throws IllegalArgumentException for a negative length
    static Stream of(BodySource source, long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length: " + length + " (expected: >= 0)");
        }
        return new Stream(source, length, Stream.IN_MEMORY);
    }

    /// A stream of what `in` has, which is read on virtual threads, at the pace of who takes it,
    /// and closed.
    static Stream of(InputStream in) {
        return of(new InputStreamSource(in));
    }

    /// A stream of exactly `length` bytes of `in`, as of [#of(InputStream)].
    ///
    /// @throws IllegalArgumentException for a negative length
    static Stream of(InputStream in, long length) {
        return of(new InputStreamSource(in), length);
    }

    /// A whole file, as long as it is now. Over HTTP/1.1 without TLS the kernel sends it. This asks
    /// the file system: not on a loop where files are cold.
    ///
    /// @throws IOException when it has no size to be told
    static Stream of(Path file) throws IOException {
        return of(file, 0, Files.size(file));
    }

    /// A part of a file.
    ///
    /// @throws IllegalArgumentException when position or length is negative
    static Stream of(Path file, long position, long length) {
        return of(new FileSource(file, position, length), length);
    }

    /// A stream as of [#of(BodySource, long)], or of unknown length for -1.
    ///
    /// @param inMemory bytes that [#asString] collects at most
    static Stream of(BodySource source, long length, int inMemory) {
        return new Stream(source, length, inMemory);
    }

    /// A stream of several bodies, one behind the other. Its length is known if all of theirs are.
    ///
    /// @throws IllegalArgumentException for a tunnel
    static Stream concat(List<? extends Body> bodies) {
        long length = 0;
        for (Body body : bodies) {
            if (body instanceof Tunnel) {
                throw new IllegalArgumentException("body: a tunnel (expected: content)");
            }
            length = length < 0 || body.length() < 0 ? -1 : Math.addExact(length, body.length());
        }
        return of(new ConcatenatedSource(List.copyOf(bodies)), length, Stream.IN_MEMORY);
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

        @Override
        public InputStream asInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public CompletionStage<Bytes> collect(int limit) {
            return CompletableFuture.completedFuture(new Bytes(new byte[0]));
        }

        @Override
        public CompletionStage<Long> forEachPiece(Consumer<? super Buffer> action) {
            return CompletableFuture.completedFuture(0L);
        }
    }

    /// Content in memory.
    final class Bytes implements Body {
        private static final byte[] NONE = {};

        private final byte[] bytes;
        private final int length;

        /// Has the content in place of `bytes`, from `start` on.
        private final @Nullable Buffer shared;

        private final int start;

        private Bytes(byte[] bytes) {
            this.bytes = bytes;
            this.length = bytes.length;
            this.shared = null;
            this.start = 0;
        }

        private Bytes(Buffer shared) {
            this.bytes = NONE;
            this.length = shared.readableBytes();
            this.shared = shared;
            this.start = shared.readOffset();
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public String asString(Charset charset) {
            return shared == null
                    ? new String(bytes, charset)
                    : shared.getString(start, length, charset);
        }

        @Override
        public InputStream asInputStream() {
            return new ByteArrayInputStream(shared == null ? bytes : toByteArray());
        }

        @Override
        public CompletionStage<Bytes> collect(int limit) {
            return length <= limit
                    ? CompletableFuture.completedFuture(this)
                    : CompletableFuture.failedFuture(new BodyTooLongException(limit, this));
        }

        @Override
        public CompletionStage<Long> forEachPiece(Consumer<? super Buffer> action) {
            return BodyReader.read(new ConcatenatedSource(List.of(this)), action::accept);
        }

        /// A copy.
        public byte[] toByteArray() {
            if (shared == null) {
                return bytes.clone();
            }
            byte[] copy = new byte[length];
            shared.getBytes(start, copy, 0, length);
            return copy;
        }

        /// Writes all of it.
        public void writeTo(Buffer out) {
            writeTo(out, 0, length);
        }

        /// Writes `length` bytes from `offset` on.
        public void writeTo(Buffer out, int offset, int length) {
            if (shared == null) {
                out.writeBytes(bytes, offset, length);
            } else {
                Objects.checkFromIndexSize(offset, length, this.length);
                out.ensureWritable(length);
                int at = out.writeOffset();
                out.setBytes(at, shared, start + offset, length);
                out.writeOffset(at + length);
            }
        }

        /// Tells if the content is that of a buffer: see [Body#share].
        public boolean isShared() {
            return shared != null;
        }

        /// Returns `length` bytes from `offset` on, not copied: a buffer that the caller owns, and
        /// does not write to.
        ///
        /// @throws IllegalStateException if the content [#isShared] not
        public Buffer slice(int offset, int length) {
            if (shared == null) {
                throw new IllegalStateException("body: on the heap (expected: a shared buffer)");
            }
            Objects.checkFromIndexSize(offset, length, this.length);
            return shared.slice(start + offset, length);
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
            throw new IllegalStateException("body: a tunnel (expected: content)");
        }

        /// @throws IllegalStateException always
        @Override
        default InputStream asInputStream() {
            throw new IllegalStateException("body: a tunnel (expected: content)");
        }

        /// @throws IllegalStateException always
        @Override
        default CompletionStage<Bytes> collect(int limit) {
            throw new IllegalStateException("body: a tunnel (expected: content)");
        }

        /// @throws IllegalStateException always
        @Override
        default CompletionStage<Long> forEachPiece(Consumer<? super Buffer> action) {
            throw new IllegalStateException("body: a tunnel (expected: content)");
        }
    }

    /// Content that is read while it is sent or received. It is read once.
    final class Stream implements Body {
        private static final int IN_MEMORY = 1 << 20;

        private final BodySource source;
        private final long length;
        private final int inMemory;

        private Stream(BodySource source, long length, int inMemory) {
            this.source = source;
            this.length = length;
            this.inMemory = inMemory;
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
            try (InputStream in = asInputStream()) {
                byte[] bytes = length > inMemory ? null : in.readNBytes(inMemory);
                if (bytes == null || in.read() >= 0) {
                    throw new BodyTooLongException(inMemory, source);
                }
                return new String(bytes, charset);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public InputStream asInputStream() {
            return new BodyInputStream(source);
        }

        @Override
        public CompletionStage<Bytes> collect(int limit) {
            return BodyCollector.collect(this, limit);
        }

        @Override
        public CompletionStage<Long> forEachPiece(Consumer<? super Buffer> action) {
            return BodyReader.read(source, action::accept);
        }
    }
}
