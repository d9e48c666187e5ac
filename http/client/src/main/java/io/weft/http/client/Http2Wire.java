package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.eventloop.EventLoop;
import io.weft.http.http1.RequestEncoder;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Http2StreamHandle;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One exchange on an HTTP/2 connection: a stream (RFC 9113, 5).
///
/// **Sending.** A piece of a body that the windows have no room for is held back, and until it is
/// out the wire is not writable, so at most one piece is held. **Receiving.** What the application
/// does not want yet is not given back to the windows.
///
/// Thread: the loop.
final class Http2Wire implements ClientWire {
    private final Http2ClientConnection connection;
    private final ClientExchange exchange;
    private @Nullable Http2Stream stream;

    /// The part of a piece that found no room.
    private @Nullable Buffer held;

    /// Fields behind the body, whose end waits behind what is held; null while there is no end.
    private @Nullable Headers endHeld;

    /// Bytes of the body that are still to be sent as its length says; -1 without a length.
    private long remaining;

    /// Bytes that were received while the application wanted none.
    private int unconsumed;

    /// The stream as a connection, when the server has agreed to that.
    private @Nullable Http2StreamHandle tunnel;

    private boolean head;
    private boolean wanted = true;
    private boolean over;

    Http2Wire(Http2ClientConnection connection, ClientExchange exchange) {
        this.connection = connection;
        this.exchange = exchange;
    }

    ClientExchange exchange() {
        return exchange;
    }

    /// Tells if the request is HEAD, whose response has no content.
    boolean isHead() {
        return head;
    }

    // ---- sending ----

    @Override
    public EventLoop eventLoop() {
        return connection.eventLoop();
    }

    @Override
    public BufferAllocator allocator() {
        return connection.allocator();
    }

    @Override
    public boolean head(Request request) {
        Body body = request.body();
        long length = body.length();
        Headers headers = request.headers();
        RequestEncoder.check(request);
        if (exchange.offersTunnel()) {
            stream = connection.open(this, Http2Tunnels.request(request, connection), false);
            return false;
        }
        if (request.method() == Method.CONNECT) {
            throw new IllegalArgumentException("CONNECT: without an upgrade (expected: one)");
        }
        if (headers.contains(HeaderName.UPGRADE)) {
            throw new IllegalArgumentException(
                    "upgrade: over HTTP/2 (expected: none; RFC 9113, 8.2.2)");
        }
        if (!headers.contains(HeaderName.CONTENT_LENGTH) && isLengthDue(request)) {
            headers = headers.plus(HeaderName.CONTENT_LENGTH, Long.toString(length));
        }
        boolean end = length == 0 && !(body instanceof Body.Stream);
        remaining = length;
        head = request.method() == Method.HEAD;
        stream =
                connection.open(
                        this,
                        new RequestHead(
                                request.method(),
                                connection.scheme(),
                                request.target(),
                                null,
                                headers,
                                end ? -1 : length),
                        end);
        return !end;
    }

    /// As over HTTP/1.1 (RFC 9110, 8.6), but that a body may be without a length.
    private static boolean isLengthDue(Request request) {
        Body body = request.body();
        Method method = request.method();
        return body.length() > 0
                || (body.length() == 0
                        && (body instanceof Body.Stream
                                || method == Method.POST
                                || method == Method.PUT
                                || method == Method.PATCH
                                || method == Method.QUERY));
    }

    /// A piece of the windows' room, so that no part of it is held back.
    @Override
    public Buffer piece(int most) {
        int room = stream == null ? 0 : stream.room();
        return OutgoingFrames.piece(allocator(), Math.min(most, Math.max(1, room)));
    }

    @Override
    public void data(Buffer piece) {
        int length = piece.readableBytes();
        Http2Stream s = stream;
        if (remaining >= 0 && length > remaining) {
            piece.release();
            throw new IllegalStateException(
                    "data: " + length + " (expected: at most " + remaining + ", what is left)");
        }
        remaining -= remaining >= 0 ? length : 0;
        if (s == null || !s.maySend()) {
            piece.release(); // the server has reset it, of which the exchange hears
            return;
        }
        if (length <= s.room()) {
            s.frame(piece, false);
        } else if (!sendFrom(s, piece)) {
            held = piece;
            s.wantsToSend();
        }
    }

