package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandlerContext;
import io.weft.engine.FileRegion;
import io.weft.eventloop.EventLoop;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.http1.ResponseEncoder;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.exchange.ExchangeWire;
import io.weft.http.server.exchange.RequestPeer;
import io.weft.http.server.exchange.Turn;
import org.jspecify.annotations.Nullable;

/// The sending side of an [Http1Active]: the wire of its exchanges. Thread: the channel's loop.
final class Http1Answers implements ExchangeWire {
    /// Bytes of a piece of a body from which on it is written as it is; a shorter one is gathered.
    private static final int UNCOPIED = 8 << 10;

    /// Bytes of a body in memory that are copied behind its head, at most. More would be copied for
    /// each client at the same time, and sent from where no cache of the processor has it any more:
    /// it is sent in pieces, at the client's pace.
    private static final int MAX_AT_ONCE = 128 << 10;

    /// Bytes of a body that is in the client's hands soon after it was sent, at most: a client that
    /// breaks its promise to send nothing more may be answered with a reset behind it, but hardly
    /// within it.
    private static final int BRIEF = 4 << 10;

    private final Http1Active connection;
    private final Http1Input input;
    private final Sweeper sweeper;

    /// Null before the first answer, and after [#forget].
    private @Nullable ResponseEncoder encoder;

    private final Responses responses = new Responses();
    private final Turn turn;
    private @Nullable ChannelHandlerContext ctx;

    /// Of the request that is coming in or being answered.
    private @Nullable RequestHead head;

    private boolean last;

    /// The answer under way closes, has at most [#BRIEF] bytes, and nothing waits before it.
    private boolean brief;

    /// A file or a piece of a body was written behind the gathered answers.
    private boolean unflushed;

    /// True if the client waits to be asked for the body.
    private boolean mustAsk;

    /// Interim responses that handlers have sent for the request.
    private int interims;

    /// @param rest what the connection does in its next turn
    Http1Answers(Http1Active connection, Http1Input input, Sweeper sweeper, Runnable rest) {
        this.connection = connection;
        this.input = input;
        this.sweeper = sweeper;
        this.turn = new Turn(sweeper.loop(), () -> guarded(rest));
    }

    /// @param context the place from which answers are sent
    void attach(ChannelHandlerContext context) {
        ctx = context;
        responses.attach(context);
    }

    private ResponseEncoder encoder() {
        ResponseEncoder e = encoder;
        if (e == null) {
            e = new ResponseEncoder(sweeper.date());
            encoder = e;
        }
        return e;
    }

    boolean isBodyDue() {
        return encoder != null && encoder.isBodyDue();
    }

    @Nullable RequestHead request() {
        return head;
    }

    /// Begins with a request, or ends with it.
    void request(@Nullable RequestHead begun) {
        head = begun;
        mustAsk = begun != null && begun.expectContinue();
        interims = 0;
    }

    /// Tells if the connection closes after the current answer, or the next one if there is none.
    boolean isLast() {
        return last;
    }

    /// Answers what is not for an exchange, and closes behind it.
    ///
    /// @return false when there is no place for it: an answer is under way
    boolean refuse(Status status) {
        if (isBodyDue()) {
            return false;
        }
        last = true;
        RequestHead h = head;
        Method method = h == null ? Method.GET : h.method();
        Version version = h == null ? Version.HTTP_1_1 : h.version();
        encoder().head(Response.of(status), method, version, true, out());
        return true;
    }

    /// Asks for the body if the client waits for that (RFC 9110, 10.1.1). Behind the head of an
    /// answer it cannot be asked: it sees the head, and sends the body or not.
    ///
    /// @return whether the client had waited, so that the time of the body begins now
    boolean askForBody() {
        boolean waited = mustAsk;
        mustAsk = false;
        if (waited && !isBodyDue()) {
            encoder().interim(Status.CONTINUE, Headers.EMPTY, out());
        }
        return waited;
    }

    /// Sends an interim response to the request before its final one. Without effect when that has
    /// begun, to clients of HTTP/1.0, which know none (RFC 9110, 15.2), and to those that take
    /// nothing now or have had enough.
    void interim(Status status, Headers headers) {
        RequestHead request = head;
        if (request == null
                || request.version() != Version.HTTP_1_1
                || isBodyDue()
                || !isWritable()
                || ++interims > RequestPeer.MAX_INTERIM) {
            return;
        }
        encoder().interim(status, headers, out());
        sendSoon();
    }

    /// Tells if the client waits to be asked for the body.
    boolean mustAsk() {
        return mustAsk;
    }

    /// The client did not wait to be asked.
    void bodyComes() {
        mustAsk = false;
    }

    /// Sends the encoded answers if they are too large to wait for more.
    void sendIfFull() {
        if (responses.isFull()) {
            turn.spend(Turn.PIECE);
            send();
        }
    }

    /// Tells if nothing is under way or left for another turn, and another answer may come.
    boolean isIdle() {
        return !last && isAtRest();
    }

    /// Tells if nothing is under way or left for another turn.
    boolean isAtRest() {
        return !unflushed && !isBodyDue() && responses.isEmpty() && !turn.isOver();
    }

    /// Keeps nothing of the last answer, nor of the connection.
    void forget() {
        request(null);
        last = false;
        encoder = null;
        responses.attach(null);
        ctx = null;
    }

