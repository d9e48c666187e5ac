package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.EndOfResponse;
import io.weft.http.http1.ResponsePart.Framing;
import io.weft.http.http1.ResponsePart.InterimResponse;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the responses of one connection (RFC 9112), strictly: what two recipients could read in
/// two ways is refused.
///
/// Where a response ends depends on its request, so tell each request by [#expect] when it is sent.
/// Responses belong to the requests in that order. A byte that comes while none is expected is
/// refused: it would be taken for the answer to a request that the server has not seen.
///
/// ```
///                        1xx
///     .------------------------------------.
///     v                                    |
/// STATUS_LINE -> FIELDS -> head -> BODY -> end -> STATUS_LINE
///                            '---> TUNNEL  (101, or 2xx to CONNECT)
/// ```
///
/// Behind a head that begins a tunnel nothing is read: the bytes are those of another protocol.
public final class ResponseDecoder implements Decoder<ResponsePart> {
    /// Requests that may wait for their response at a time.
    public static final int MAX_EXPECTED = 128;

    /// Interim responses that may come before one final response.
    public static final int MAX_INTERIM = 32;

    private enum State {
        STATUS_LINE,
        FIELDS,
        BODY,
        TUNNEL,
        DEAD
    }

    /// A request that has been sent.
    private record Expected(Method method, boolean upgrade) {
        boolean mayTunnel() {
            return upgrade || method == Method.CONNECT;
        }
    }

    private final Http1Limits limits;
    private final SectionReader section;
    private final BodyReader body;
    private final ArrayDeque<Expected> expected = new ArrayDeque<>();

    private State state = State.STATUS_LINE;
    private boolean paused;

    /// Bytes of a status line in which its end was looked for.
    private int looked;

    /// Bytes that the last call left unread.
    private int unread;

    private @Nullable StatusLine line;
    private int interim;

    public ResponseDecoder() {
        this(Http1Limits.DEFAULT);
    }

    public ResponseDecoder(Http1Limits limits) {
        this.limits = limits;
        section = new SectionReader(limits);
        body = new BodyReader(limits);
    }

    /// A request is being sent, whose response comes behind those of the requests before.
    ///
    /// @param upgrade whether the request offers to switch protocols, so that 101 may answer it
    /// @throws IllegalStateException when [#MAX_EXPECTED] responses are outstanding, when one is of
    ///     a request that may end HTTP on the connection (CONNECT, an upgrade), or after its end
    public void expect(Method method, boolean upgrade) {
        if (state == State.TUNNEL || state == State.DEAD) {
            throw new IllegalStateException("request in " + state + " (expected: none)");
        }
        Expected last = expected.peekLast();
        if (last != null && last.mayTunnel()) {
            throw new IllegalStateException(
                    "request behind " + last.method() + " (expected: none before its response)");
        }
        if (expected.size() == MAX_EXPECTED) {
            throw new IllegalStateException(
                    "requests without a response: more than " + MAX_EXPECTED + " (expected: less)");
        }
        expected.add(new Expected(method, upgrade));
    }

    /// Returns how many final responses are still to begin.
    public int outstanding() {
        return expected.size();
    }

    /// Tells if a response has begun that is not whole: a byte of it was taken, or seen and left
    /// unread. So it is between an interim response and the final one.
    public boolean isWithinResponse() {
        return switch (state) {
            case STATUS_LINE -> unread > 0 || interim > 0;
            case FIELDS, BODY -> true;
            case TUNNEL, DEAD -> false;
        };
    }

    /// Tells if the connection no longer carries HTTP: what follows is left unread.
    public boolean isTunnel() {
        return state == State.TUNNEL;
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
    }

    @Override
    public void decode(Buffer in, Consumer<? super ResponsePart> out) {
        try {
            while (!paused && step(in, out)) {}
        } catch (HttpDecodeException e) {
            state = State.DEAD;
            throw new HttpDecodeException(Status.BAD_GATEWAY, String.valueOf(e.getMessage()));
        } catch (DecoderException e) {
            state = State.DEAD;
            throw e;
        } finally {
            unread = in.readableBytes();
        }
    }

