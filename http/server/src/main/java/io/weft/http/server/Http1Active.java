package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http1.RequestPart;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.Exchange;
import io.weft.http.server.exchange.Turn;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// All of an HTTP/1.1 connection that is not needed between requests. Its loop lends it to an
/// [Http1Connection] from the first byte of a request until the connection is idle.
///
/// Requests are handled one after the other. While one is being answered (by an asynchronous
/// handler, or with a streamed body), or while the client does not take what waits for it, the
/// decoder is paused: what the client pipelines meanwhile stays undecoded. When more waits than the
/// larger of a head's limit and 64 KiB, reading is suspended, so the rest waits in the client's own
/// kernel.
///
/// [Http1Input] and [Http1Answers] are its two directions. Thread: the channel's loop.
final class Http1Active implements Consumer<RequestPart> {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private final Exchange exchange;
    final Http1Input input;
    private final Http1Answers answers;
    private final Http1Body body;
    private final Http1Requests requests;

    /// Takes the channel over when the decoder has returned.
    private @Nullable Upgrade upgrade;

    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Deadlines deadlines;
    private Http1Phase phase = Http1Phase.READING;

    Http1Active(ServerLoop server) {
        this.input = new Http1Input(server.limits().http1());
        this.answers = new Http1Answers(this, input, server.sweeper(), this::nextTurn);
        this.exchange = new Exchange(server.application(), server.limits(), answers);
        this.body = new Http1Body(exchange, input, answers);
        this.requests = new Http1Requests(server, exchange);
    }

    /// Begins to be a connection's.
    void begin(Http1Connection connection, ChannelHandlerContext context, Deadlines its) {
        ctx = context;
        deadlines = its;
        requests.attach(context.channel(), connection);
        answers.attach(context);
    }

    /// Ends to be a connection's that is [#isIdle], or has ended and [#isAtRest], and keeps nothing
    /// of it.
    void end() {
        phase = Http1Phase.READING;
        input.resume();
        requests.forget();
        exchange.forget();
        input.forget();
        answers.forget();
        deadlines = null;
        ctx = null;
    }

    /// Tells if nothing is under way, received or sent, nor will be before the client sends again.
    boolean isIdle() {
        return phase == Http1Phase.READING
                && !input.isEnded()
                && !input.isDecoding()
                && isBetweenRequests()
                && answers.isIdle();
    }

    /// Tells if the connection ends with all that it was asked answered in full. Then nobody is
    /// left who would call for it later: no handler that has not answered, no body, no turn.
    boolean isAtRest() {
        return phase != Http1Phase.UPGRADED
                && upgrade == null
                && isBetweenRequests()
                && !body.isComing()
                && answers.isAtRest()
                && exchange.isAtRest();
    }

    // ---- the channel's events ----

    void read(Buffer in) {
        if (phase == Http1Phase.CLOSING || phase == Http1Phase.CLOSED) {
            in.release();
            return;
        }
        input.add(in);
        decode();
    }

    void readComplete() {
        answers.send();
        answers.turn().begin();
    }

    /// Does what the last turn left: decodes, or sends a body.
    private void nextTurn() {
        if (exchange.isSending()) {
            exchange.pump();
        }
        if (phase == Http1Phase.READING) {
            goOn();
        } else if (body.isComing()) {
            receiveOn();
        }
    }

    void writabilityChanged() {
        if (!context().channel().isWritable()) {
            return;
        }
        if (exchange.isSending()) {
            exchange.pump();
        } else if (phase == Http1Phase.STALLED) {
            goOn();
        }
    }

    /// The client has finished sending; what it asked before is still answered.
    void inputClosed() {
        input.ended();
        if (phase == Http1Phase.UPGRADED) {
            return; // the protocol that follows is told
        }
        if (phase == Http1Phase.READING && !answers.turn().isOver()) {
            closeNow();
        } else if (body.isComing()) {
            checkCutOff();
        } else if (input.isEmpty()) {
            answers.last(); // what is being answered is the last
        }
    }

    /// Closes the connection behind a request or an answer in progress.
    void close() {
        answers.last();
        boolean mayEnd =
                phase == Http1Phase.DRAINING
                        || (phase == Http1Phase.READING && isBetweenRequests());
        if (mayEnd && !input.isDecoding()) {
            closeNow();
        } else if (phase == Http1Phase.CLOSING || phase == Http1Phase.UPGRADED) {
            context().close();
        }
    }

