package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http1.RequestPart;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Consumer;

/// One HTTP/1.1 connection of a server.
///
/// Requests are handled one after the other. While one is being answered (by an asynchronous
/// handler, or with a streamed body), or while the client does not take what waits for it, the
/// decoder is paused: what the client pipelines meanwhile stays undecoded. When more waits than the
/// larger of a head's limit and 64 KiB, reading is suspended, so the rest waits in the client's own
/// kernel.
///
/// It decides what happens next; [Http1Input] and [Http1Answers] are its two directions, and the
/// [Exchange] is what they are for. Thread: the channel's loop.
final class Http1Connection implements ChannelHandler, Consumer<RequestPart>, Deadlines.Owner {
    private enum Phase {
        /// Requests are read.
        READING,
        /// One is being answered.
        ANSWERING,
        /// The client does not take its answers.
        STALLED,
        /// The last answer is out, and the channel closes in order (RFC 9112, 9.6).
        CLOSING,
        /// Another protocol has the channel, or gets it when the decoder has returned.
        UPGRADED,
        CLOSED
    }

    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private final Exchange exchange;
    private final Deadlines deadlines;
    private final Http1Input input;
    private final Http1Answers answers;
    private final Http1Requests requests = new Http1Requests();

    /// Takes the channel over when the decoder has returned.
    private @Nullable Upgrade upgrade;

    private @Nullable ChannelHandlerContext ctx;
    private Phase phase = Phase.READING;

    /// True if parts of the last request and its answer are kept, since the next ones may be like
    /// them.
    private boolean remembers;

    private boolean inputEnded;

