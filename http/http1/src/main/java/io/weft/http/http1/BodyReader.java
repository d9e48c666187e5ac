package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.function.Consumer;

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

    /// Takes one line, one piece of data or one section; false when it needs more bytes for that.
    boolean step(Buffer in, Consumer<? super Buffer> out) {
        return switch (state) {
            case LENGTH, CHUNK -> data(in, out);
            case CLOSE -> untilClose(in, out);
            case CHUNK_SIZE -> chunkSize(in);
            case CHUNK_END -> chunkEnd(in);
            case TRAILERS -> trailers(in);
            case DONE -> false;
        };
    }

    private boolean data(Buffer in, Consumer<? super Buffer> out) {
        int length = (int) Math.min(remaining, in.readableBytes());
        if (length == 0) {
            return false;
        }
        remaining -= length;
        if (remaining == 0) {
            state = state == State.LENGTH ? State.DONE : State.CHUNK_END;
        }
        out.accept(in.split(length));
        return true;
    }

    private static boolean untilClose(Buffer in, Consumer<? super Buffer> out) {
        if (!in.isReadable()) {
            return false;
        }
        out.accept(in.split(in.readableBytes()));
        return true;
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
        int start = in.readOffset();
        int length = Math.min(2, in.readableBytes());
        // Said of the byte that is wrong alone, whatever has arrived behind it.
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) != (i == 0 ? '\r' : '\n')) {
                throw badRequest(quote(in, start + i, start + i + 1) + " (expected: CR LF)");
            }
        }
        if (length < 2) {
            return false;
        }
        in.readOffset(start + 2);
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
