package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.engine.FileRegion;
import io.weft.eventloop.EventLoop;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Http2StreamHandle;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.http.server.exchange.Exchange;
import io.weft.http.server.exchange.ExchangeWire;
import io.weft.http.server.exchange.RequestBody;
import io.weft.http.server.exchange.Turn;
import org.jspecify.annotations.Nullable;

/// One stream of an [Http2ServerConnection]: the wire of one exchange. It sends when it is its
/// turn, and opens the client's window as the request's body is read. Thread: the channel's loop.
final class Http2ServerStream implements ExchangeWire {
    private final Http2ServerConnection connection;
    private final Http2Stream stream;
    private final Exchange exchange;
    private final Request head;
    private final long announced;

    /// The stream as a connection, of a request that asks for one: CONNECT.
    private final @Nullable Http2StreamHandle tunnel;

    /// True if the request names a protocol for the tunnel (RFC 8441), in the place of a server.
    private final boolean extended;

    /// The tunnel has a channel.
    private boolean tunnelled;

    private @Nullable Channel protocol;

    /// The client waits to be asked for the body.
    private boolean mustAsk;

    /// The body that is collected in memory, until the request is answered; null for none.
    private @Nullable CollectedBody collected;

    /// Time at which the handler got the request.
    private long handledSince;

    private boolean streamed;
    private boolean handled;

    private final Http2Answer answer;
    private final Http2Progress progress;
    private long received;

    /// Bytes of the body that were dropped.
    private long drained;

    Http2ServerStream(
            Http2ServerConnection connection,
            Http2Stream stream,
            RequestHead head,
            Application application,
            HttpServerLimits limits,
            long now) {
        this.connection = connection;
        this.stream = stream;
        this.announced = head.contentLength();
        this.answer = new Http2Answer(connection, stream, head.method());
        this.head = Http2Requests.of(head, connection.peer(answer));
        this.extended = head.protocol() != null;
        this.tunnel =
                head.method() == Method.CONNECT
                        ? new Http2StreamHandle(stream, connection.tunnels())
                        : null;
        this.exchange = new Exchange(application, limits, this);
        this.progress = new Http2Progress(now);
    }

    // ---- the request ----

    /// Begins with the request.
    ///
    /// @param end whether it has no body
    void begin(boolean end) {
        if (tunnel == null && !head.headers().contains(HeaderName.HOST)) {
            refuse(Status.BAD_REQUEST); // RFC 9113, 8.3.1
            return;
        }
        if (tunnel != null && end) {
            tunnel.end();
        } else if (tunnel != null) {
            connection.collected().pass(stream);
        }
        if (end || tunnel != null) {
            handle(head);
            return;
        }
        mustAsk = head.headers().containsToken(HeaderName.EXPECT, "100-continue");
        exchange.begin(head);
        if (!exchange.allows(announced)) {
            refuse(Status.CONTENT_TOO_LARGE);
        } else if (exchange.streams()) {
            streamed = true;
            connection.collected().pass(stream);
            handle(head.withBody(exchange.body().stream(announced)));
        } else {
            CollectedBody body = connection.collected().of(stream, announced);
            collected = body;
            exchange.body().collect(announced);
            body.begin();
            ask();
        }
    }

    private void handle(Request whole) {
        handled = true;
        if (collected != null) {
            collected.end();
        }
        handledSince = connection.now();
        exchange.handle(head, whole);
    }

    /// Answers what is not for the application.
    void refuse(Status status) {
        handled = true;
        exchange.refused(status);
        exchange.cancel(); // releases what was collected of the body
        leaveCollection();
        stream.response(status, Headers.EMPTY, 0, connection.date(), true);
        answered();
    }

    /// Asks a client that waits for it; not behind the head of the answer, where no other may be.
    private void ask() {
        if (mustAsk && !answer.isBegun()) {
            stream.response(Status.CONTINUE, Headers.EMPTY, false);
        }
        mustAsk = false;
    }

    /// Takes a piece of the body.
    void data(Buffer piece, boolean end) {
        int length = piece.readableBytes();
        received += length;
        mustAsk = false;
        if (tunnel != null) {
            tunnel.data(piece, end);
            return;
        }
        if (length == 0) {
            piece.release();
        } else if (handled && !exchange.body().isWanted()) {
            drop(piece);
        } else if (exchange.body().add(piece)) {
            if (collected != null) {
                collected.add(length);
            }
        } else {
            notTaken();
        }
        if (end) {
            endOfBody(Headers.EMPTY);
        }
    }

    /// Drops a piece that the handler does not want. If that was too much, the client's window for
    /// this stream opens no more, and the stream ends behind the answer.
    private void drop(Buffer piece) {
        int length = piece.readableBytes();
        piece.release();
        drained += length;
        if (drained <= Http1Body.MAX_DRAINED) {
            stream.consumed(length);
        } else {
            stream.keep(length);
        }
    }

    /// Returns the body that is being collected, or was and is not answered; null for none.
    @Nullable CollectedBody collected() {
        return collected;
    }

    /// The collected body is of no use any more, or the handler's alone.
    private void leaveCollection() {
        CollectedBody body = collected;
        if (body != null) {
            collected = null;
            body.leave();
        }
    }

    private void notTaken() {
        if (!handled) {
            refuse(exchange.body().refusal());
        }
        // A handler that reads is told by the body, and answers 413.
    }

    void endOfBody(Headers trailers) {
        if (tunnel != null) {
            tunnel.end();
        } else if (streamed) {
            exchange.body().end(trailers);
        } else if (!handled) {
            Request whole = head.withBody(exchange.body().take());
            handle(trailers.isEmpty() ? whole : whole.withTrailers(trailers));
        }
    }