    void release() {
        responses.release();
    }

    // ---- the wire of an exchange ----

    @Override
    public EventLoop eventLoop() {
        return sweeper.loop(); // threads ask that hold a body for longer than they may
    }

    @Override
    public BufferAllocator allocator() {
        return context().channel().allocator();
    }

    @Override
    public Turn turn() {
        return turn;
    }

    @Override
    public void bodyWanted() {
        connection.bodyWanted();
    }

    @Override
    public boolean head(Response response) {
        RequestHead h = head;
        if (h == null) {
            throw new IllegalStateException("no request is under way");
        }
        boolean tunnel = response.body() instanceof Body.Tunnel;
        if (tunnel) {
            checkUpgrade(h, response);
        }
        connection.body().askBefore(response, h.method());
        last |= !tunnel && connection.body().endsConnection(response.body() instanceof Body.Stream);
        // A connection that changes its protocol does not close behind the head, whatever its past.
        boolean close = !tunnel && (last || !h.keepAlive());
        int most = MAX_AT_ONCE;
        if (response.body() instanceof Body.Bytes bytes && bytes.isShared()) {
            most = UNCOPIED;
            if (bytes.length() > most) {
                bytes.slice(0, 0)
                        .release(); // fails if the buffer is no more, before its head is out
            }
        }
        brief = close && isBrief(response.body());
        boolean goesOn = encoder().head(response, h.method(), h.version(), close, most, out());
        last |= !goesOn;
        return isBodyDue();
    }

    private boolean isBrief(Body body) {
        return body instanceof Body.Bytes bytes
                && bytes.length() <= BRIEF
                && responses.isEmpty()
                && context().channel().pendingBytes() == 0;
    }

    /// A server changes to nothing that the client did not ask for (RFC 9110, 7.8).
    private void checkUpgrade(RequestHead request, Response response) {
        if (connection.body().isComing()) {
            throw new IllegalArgumentException(
                    "upgrade within the request's body (expected: behind it)");
        }
        if (response.status() != Status.SWITCHING_PROTOCOLS) {
            return;
        }
        String protocol = response.headers().first(HeaderName.UPGRADE);
        if (protocol == null
                || request.version() != Version.HTTP_1_1
                || !request.headers().containsToken(HeaderName.CONNECTION, "upgrade")
                || !request.headers().containsToken(HeaderName.UPGRADE, protocol)) {
            throw new IllegalArgumentException(
                    "upgrade: "
                            + protocol
                            + " (expected: one of "
                            + request.headers().all(HeaderName.UPGRADE)
                            + ", which the request names)");
        }
    }

    @Override
    public void data(Buffer piece) {
        int length = piece.readableBytes();
        if (length < UNCOPIED) {
            try (piece) {
                encoder().data(piece, out());
            }
            return;
        }
        try {
            encoder().beginData(length, out());
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        writeBehind(piece);
        encoder().endData(out());
    }

    /// Writes what is gathered, and `message` uncopied behind it.
    private void writeBehind(Object message) {
        responses.write();
        context().write(message);
        unflushed = true;
    }

    @Override
    public boolean takesPieces() {
        return true;
    }

    /// Other handlers, such as TLS, have to see bytes.
    @Override
    public boolean takesFiles() {
        ChannelHandlerContext c = context();
        return c.pipeline().names().getFirst().equals(c.name());
    }

    @Override
    public void file(FileRegion region) {
        try {
            if (region.remaining() > 0) {
                encoder().beginData(region.remaining(), out());
            }
        } catch (RuntimeException | Error e) {
            region.close();
            throw e;
        }
        boolean empty = region.remaining() == 0;
        writeBehind(region);
        if (!empty) {
            encoder().endData(out());
        }
    }

    /// Sends trailers to a client that said that it takes them (RFC 9110, 6.5.1). A body that is
    /// not sent in chunks has no place for any.
    @Override
    public void end(Headers trailers) {
        RequestHead h = head;
        boolean taken =
                !trailers.isEmpty()
                        && h != null
                        && h.headers().containsToken(HeaderName.TE, "trailers");
        encoder().end(taken ? trailers : Headers.EMPTY, out());
    }

    @Override
    public void send() {
        if (responses.write() || unflushed) {
            unflushed = false;
            context().flush();
        }
    }

    /// Sends encoded answers, unless requests are being decoded: then they are sent with the
    /// answers to the others.
    @Override
    public void sendSoon() {
        if (!input.isDecoding()) {
            send();
        }
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void last() {
        last = true;
    }

    /// Tells if the client has announced that it sends nothing behind its request (RFC 9112, 9.6),
    /// all of which is in, and has kept that so far.
    private boolean isClientsLast() {
        RequestHead h = head;
        return h != null && !h.keepAlive() && !connection.body().isComing() && input.isEmpty();
    }

    @Override
    public void answered() {
        if (last && brief && isClientsLast()) {
            context().expectNoInput();
        }
        head = null;
        connection.answered();
    }

    @Override
    public void upgrade(Upgrade upgrade) {
        head = null;
        connection.upgrade(upgrade);
    }

    @Override
    public void abort() {
        context().channel().abort();
    }

    @Override
    public void giveUp(String what, Throwable cause) {
        connection.giveUp(what, cause);
    }

    private Buffer out() {
        return responses.out();
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("idle");
        }
        return ctx;
    }
}
