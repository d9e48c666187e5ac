package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the requests of one connection (RFC 9112), strictly: what two recipients could read in
/// two ways is refused.
///
/// ```
///            CRLF?           no body
/// REQUEST_LINE -> FIELDS -> head ------------> end -> REQUEST_LINE
///                            '---> BODY -----> end
/// ```
///
/// A header section is left unread until it is whole, everything else is taken at once. Heads,
/// targets and headers that are the same as in the request before are the same objects: on a
/// connection that is kept alive they often are.
public final class RequestDecoder implements Decoder<RequestPart> {
    private enum State {
        REQUEST_LINE,
        FIELDS,
        BODY,
        DEAD
    }

    /// Sections longer than this are not kept for comparison with the next request.
    private static final int MAX_KEPT = 1024;

    private final Http1Limits limits;

    /// Null after [#forget], until the next section.
    private @Nullable SectionReader section;

    /// Null until a request has a body, and again after [#forget]: most have none.
    private @Nullable BodyReader body;

    private State state = State.REQUEST_LINE;
    private boolean paused;
    private boolean emptyLineSkipped;

    /// Bytes of a request line in which its end was looked for.
    private int looked;

    /// Bytes that the last call left unread.
    private int unread;

    private @Nullable RequestLine line;
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

    /// Gives up what it keeps of the last request to compare the next one with. Between requests
    /// nothing is left: it is as if it were new, and may go on with those of another connection.
    public void forget() {
        before = null;
        beforeLine = null;
        if (state == State.REQUEST_LINE) {
            line = null;
            body = null;
            section = null;
            emptyLineSkipped &= isWithinRequest();
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
        String cut = state == State.BODY ? String.valueOf(body) : state.toString();
        state = State.DEAD;
        throw badRequest("end of input in " + cut + " (expected: a whole request)");
    }

    /// Takes one line, one piece of data or one section; false when it needs more bytes for that.
    private boolean step(Buffer in, Consumer<? super RequestPart> out) {
        return switch (state) {
            case REQUEST_LINE -> requestLine(in);
            case FIELDS -> fields(in, out);
            case BODY -> body(in, out);
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
        RequestLine last = line;
        if (looked == 0) {
            RequestLine again = last == null ? null : last.again(in, start);
            if (again != null) {
                takeLine(in, again, start + again.length());
                return true;
            }
            byte first = in.getByte(start);
            // One empty line before a request is tolerated (RFC 9112, 2.2), and nothing else is.
            if (first == '\r' && !emptyLineSkipped) {
                emptyLineSkipped = Lines.takeCrlf(in);
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
        takeLine(in, RequestLine.parse(in, start, end, last), end + 2);
        return true;
    }

    private void takeLine(Buffer in, RequestLine taken, int end) {
        line = taken;
        in.readOffset(end);
        looked = 0;
        if (section == null) {
            section = new SectionReader(limits);
        } else {
            section.begin();
        }
        state = State.FIELDS;
    }

    private boolean fields(Buffer in, Consumer<? super RequestPart> out) {
        RequestHead last = before;
        SectionReader reader = section;
        if (reader == null) {
            throw new AssertionError("no section (expected: one behind the request line)");
        }
        Headers headers = null;
        if (last != null && reader.isAtStart()) {
            if (isSameSection(in, last.headers())) {
                headers = last.headers();
            } else {
                reader.skip(in, last.headers());
            }
        }
        if (headers == null) {
            headers = reader.read(in);
        }
        if (headers == null) {
            return false;
        }
        RequestHead head = head(headers);
        state = State.BODY;
        beginBody(head);
        out.accept(head);
        return true;
    }

    private void beginBody(RequestHead head) {
        BodyReader reader = body;
        if (head.framing() == Framing.NONE && reader == null) {
            return;
        }
        if (reader == null) {
            reader = new BodyReader(limits);
            body = reader;
        }
        switch (head.framing()) {
            case NONE, LENGTH -> reader.beginLength(head.contentLength());
            case CHUNKED -> reader.beginChunked();
        }
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

    private boolean body(Buffer in, Consumer<? super RequestPart> out) {
        BodyReader reader = body;
        if (reader == null || reader.isDone()) {
            finish(reader == null ? Headers.EMPTY : reader.trailers(), out);
            return true;
        }
        if (!reader.isPieceNext()) {
            return reader.line(in);
        }
        Buffer piece = reader.piece(in);
        if (piece == null) {
            return false;
        }
        out.accept(new BodyPart(piece));
        return true;
    }

    private void finish(Headers trailers, Consumer<? super RequestPart> out) {
        state = State.REQUEST_LINE;
        emptyLineSkipped = false;
        out.accept(trailers.isEmpty() ? EndOfRequest.WITHOUT_TRAILERS : new EndOfRequest(trailers));
    }
}
