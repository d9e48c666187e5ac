package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the requests of one connection (RFC 9112), strictly: what two recipients could read in
/// two ways is refused.
///
/// ```
///            CRLF?                 no body
/// REQUEST_LINE -> FIELDS -> head --------------------------------> end -> REQUEST_LINE
///                            |---> DATA (length) ---------------> end
///                            '---> CHUNK_SIZE -> DATA -> CHUNK_END -> CHUNK_SIZE
///                                      '-- 0 --> TRAILERS ------> end
/// ```
///
/// A header section is left unread until it is whole, everything else is taken at once. Heads,
/// targets and headers that are the same as in the request before are the same objects: on a
/// connection that is kept alive they often are.
public final class RequestDecoder implements Decoder<RequestPart> {
    private enum State {
        REQUEST_LINE,
        FIELDS,
        DATA,
        CHUNK_SIZE,
        CHUNK_END,
        TRAILERS,
        DEAD
    }

    /// Sections longer than this are not kept for comparison with the next request.
    private static final int MAX_KEPT = 1024;

    private final Http1Limits limits;

    private State state = State.REQUEST_LINE;
    private boolean paused;
    private boolean emptyLineSkipped;

    /// Bytes, from the read offset on, in which [#decode] has looked for the end of a line.
    private int looked;

    /// In a section: where the line that is not whole begins, from the read offset on, and how many
    /// were before it.
    private int lineStart;

    private int fields;

    /// Bytes that the last call left unread.
    private int unread;

    private @Nullable RequestLine line;
    private boolean chunked;

    /// Of the body, or of the chunk.
    private long remaining;

    /// Bytes of chunk extensions in this message.
    private int extensions;

    private @Nullable RequestHead before;
    private @Nullable RequestLine beforeLine;

    public RequestDecoder() {
        this(Http1Limits.DEFAULT);
    }

    public RequestDecoder(Http1Limits limits) {
        this.limits = limits;
    }

    /// Makes [#decode] return after the part that is being handed over, and do nothing until
    /// [#resume]. For a consumer that has requests enough, or whose connection changes its
    /// protocol: what follows stays unread.
    @Override
    public void pause() {
        paused = true;
    }

    /// Ends a [#pause]. Call [#decode] then, also when there is nothing to read.
    @Override
    public void resume() {
        paused = false;
    }

    /// Gives up what it keeps of the last request to compare the next one with. It decodes as
    /// before; for connections that may say nothing for long.
    public void forget() {
        before = null;
        beforeLine = null;
        if (state == State.REQUEST_LINE) {
            line = null;
        }
    }

    /// Tells whether a request has begun that is not whole: a byte of it was taken, or seen and
    /// left unread.
    public boolean isWithinRequest() {
        return state == State.REQUEST_LINE ? unread > 0 : state != State.DEAD;
    }

    @Override
    public void decode(Buffer in, Consumer<? super RequestPart> out) {
        try {
            while (!paused && step(in, out)) {}
        } catch (DecoderException e) {
            state = State.DEAD;
            before = null;
            beforeLine = null;
            line = null;
            throw e;
        } finally {
            unread = in.readableBytes();
        }
    }

    @Override
    public void end(Consumer<? super RequestPart> out) {
        if (!isWithinRequest()) {
            return;
        }
        State cut = state;
        state = State.DEAD;
        throw badRequest("end of input in " + cut + " (expected: a whole request)");
    }

    /// Takes one line, one piece of data or one section; false when it needs more bytes for that.
    private boolean step(Buffer in, Consumer<? super RequestPart> out) {
        return switch (state) {
            case REQUEST_LINE -> requestLine(in);
            case FIELDS -> fields(in, out);
            case DATA -> data(in, out);
            case CHUNK_SIZE -> chunkSize(in);
            case CHUNK_END -> chunkEnd(in);
            case TRAILERS -> trailers(in, out);
            case DEAD -> {
                in.skipReadable(in.readableBytes());
                yield false;
            }
        };
    }

    private boolean requestLine(Buffer in) {
        if (!in.isReadable()) {
            return false;
        }
        int start = in.readOffset();
        if (looked == 0) {
            byte first = in.getByte(start);
            // One empty line before a request is tolerated (RFC 9112, 2.2), and nothing else is.
            if (first == '\r' && !emptyLineSkipped) {
                emptyLineSkipped = takeCrlf(in);
                return emptyLineSkipped;
            }
            if (!HeaderName.isTokenChar(first)) {
                throw badRequest(
                        "request line: "
                                + quote(in, start, start + 1)
                                + " (expected: a method first)");
            }
        }
        int limit = limits.initialLine();
        int end = Lines.end(in, start + looked, start + limit, Lines.Limit.REQUEST_LINE, limit);
        if (end == Lines.INCOMPLETE) {
            looked = Lines.resumeAt(in) - start;
            return false;
        }
        line = RequestLine.parse(in, start, end, line);
        in.readOffset(end + 2);
        beginSection();
        state = State.FIELDS;
        return true;
    }

    private void beginSection() {
        looked = 0;
        lineStart = 0;
        fields = 0;
    }