    /// The stream is over before its time.
    ///
    /// @param lost whether the whole connection is
    void cutOff(String why, boolean lost) {
        boolean _ = exchange.body().cutOff(Status.BAD_REQUEST, why);
        exchange.cancel();
        answer.drop();
        leaveCollection();
        endTunnel(why, lost);
    }

    /// Has a tunnel hear of the stream's end, or gives up what arrived for one that did not begin.
    private void endTunnel(String why, boolean lost) {
        if (tunnel == null) {
            return;
        }
        if (!tunnelled) {
            boolean _ = tunnel.discardInput();
        } else if (lost) {
            tunnel.lost(why);
        } else {
            tunnel.broken(why);
        }
    }

    @Override
    public void bodyWanted() {
        if (stream.mayReceive() && exchange.body().isWanted()) {
            ask();
        }
        // Also of a body that is whole: other streams are to have its room.
        stream.consumed(exchange.body().takeRead());
        connection.flushSoon();
    }

    // ---- the answer ----

    @Override
    public boolean isExtendedConnect() {
        return extended;
    }

    @Override
    public boolean head(Response response) {
        if (response.body() instanceof Body.Tunnel) {
            if (tunnel == null) {
                throw new IllegalArgumentException(
                        "upgrade: of a request that is no CONNECT (expected: RFC 8441)");
            }
            answer.beginTunnel(response);
            return false;
        }
        if (stream.mayReceive() && exchange.body().isWantedFor(response, head.method())) {
            ask();
        }
        return answer.begin(response);
    }

    /// It is this stream's turn to send.
    void takeTurn() {
        if (tunnelled && tunnel != null) {
            tunnel.takeTurn();
            return;
        }
        if (answer.isPending()) {
            answer.sendRest();
            if (!answer.isPending()) {
                leaveBody();
            }
            return;
        }
        answer.beginTurn();
        try {
            exchange.pump();
        } finally {
            answer.endTurn();
        }
    }

    @Override
    public boolean isWritable() {
        return answer.isWritable();
    }

    @Override
    public Buffer piece(int most) {
        return answer.piece(most);
    }

    @Override
    public void data(Buffer piece) {
        answer.data(piece);
    }

    @Override
    public void end(Headers trailers) {
        answer.end(trailers);
    }

    @Override
    public boolean takesFiles() {
        return false;
    }

    @Override
    public void file(FileRegion region) {
        region.close();
        throw new IllegalStateException("file: over HTTP/2 (expected: pieces)");
    }

    /// With whatever else this batch of events brings about.
    @Override
    public void send() {
        connection.flushSoon();
    }

    @Override
    public void sendSoon() {
        connection.flushSoon();
    }

    /// Answers have no order here.
    @Override
    public void last() {}

    @Override
    public void answered() {
        leaveCollection();
        if (!answer.isPending()) {
            leaveBody();
        }
    }

    /// The answer is out: what the client has not sent of the body is of no use. It is dropped for
    /// a while before the stream is reset, since some clients lose the answer by that.
    private void leaveBody() {
        stream.discard();
        if (tunnel != null) {
            boolean _ = tunnel.discardInput();
        }
    }

    @Override
    public void upgrade(Upgrade upgrade) {
        if (tunnel != null) {
            tunnelled = true;
            protocol = connection.tunnels().open(tunnel, upgrade);
        }
    }

    /// Tells the protocol of a tunnel that the connection is to end: its channel is closed, which
    /// may take a handshake.
    void closeTunnel() {
        if (protocol != null) {
            protocol.close();
        }
    }

    /// Tells if the stream is a protocol's, which has its own deadlines.
    boolean isTunnelled() {
        return tunnelled;
    }

    @Override
    public void abort() {
        stream.reset(ErrorCode.INTERNAL_ERROR);
        exchange.cancel();
        leaveCollection();
        endTunnel("the answer was cut off", false);
        connection.flushSoon();
    }

    @Override
    public void giveUp(String what, Throwable cause) {
        connection.giveUp(what, cause);
    }

    @Override
    public boolean metersBody() {
        return true;
    }

    @Override
    public EventLoop eventLoop() {
        return connection.eventLoop();
    }

    @Override
    public BufferAllocator allocator() {
        return connection.allocator();
    }

    @Override
    public Turn turn() {
        return connection.turn();
    }

    // ---- deadlines ----

    /// Enforces the rate of the body that is waited for, and the progress of what waits for the
    /// client.
    ///
    /// @return whether the client is too slow with taking what it asked for
    boolean isStalled(long now, HttpServerLimits limits) {
        if (handled && now - handledSince > limits.stallTimeout().toNanos()) {
            leaveCollection(); // others, for which the handler may wait, go on
        }
        if (stream.isBlocked()) {
            return progress.isStalled(now, stream.sent(), limits);
        }
        RequestBody body = exchange.body();
        boolean awaitsBody =
                stream.mayReceive()
                        && !mustAsk
                        && (collected == null || !collected.isHeld())
                        && (streamed ? body.isWanted() && !body.isFull() : !handled);
        if (!awaitsBody) {
            progress.begin(now, stream.sent(), received);
        } else if (progress.isTooSlow(now, received, limits)) {
            progress.begin(now, stream.sent(), received);
            if (handled) {
                boolean _ = body.cutOff(Status.REQUEST_TIMEOUT, "the client sent too slowly");
            } else {
                refuse(Status.REQUEST_TIMEOUT);
            }
        }
        return false;
    }
}