    /// Sends what there is room for. The parts share memory, so that none has room for a header.
    ///
    /// @return false if some of `piece` is left, which stays the caller's
    private static boolean sendFrom(Http2Stream s, Buffer piece) {
        try {
            int room;
            while (piece.readableBytes() > (room = s.room())) {
                if (room == 0) {
                    return false;
                }
                s.data(piece.split(room), false);
            }
        } catch (Throwable t) {
            piece.release();
            throw t;
        }
        s.data(piece, false);
        return true;
    }

    @Override
    public void end(Headers trailers) {
        if (remaining > 0) {
            throw new IllegalStateException("end: " + remaining + " bytes missing (expected: 0)");
        }
        if (held != null) {
            endHeld = trailers;
        } else if (stream != null) {
            end(stream, trailers);
        }
    }

    private static void end(Http2Stream s, Headers trailers) {
        if (trailers.isEmpty()) {
            s.end();
        } else {
            s.trailers(trailers);
        }
    }

    /// It is this stream's turn.
    void turn() {
        if (tunnel != null) {
            tunnel.takeTurn();
            return;
        }
        Http2Stream s = stream;
        Buffer rest = held;
        if (s == null || over) {
            return;
        }
        if (rest != null) {
            held = null;
            if (!sendFrom(s, rest)) {
                held = rest;
                s.wantsToSend();
                return;
            }
            if (endHeld != null) {
                end(s, endHeld);
                return;
            }
        }
        exchange.writable();
    }

    @Override
    public void send() {
        connection.flush();
    }

    @Override
    public boolean isWritable() {
        Http2Stream s = stream;
        if (s == null) {
            return false;
        }
        boolean writable = held == null && s.room() > 0 && connection.isWritable();
        if (!writable) {
            s.wantsToSend();
        }
        return writable;
    }

    @Override
    public long pendingBytes() {
        return connection.pendingBytes() + (held == null ? 0 : held.readableBytes());
    }

    @Override
    public long takenBytes() {
        return held == null ? connection.takenBytes() : 0;
    }

    // ---- tunnels ----

    /// The server has agreed to a tunnel: makes a channel of the stream, for the protocol that was
    /// asked for.
    void open(Status status, Headers headers) {
        Http2Stream s = Objects.requireNonNull(stream);
        Http2Tunnels tunnels = new Http2Tunnels(connection, connection.channel());
        Http2StreamHandle opened = new Http2StreamHandle(s, tunnels);
        tunnel = opened;
        try {
            tunnels.open(opened, channel -> exchange.upgraded(status, headers, channel));
        } catch (IOException e) {
            tunnel = null;
            exchange.disconnected(e);
            abort();
        }
    }

    /// The server has sent everything.
    void ended(Headers trailers) {
        if (tunnel != null) {
            tunnel.end();
        } else {
            exchange.end(trailers);
        }
    }

    // ---- receiving ----

    /// Takes content, which is this object's from now on.
    void received(Http2Stream s, Buffer data) {
        if (tunnel != null) {
            tunnel.data(data, false);
            return;
        }
        if (!data.isReadable()) {
            data.release();
            return;
        }
        unconsumed += data.readableBytes();
        exchange.data(data);
        if (wanted) {
            consume(s);
        }
    }

    private void consume(Http2Stream s) {
        int bytes = unconsumed;
        unconsumed = 0;
        if (bytes > 0) {
            s.consumed(bytes);
        }
    }

    @Override
    public void demand(boolean more) {
        wanted = more;
        if (more && stream != null) {
            consume(stream);
            connection.flush();
        }
    }

    // ---- the end ----

    @Override
    public boolean isStream() {
        return true;
    }

    @Override
    public void done() {
        abort();
    }

    /// Ends the stream, if it has not ended in good order, and gives its place back.
    @Override
    public void abort() {
        Http2Stream s = stream;
        if (release(false) && s != null) {
            consume(s);
            s.reset(ErrorCode.CANCEL);
            connection.flush();
        }
        connection.finished(this);
    }

    /// Drops what is held back.
    ///
    /// @param lost whether the connection has gone
    /// @return false when that has been done before
    boolean release(boolean lost) {
        if (over) {
            return false;
        }
        over = true;
        if (tunnel != null && lost) {
            tunnel.lost("the connection has ended");
        } else if (tunnel != null) {
            tunnel.broken("the stream has ended");
        }
        if (held != null) {
            held.release();
            held = null;
        }
        return true;
    }
}