    private boolean fields(Buffer in, Consumer<? super RequestPart> out) {
        RequestHead last = before;
        Headers headers =
                last != null && looked == 0 && isSameSection(in, last.headers())
                        ? last.headers()
                        : section(in);
        if (headers == null) {
            return false;
        }
        RequestHead head = head(headers);
        chunked = head.framing() == RequestPart.Framing.CHUNKED;
        remaining = Math.max(0, head.contentLength());
        extensions = 0;
        looked = 0;
        state = chunked ? State.CHUNK_SIZE : State.DATA;
        out.accept(head);
        return true;
    }

    /// Takes the section if it is the one that came before.
    private static boolean isSameSection(Buffer in, Headers last) {
        int start = in.readOffset();
        int length = last.sectionLength();
        if (in.readableBytes() < length + 2
                || in.getShort(start + length) != Lines.CRLF
                || !last.isAt(in, start)) {
            return false;
        }
        in.readOffset(start + length + 2);
        return true;
    }

    private RequestHead head(Headers headers) {
        RequestLine l = line;
        if (l == null) {
            throw new AssertionError("no request line (expected: one before the fields)");
        }
        RequestHead last = before;
        if (last != null && last.headers() == headers && beforeLine == l) {
            return last;
        }
        RequestHead head = HeadRules.head(l, headers);
        before = headers.sectionLength() <= MAX_KEPT ? head : null;
        beforeLine = l;
        line = l.target().toString().length() <= MAX_KEPT ? l : null;
        return head;
    }

    /// Takes a section of field lines and the empty line behind it; null when it is not whole.
    private @Nullable Headers section(Buffer in) {
        int start = in.readOffset();
        int end = in.writeOffset();
        int limit = limits.headerSection();
        // The CR of the last line that fits.
        int last = start + limit - 2;
        while (true) {
            int at = start + lineStart;
            if (at >= end) {
                looked = lineStart;
                return null;
            }
            if (looked <= lineStart) {
                byte first = in.getByte(at);
                if (first == '\r') {
                    return endOfSection(in, start, at);
                }
                if (!HeaderName.isTokenChar(first)) {
                    throw badRequest(
                            "header line: " + quote(in, at, at + 1) + " (expected: a name first)");
                }
                looked = lineStart;
            }
            int lineEnd = Lines.end(in, start + looked, last, Lines.Limit.SECTION, limit);
            if (lineEnd == Lines.INCOMPLETE) {
                looked = Lines.resumeAt(in) - start;
                return null;
            }
            if (++fields > limits.headerFields()) {
                throw Lines.Limit.FIELDS.exceeded(limits.headerFields());
            }
            lineStart = lineEnd + 2 - start;
        }
    }

    private @Nullable Headers endOfSection(Buffer in, int start, int at) {
        looked = lineStart;
        if (at + 1 == in.writeOffset()) {
            return null;
        }
        if (in.getByte(at + 1) != '\n') {
            throw badRequest("control: " + quote(in, at, at + 2) + " (expected: CR LF)");
        }
        try {
            Headers headers = Headers.parse(in, start, at, fields);
            in.readOffset(at + 2);
            return headers;
        } catch (IllegalArgumentException e) {
            throw badRequest(String.valueOf(e.getMessage()));
        }
    }

    private boolean data(Buffer in, Consumer<? super RequestPart> out) {
        if (remaining == 0) {
            if (chunked) {
                state = State.CHUNK_END;
            } else {
                finish(EndOfRequest.WITHOUT_TRAILERS, out);
            }
            return true;
        }
        int length = (int) Math.min(remaining, in.readableBytes());
        if (length == 0) {
            return false;
        }
        Buffer piece = in.split(length);
        remaining -= length;
        out.accept(new BodyPart(piece));
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
        beginSection();
        state = remaining == 0 ? State.TRAILERS : State.DATA;
        return true;
    }

    private boolean chunkEnd(Buffer in) {
        if (!takeCrlf(in)) {
            return false;
        }
        looked = 0;
        state = State.CHUNK_SIZE;
        return true;
    }

    private static boolean takeCrlf(Buffer in) {
        int start = in.readOffset();
        int length = Math.min(2, in.readableBytes());
        // Said of the byte that is wrong alone, whatever has arrived behind it.
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) != (i == 0 ? '\r' : '\n')) {
                throw badRequest(quote(in, start + i, start + i + 1) + " (expected: CR LF)");
            }
        }
        if (length == 2) {
            in.readOffset(start + 2);
        }
        return length == 2;
    }

    private boolean trailers(Buffer in, Consumer<? super RequestPart> out) {
        Headers trailers = section(in);
        if (trailers == null) {
            return false;
        }
        HeaderName forbidden = Trailers.firstForbidden(trailers);
        if (forbidden != null) {
            throw badRequest("trailer: " + forbidden + " (expected: none of the kind)");
        }
        finish(
                trailers.isEmpty() ? EndOfRequest.WITHOUT_TRAILERS : new EndOfRequest(trailers),
                out);
        return true;
    }

    private void finish(EndOfRequest end, Consumer<? super RequestPart> out) {
        state = State.REQUEST_LINE;
        emptyLineSkipped = false;
        looked = 0;
        out.accept(end);
    }
}