    Http1Connection(Application application, HttpServerLimits limits, Sweeper sweeper) {
        this.input = new Http1Input(limits.http1());
        this.answers = new Http1Answers(this, sweeper.date());
        this.exchange = new Exchange(application, limits, answers);
        this.deadlines = new Deadlines(this, limits, sweeper);
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        answers.attach(context, this::nextTurn);
        deadlines.begin(context.eventLoop().clock().nanoTime());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Buffer in = (Buffer) message;
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            in.release();
            return;
        }
        input.add(in);
        decode();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        answers.send();
        turn().begin();
    }

    /// Does what the last turn left: requests that are not decoded, or a body that is not sent.
    private void nextTurn() {
        if (exchange.isSending()) {
            exchange.pump();
        } else if (phase == Phase.READING) {
            goOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            return;
        }
        if (exchange.isSending()) {
            exchange.pump();
        } else if (phase == Phase.STALLED) {
            goOn();
        }
    }

    /// The client has finished sending; what it asked before is still answered.
    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        inputEnded = true;
        if (phase == Phase.UPGRADED) {
            return; // the protocol that follows is told
        }
        if (phase == Phase.READING && !turn().isOver()) {
            closeNow();
        } else if (input.isEmpty()) {
            answers.last(); // what is being answered is the last
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        gone();
    }

    /// Closes the connection, for example when a server shuts down. A request or an answer in
    /// progress is finished first.
    @Override
    public void close(ChannelHandlerContext context) {
        answers.last();
        if (phase == Phase.READING && !isDecoding() && isBetweenRequests()) {
            closeNow();
        } else if (phase == Phase.CLOSING || phase == Phase.UPGRADED) {
            context.close();
        }
    }

    @Override
    public void giveUp(String what, Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, what, cause);
        gone();
        if (ctx != null) {
            ctx.channel().abort();
        }
    }

    private void gone() {
        if (phase != Phase.CLOSED) {
            upgrade = null;
            phase = Phase.CLOSED;
            input.pause(); // this may happen within a flush of its consumer
            deadlines.end();
            input.release();
            answers.release();
            exchange.cancel();
        }
    }

    // ---- requests ----

    private void decode() {
        if (input.isEmpty() || input.isDecoding()) {
            return;
        }
        if (!turn().isOver()) {
            decodeNow();
        }
        if (phase != Phase.UPGRADED) {
            demand();
        }
    }

    private void decodeNow() {
        Status refused = input.decode(this);
        if (refused != null) {
            refuse(refused);
        }
        if (phase == Phase.CLOSING || phase == Phase.CLOSED) {
            input.release();
            return;
        }
        input.trim();
        if (upgrade != null) {
            handOver(upgrade);
            return;
        }
        boolean begun =
                answers.request() == null && phase == Phase.READING && input.isWithinRequest();
        if (begun && deadlines.isWaitingForRequest()) {
            deadlines.waitFor(Wait.HEAD);
        }
    }

    private void demand() {
        boolean waiting = phase == Phase.ANSWERING || phase == Phase.STALLED;
        input.demand(context(), turn(), waiting);
    }

    boolean isDecoding() {
        return input.isDecoding();
    }

    @Override
    public void accept(RequestPart part) {
        if (phase != Phase.READING) {
            if (part instanceof BodyPart data) {
                data.data().release();
            }
            return;
        }
        switch (part) {
            case RequestHead h -> begin(h);
            case BodyPart data -> take(data.data());
            case EndOfRequest _ -> handle();
        }
        if (!turn().spend(Turn.PART) && phase == Phase.READING) {
            input.pause();
            turn().end();
        }
    }

    private void begin(RequestHead h) {
        answers.request(h);
        remembers = true;
        if (h.framing() != Framing.NONE) {
            deadlines.waitFor(Wait.BODY);
            if (!exchange.allows(h.contentLength())) {
                refuse(Status.CONTENT_TOO_LARGE);
            } else if (h.expectContinue()) {
                answers.askForBody();
            }
        }
    }

    private void take(Buffer data) {
        deadlines.received(data.readableBytes());
        if (!exchange.data(data)) {
            refuse(Status.CONTENT_TOO_LARGE);
        }
    }

    private void handle() {
        phase = Phase.ANSWERING;
        deadlines.waitForAnswer();
        exchange.handle(requests.of(head(), exchange));
        if (phase == Phase.ANSWERING) {
            input.pause();
        }
    }

    private RequestHead head() {
        return Objects.requireNonNull(answers.request(), "no request is under way");
    }

    // ---- answers ----

    /// An answer is encoded.
    void answered() {
        deadlines.waitFor(Wait.REQUEST);
        if (answers.isLast()) {
            finish();
            return;
        }
        phase = Phase.READING;
        if (answers.isFull()) {
            turn().spend(Turn.PIECE);
            answers.send();
        }
        if (phase == Phase.CLOSED) {
            return;
        }
        if (!context().channel().isWritable()) {
            phase = Phase.STALLED;
            deadlines.waitForAnswer();
            input.pause();
        } else if (!isDecoding()) {
            goOn();
        } else {
            input.resume();
        }
    }

    /// Decodes what came in while the decoder was paused.
    private void goOn() {
        phase = Phase.READING;
        if (turn().isOver()) {
            return;
        }
        if (answers.request() == null) {
            deadlines.waitFor(Wait.REQUEST);
        }
        input.resume();
        decode();
        answers.send();
        if (phase == Phase.READING && (inputEnded || (answers.isLast() && isBetweenRequests()))) {
            closeNow();
        }
    }

    /// The head of the last answer is encoded, and the connection changes its protocol behind it.
    void upgrade(Upgrade to) {
        phase = Phase.UPGRADED;
        deadlines.waitFor(Wait.NOTHING);
        input.pause();
        if (isDecoding()) {
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
        if (phase != Phase.UPGRADED) {
            return; // the connection broke in the flush
        }
        Buffer rest = input.take();
        try {
            to.open(c.channel());
            c.pipeline().remove(this);
        } catch (Throwable t) {
            if (rest != null) {
                rest.release();
            }
            giveUp("the protocol of an upgrade failed to open; the connection is cut", t);
            return;
        }
        if (rest != null) {
            c.fireChannelRead(rest);
            c.fireChannelReadComplete();
        }
        if (inputEnded) {
            c.fireChannelInputClosed();
        }
    }

    private boolean isBetweenRequests() {
        return answers.request() == null && input.isEmpty() && !input.isWithinRequest();
    }

    /// Answers a request that is malformed or too large, and closes.
    private void refuse(Status status) {
        if (answers.refuse(status)) {
            finish();
        } else {
            context().channel().abort();
        }
    }

    /// The last response has been written, and is sent before the end.
    private void finish() {
        answers.request(null);
        exchange.refuse();
        closeNow();
    }

    /// Nothing more is read, and no deadline but those of the channel's close applies.
    private void closeNow() {
        input.pause();
        phase = Phase.CLOSING;
        deadlines.waitFor(Wait.NOTHING);
        if (!isDecoding()) {
            input.release();
        }
        context().resumeReading(); // the client's close_notify may be waited for
        answers.send();
        context().close();
    }

    private Turn turn() {
        return answers.turn();
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    // ---- deadlines ----

    @Override
    public long pendingBytes() {
        return context().channel().pendingBytes();
    }

    @Override
    public void missed(Wait what) {
        boolean answer = what == Wait.BODY || (what == Wait.HEAD && input.isWithinRequest());
        if (answer) {
            refuse(Status.REQUEST_TIMEOUT);
        } else {
            closeNow();
        }
    }

    @Override
    public void stalled() {
        context().channel().abort();
    }

    /// Between requests: whoever sends many a second loses nothing by it, and whoever waits keeps
    /// no more than it must.
    @Override
    public void quiet() {
        if (remembers && answers.request() == null) {
            remembers = false;
            requests.forget();
            input.forget();
            answers.forget();
        }
    }
}
