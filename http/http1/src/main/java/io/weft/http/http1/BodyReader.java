package io.weft.http.http1;

import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import org.jspecify.annotations.Nullable;

/// Reads the body of one message after the other (RFC 9112, 6.2 and 7.1): pieces of it as they
/// arrive, without a copy.
///
/// ```
/// LENGTH ------------------------------------------> DONE
/// CLOSE -- end of input ---------------------------> DONE
/// CHUNK_SIZE -> CHUNK -> CHUNK_END -> CHUNK_SIZE
///      '-- 0 --> TRAILERS -------------------------> DONE
/// ```
final class BodyReader {
    private enum State {
        LENGTH,
        CLOSE,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        DONE
    }

    private final Http1Limits limits;
    private final SectionReader section;
    private State state = State.DONE;

    /// Of the body, or of the chunk.
    private long remaining;

    /// Bytes of a chunk's line in which its end was looked for.
    private int looked;

    /// Bytes of chunk extensions in this message.
    private int extensions;

    private Headers trailers = Headers.EMPTY;

    BodyReader(Http1Limits limits) {
        this.limits = limits;
        section = new SectionReader(limits);
    }

    /// A body of `length` bytes begins; 0 is no body.
    void beginLength(long length) {
        begin(length == 0 ? State.DONE : State.LENGTH);
        remaining = length;
    }

    void beginChunked() {
        begin(State.CHUNK_SIZE);
    }

    /// A body begins that ends with the input.
    void beginUntilClose() {
        begin(State.CLOSE);
    }

    private void begin(State first) {
        state = first;
        looked = 0;
        extensions = 0;
        trailers = Headers.EMPTY;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /// Tells if an end of the input ends the body as well.
    boolean mayEndHere() {
        return state == State.CLOSE;
    }

    /// Returns the fields behind the body that is done.
    Headers trailers() {
        return trailers;
    }

    @Override
    public String toString() {
        return state.name();
    }

    /// Tells if bytes of the content are next, for [#piece]; else it is a line, for [#line].
    boolean isPieceNext() {
        return switch (state) {
            case LENGTH, CHUNK, CLOSE -> true;
            case CHUNK_SIZE, CHUNK_END, TRAILERS, DONE -> false;
        };
    }

    /// Takes a piece of the content, which is the caller's then; null when there is no byte of it.
    @Nullable Buffer piece(Buffer in) {
        int readable = in.readableBytes();
        int length = state == State.CLOSE ? readable : (int) Math.min(remaining, readable);
        if (length == 0) {
            return null;
        }
        if (state != State.CLOSE) {
            remaining -= length;
            if (remaining == 0) {
                state = state == State.LENGTH ? State.DONE : State.CHUNK_END;
            }
        }
        return in.split(length);
    }

    /// Takes one line of the chunked coding, or the trailer section; false when it needs more bytes
    /// for that.
    boolean line(Buffer in) {
        return switch (state) {
            case CHUNK_SIZE -> chunkSize(in);
            case CHUNK_END -> chunkEnd(in);
            case TRAILERS -> trailers(in);
            case LENGTH, CHUNK, CLOSE, DONE -> false;
        };
    }

    private boolean chunkSize(Buffer in) {
        int start = in.readOffset();
        int limit = ChunkLine.MAX_DIGITS + limits.chunkExtensions();
        int end = Lines.end(in, start + looked, start + limit, Lines.Limit.CHUNK_LINE, limit);
        if (end == Lines.INCOMPLETE) {
            looked = Lines.resumeAt(in) - start;
            return false;
        }
        int sizeEnd = ChunkLine.endOfSize(in, start, end);
        remaining = ChunkLine.size(in, start, sizeEnd);
        if (end > sizeEnd) {
            extensions += end - sizeEnd;
            if (end - sizeEnd > limits.chunkExtensions() || extensions > limits.headerSection()) {
                throw Lines.Limit.CHUNK_LINE.exceeded(limit);
            }
            ChunkLine.checkExtensions(in, sizeEnd, end);
        }
        in.readOffset(end + 2);
        looked = 0;
        section.begin();
        state = remaining == 0 ? State.TRAILERS : State.CHUNK;
        return true;
    }

    private boolean chunkEnd(Buffer in) {
        if (!Lines.takeCrlf(in)) {
            return false;
        }
        state = State.CHUNK_SIZE;
        return true;
    }

    private boolean trailers(Buffer in) {
        Headers fields = section.read(in);
        if (fields == null) {
            return false;
        }
        HeaderName forbidden = Trailers.firstForbidden(fields);
        if (forbidden != null) {
            throw badRequest("trailer: " + forbidden + " (expected: none of the kind)");
        }
        trailers = fields;
        state = State.DONE;
        return true;
    }
}
