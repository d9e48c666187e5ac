package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.http.http1.ResponseEncoder;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.RequestPeer;
import org.jspecify.annotations.Nullable;

/// The answer of one stream of HTTP/2: its head, and its body frame by frame, one in each turn.
/// Thread: the loop.
final class Http2Answer {
    /// Bytes of a body that are sent with those before them.
    private static final int SHORT_END = 2 << 10;

    private final Http2ServerConnection connection;
    private final Http2Stream stream;

    /// Of the request.
    private final Method method;

    /// It is this stream's turn to send one frame.
    private boolean granted;

    /// The head of the final response is out.
    private boolean begun;

    /// Interim responses that handlers have sent.
    private int interims;

    /// Rest of a body in memory that is still to be sent, and its offset.
    private Body.@Nullable Bytes rest;

    private int restOffset;

    /// Bytes of the body that are to come, or -1 if that is not known.
    private long due = -1;

    Http2Answer(Http2ServerConnection connection, Http2Stream stream, Method method) {
        this.connection = connection;
        this.stream = stream;
        this.method = method;
    }

    /// Tells if the head of the final response is out.
    boolean isBegun() {
        return begun;
    }

    /// Sends an interim response. Without effect when the final one has begun, and to clients that
    /// take nothing now or have had enough.
    void interim(Status status, Headers headers) {
        if (!begun
                && stream.maySend()
                && connection.isWritable()
                && ++interims <= RequestPeer.MAX_INTERIM) {
            stream.response(status, headers, false);
            connection.wrote();
            connection.flushSoon();
        }
    }

    /// Sends the head, and as much of a body in memory as may be sent now.
    ///
    /// @return whether a streamed body is to follow
    boolean begin(Response response) {
        Status status = response.status();
        Body body = response.body();
        if (status.isInformational()) {
            throw new IllegalArgumentException("status: " + status + " (expected: a final one)");
        }
        ResponseEncoder.check(response, method);
        begun = true;
        boolean silent = status.isWithoutContent() || method == Method.HEAD;
        boolean streamed = body instanceof Body.Stream && !silent;
        boolean inMemory = body instanceof Body.Bytes && body.length() > 0 && !silent;
        due = silent ? 0 : body.length();
        // Of content that stays unsent, a length of 0 is no news.
        long length = silent && body.length() == 0 ? -1 : body.length();
        stream.response(
                status, response.headers(), length, connection.date(), !streamed && !inMemory);
        if (inMemory) {
            rest = (Body.Bytes) body;
            restOffset = 0;
            if (connection.isShared()) {
                stream.wantsToSend();
            } else {
                sendFirst();
            }
        }
        return streamed;
    }

    /// Sends the beginning of a body in memory at once: no other stream waits for a turn. The head
    /// is out, so no other may follow if there is no memory: the stream's turn will show.
    private void sendFirst() {
        try {
            sendRest();
        } catch (MemoryLimitException e) {
            stream.wantsToSend();
        }
    }

    /// Sends the head behind which a tunnel begins: 200, also where HTTP/1.1 has 101.
    void beginTunnel(Response response) {
        begun = true;
        Status status =
                response.status() == Status.SWITCHING_PROTOCOLS ? Status.OK : response.status();
        Headers headers = response.headers().without(HeaderName.SEC_WEBSOCKET_ACCEPT);
        stream.response(status, headers, -1, connection.date(), false);
    }

    /// Tells if some of a body in memory is still to be sent.
    boolean isPending() {
        return rest != null;
    }

    /// Sends one frame of a body in memory, and waits for another turn if there is more. A short
    /// end goes along: waiting, it would cost a send of its own.
    void sendRest() {
        Body.Bytes body = rest;
        if (body == null) {
            return;
        }
        int begun = restOffset;
        int sent;
        long left;
        do {
            sent = stream.data(body, restOffset, true);
            restOffset += sent;
            left = body.length() - restOffset;
        } while (sent > 0 && left > 0 && left <= SHORT_END);
        if (restOffset > begun) {
            connection.wrote();
        }
        if (left == 0) {
            rest = null;
        } else {
            stream.wantsToSend();
        }
    }

    /// Sends nothing more: the stream is over.
    void drop() {
        rest = null;
    }

    // ---- a streamed body ----

    /// Lets one frame be sent.
    void beginTurn() {
        granted = true;
    }

    void endTurn() {
        granted = false;
    }

    /// As [io.weft.http.server.exchange.ExchangeWire#isWritable].
    boolean isWritable() {
        if (due == 0 || (granted && stream.room() > 0)) {
            return true; // the end alone takes no turn, and no room in a window (RFC 9113, 6.9)
        }
        stream.wantsToSend();
        connection.flushSoon();
        return false;
    }

    /// Takes over a piece of [#piece]'s.
    void data(Buffer piece) {
        int length = piece.readableBytes();
        if (length == 0 || (due >= 0 && length > due)) {
            piece.release();
            if (length > 0) {
                throw new IllegalStateException(
                        "data: " + length + " (expected: at most " + due + ", what is left)");
            }
            return;
        }
        granted = false;
        if (due >= 0) {
            due -= length;
        }
        // Not with the end: the source may have trailers, and says so only when it has ended.
        stream.frame(piece, false);
        connection.wrote();
    }

    /// As [io.weft.http.server.exchange.ExchangeWire#piece].
    Buffer piece(int most) {
        int length = Math.min(most, Math.max(1, stream.room()));
        return OutgoingFrames.piece(connection.allocator(), length);
    }

    void end(Headers trailers) {
        if (due > 0) {
            throw new IllegalStateException("end: " + due + " bytes missing (expected: 0)");
        }
        if (trailers.isEmpty()) {
            stream.end();
        } else {
            stream.trailers(trailers);
        }
    }
}