    /// Cuts the connection off after a failure that nothing else is to be done about.
    void giveUp(String what, Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, what, cause);
        boolean _ = gone();
        context().channel().abort();
    }

    /// The channel is closed, or another protocol's.
    ///
    /// @return whether this may be another connection's, once those who call have returned
    boolean gone() {
        boolean atRest = isAtRest();
        if (phase != Http1Phase.CLOSED) {
            upgrade = null;
            phase = Http1Phase.CLOSED;
            input.pause(); // this may happen within a flush of its consumer
            deadlines().end();
            input.release();
            answers.release();
            if (!atRest) {
                exchange.cancel();
            }
        }
        return atRest;
    }

    // ---- requests ----

    private void decode() {
        if (input.isDecoding() || (input.isEmpty() && !input.isWithinRequest())) {
            return;
        }
        if (!answers.turn().isOver()) {
            decodeNow();
        }
        if (phase != Http1Phase.UPGRADED) {
            input.demand(context(), answers.turn(), phase.enough());
        }
    }

    private void decodeNow() {
        Status refused = input.decode(this);
        if (refused != null) {
            refuse(refused);
        }
        if (phase == Http1Phase.CLOSING || phase == Http1Phase.CLOSED) {
            input.release();
            return;
        }
        input.trim();
        if (upgrade != null) {
            handOver(upgrade);
            return;
        }
        boolean begun =
                answers.request() == null && phase == Http1Phase.READING && input.isWithinRequest();
        if (begun && deadlines().isWaitingForRequest()) {
            deadlines().waitFor(Wait.HEAD);
        }
    }

    @Override
    public void accept(RequestPart part) {
        switch (part) {
            case RequestHead h when phase == Http1Phase.READING -> begin(h);
            case BodyPart data -> take(data.data());
            case EndOfRequest end when phase == Http1Phase.READING -> handle(null, end.trailers());
            case EndOfRequest end when body.isComing() -> endOfBody(end.trailers());
            default -> {} // the connection ends
        }
        if (!answers.turn().spend(Turn.PART) && (phase == Http1Phase.READING || body.isComing())) {
            input.pause();
            answers.turn().end();
        }
    }

    private void begin(RequestHead h) {
        answers.request(h);
        if (h.framing() == Framing.NONE) {
            return;
        }
        exchange.begin(requests.of(h));
        if (!exchange.allows(h.contentLength())) {
            refuse(Status.CONTENT_TOO_LARGE);
        } else if (exchange.streams()) {
            handle(body.begin(h, deadlines()), Headers.EMPTY);
        } else {
            exchange.body().collect(h.contentLength());
            deadlines().waitFor(Wait.BODY);
            answers.askForBody();
        }
    }

    /// Takes a piece of a body: for its request, for a handler that reads it, or for nobody.
    private void take(Buffer data) {
        if (phase == Http1Phase.READING) {
            deadlines().received(data.readableBytes());
            if (!exchange.body().add(data)) {
                refuse(exchange.body().refusal());
            }
        } else if (phase == Http1Phase.ANSWERING && body.isComing()) {
            body.take(data);
        } else if (phase == Http1Phase.DRAINING) {
            if (!body.drop(data)) {
                closeNow();
            }
        } else {
            data.release();
        }
    }

    private void handle(@Nullable Body streamed, Headers trailers) {
        phase = Http1Phase.ANSWERING;
        if (!body.isComing() || answers.mustAsk()) {
            deadlines().waitForAnswer();
        }
        RequestHead head = Objects.requireNonNull(answers.request(), "request");
        requests.handle(head, streamed, trailers);
        if (phase == Http1Phase.ANSWERING && !body.isComing()) {
            input.pause();
        }
    }

    // ---- a body that comes in while its request is answered ----

    Http1Body body() {
        return body;
    }

    private void endOfBody(Headers trailers) {
        body.end();
        if (phase == Http1Phase.DRAINING) {
            phase = Http1Phase.READING;
            deadlines().waitFor(Wait.REQUEST);
            stallIfUnwritable();
        } else {
            deadlines().waitForAnswer();
            input.pause();
            exchange.body().end(trailers);
        }
    }

    /// The handler reads, has read, or reads no more.
    void bodyWanted() {
        if (phase == Http1Phase.ANSWERING && body.wanted()) {
            receiveOn();
        }
    }

    /// Decodes what came of the body while it had to wait.
    private void receiveOn() {
        if (!answers.turn().isOver() && !body.isPaused()) {
            input.resume();
            decode();
            checkCutOff();
            if (phase == Http1Phase.READING) {
                goOn();
            }
        }
        if (phase != Http1Phase.CLOSED) {
            answers.send();
        }
    }

    /// The client may have ended within a body: what it asked is incomplete (RFC 9112, 8). A
    /// handler that reads is told, and answers; for one that does not, the connection does not
    /// wait.
    private void checkCutOff() {
        if (!input.isEnded()
                || !body.isComing()
                || answers.turn().isOver()
                || !body.isCutOff(input.size())) {
            return;
        }
        answers.last();
        if (phase == Http1Phase.DRAINING) {
            closeNow();
        } else if (!body.cutOff() && isUnanswered()) {
            refuse(Status.BAD_REQUEST);
        }
    }

    // ---- answers ----

    void interim(Object ticket, Status status, Headers headers) {
        if (phase.mayAnswer() && requests.isLast(ticket)) {
            answers.interim(status, headers);
        }
    }

    /// An answer is encoded.
    void answered() {
        deadlines().waitFor(Wait.REQUEST);
        if (answers.isLast()) {
            if (!exchange.isAtRest()) {
                exchange.cancel();
            }
            answers.request(null);
            closeNow();
            return;
        }
        phase = Http1Phase.READING;
        answers.sendIfFull();
        if (phase == Http1Phase.CLOSED) {
            return;
        }
        if (body.isComing()) {
            drain();
        } else if (stallIfUnwritable()) {
            return;
        } else if (!input.isDecoding()) {
            goOn();
        } else {
            input.resume();
        }
    }

    private boolean stallIfUnwritable() {
        if (context().channel().isWritable()) {
            return false;
        }
        phase = Http1Phase.STALLED;
        deadlines().waitForAnswer();
        input.pause();
        return true;
    }

    /// Drops the rest of a body whose request is answered.
    private void drain() {
        phase = Http1Phase.DRAINING;
        body.beginDrain();
        if (input.isDecoding()) {
            input.resume();
        } else {
            receiveOn();
        }
    }

    /// Decodes what came in while the decoder was paused.
    private void goOn() {
        phase = Http1Phase.READING;
        if (answers.turn().isOver()) {
            return;
        }
        if (answers.request() == null) {
            deadlines().waitFor(Wait.REQUEST);
        }
        input.resume();
        decode();
        answers.send();
        boolean ended = input.isEnded() && !answers.turn().isOver(); // else, later
        if (phase == Http1Phase.READING && (ended || (answers.isLast() && isBetweenRequests()))) {
            closeNow();
        }
    }

    /// The head of the last answer is encoded, and the connection changes its protocol behind it.
    void upgrade(Upgrade to) {
        phase = Http1Phase.UPGRADED;
        deadlines().waitFor(Wait.NOTHING);
        input.pause();
        if (input.isDecoding()) {
            upgrade = to;
        } else {
            handOver(to);
        }
    }

    /// Gives the channel to another protocol: its handlers stand behind this one, which leaves.
    private void handOver(Upgrade to) {
        upgrade = null;
        ChannelHandlerContext c = context();
        answers.send();
        if (phase != Http1Phase.UPGRADED) {
            return; // the connection broke in the flush
        }
        try {
            Handover.run(to, c, input.take(), input.isEnded());
        } catch (Throwable t) {
            giveUp("the protocol of an upgrade failed to open; the connection is cut", t);
        }
    }

    private boolean isUnanswered() {
        return phase == Http1Phase.ANSWERING && !answers.isBodyDue();
    }

    private boolean isBetweenRequests() {
        return answers.request() == null && input.isEmpty() && !input.isWithinRequest();
    }

    private void refuse(Status status) {
        if (answers.refuse(status)) {
            exchange.refused(status);
            exchange.cancel();
            answers.request(null);
            closeNow();
        } else {
            context().channel().abort();
        }
    }

    /// Sends what is written, and closes. Nothing more is read, and no deadline but those of the
    /// channel's close applies.
    private void closeNow() {
        input.pause();
        body.end();
        phase = Http1Phase.CLOSING;
        deadlines().waitFor(Wait.NOTHING);
        if (!input.isDecoding()) {
            input.release();
        }
        context().resumeReading(); // the client's close_notify may be waited for
        answers.send();
        context().close();
    }

    /// The client was too late with what is waited for.
    void missed(Wait what) {
        boolean within = what == Wait.BODY || (what == Wait.HEAD && input.isWithinRequest());
        if (what == Wait.ANSWER) {
            if (isUnanswered()) {
                refuse(Status.SERVICE_UNAVAILABLE); // the client may be gone
            }
        } else if (within && phase != Http1Phase.DRAINING) {
            refuse(Status.REQUEST_TIMEOUT);
        } else {
            closeNow();
        }
    }

    private Deadlines deadlines() {
        return Objects.requireNonNull(deadlines, "idle");
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(ctx, "idle");
    }
}