    /// The peer will send nothing more, which is what ends a body without a length. Responses that
    /// have not begun are not spoken of; see [#outstanding].
    ///
    /// @throws HttpDecodeException when a response is cut short by it
    @Override
    public void end(Consumer<? super ResponsePart> out) {
        if (state == State.BODY && body.mayEndHere()) {
            finish(out);
            state = State.DEAD;
            return;
        }
        if (!isWithinResponse()) {
            return;
        }
        String cut = state == State.BODY ? body.toString() : state.toString();
        state = State.DEAD;
        throw new HttpDecodeException(
                Status.BAD_GATEWAY, "end of input in " + cut + " (expected: a whole response)");
    }

    /// Takes one line, one piece of data or one section; false when it needs more bytes for that.
    private boolean step(Buffer in, Consumer<? super ResponsePart> out) {
        return switch (state) {
            case STATUS_LINE -> statusLine(in);
            case FIELDS -> fields(in, out);
            case BODY -> body(in, out);
            case TUNNEL -> false;
            case DEAD -> {
                in.skipReadable(in.readableBytes());
                yield false;
            }
        };
    }

    private boolean statusLine(Buffer in) {
        if (!in.isReadable()) {
            return false;
        }
        int start = in.readOffset();
        if (expected.isEmpty()) {
            throw badRequest(
                    "response: "
                            + quote(in, start, start + 1)
                            + " (expected: none, no request waits for one)");
        }
        // No empty line is tolerated here: RFC 9112, 2.2 has that for requests.
        if (looked == 0 && in.getByte(start) != 'H') {
            throw badRequest(
                    "status line: " + quote(in, start, start + 1) + " (expected: HTTP/1.1)");
        }
        int limit = limits.initialLine();
        int end = Lines.end(in, start + looked, start + limit, Lines.Limit.STATUS_LINE, limit);
        if (end == Lines.INCOMPLETE) {
            looked = Lines.resumeAt(in) - start;
            return false;
        }
        line = StatusLine.parse(in, start, end);
        in.readOffset(end + 2);
        looked = 0;
        section.begin();
        state = State.FIELDS;
        return true;
    }

    private boolean fields(Buffer in, Consumer<? super ResponsePart> out) {
        Headers headers = section.read(in);
        if (headers == null) {
            return false;
        }
        StatusLine l = line;
        Expected request = expected.peek();
        if (l == null || request == null) {
            throw new AssertionError("no status line or request (expected: both before fields)");
        }
        if (l.status() == Status.SWITCHING_PROTOCOLS) {
            head(ResponseRules.tunnel(l, headers, request.upgrade()), out);
        } else if (l.status().isInformational()) {
            interim(l.status(), headers, out);
        } else {
            head(ResponseRules.head(l, headers, request.method()), out);
        }
        return true;
    }

    /// An interim response takes no request from the queue (CVE-2026-42584).
    private void interim(Status status, Headers headers, Consumer<? super ResponsePart> out) {
        ResponseRules.checkInterim(status, headers);
        if (++interim > MAX_INTERIM) {
            throw badRequest("interim responses: over " + MAX_INTERIM + " (expected: a final one)");
        }
        state = State.STATUS_LINE;
        out.accept(new InterimResponse(status, headers));
    }

    private void head(ResponseHead head, Consumer<? super ResponsePart> out) {
        expected.remove();
        interim = 0;
        state = head.framing() == Framing.TUNNEL ? State.TUNNEL : State.BODY;
        switch (head.framing()) {
            case NONE, LENGTH, TUNNEL -> body.beginLength(head.contentLength());
            case CHUNKED -> body.beginChunked();
            case CLOSE -> body.beginUntilClose();
        }
        out.accept(head);
    }

    private boolean body(Buffer in, Consumer<? super ResponsePart> out) {
        if (body.isDone()) {
            finish(out);
            return true;
        }
        if (!body.isPieceNext()) {
            return body.line(in);
        }
        Buffer piece = body.piece(in);
        if (piece == null) {
            return false;
        }
        out.accept(new BodyPart(piece));
        return true;
    }

    private void finish(Consumer<? super ResponsePart> out) {
        Headers trailers = body.trailers();
        state = State.STATUS_LINE;
        out.accept(
                trailers.isEmpty() ? EndOfResponse.WITHOUT_TRAILERS : new EndOfResponse(trailers));
    }
}
