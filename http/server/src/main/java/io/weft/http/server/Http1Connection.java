package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.Cumulation;
import io.weft.codec.framing.DecoderException;
import io.weft.http.http1.HttpDecodeException;
import io.weft.http.http1.RequestDecoder;
import io.weft.http.http1.RequestPart;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.http1.ResponseEncoder;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection of a server.
///
/// Requests are handled one after the other. While one is being answered (by an asynchronous handler, or with a streamed
/// body), or while the client does not take what waits for it, the decoder is paused: what the client pipelines meanwhile
/// stays undecoded, and soon unread, so it waits in the client's own kernel.
///
/// Deadlines are checked from outside, by [Sweeper]. All on the channel's loop.
final class Http1Connection implements ChannelHandler, Consumer<RequestPart> {
    private enum Phase {
        /// Requests are read.
        READING,
        /// One is being answered.
        ANSWERING,
        /// The client does not take its answers.
        STALLED,
        /// The last answer is out; input is discarded until the client has read it (RFC 9112, 9.6).
        LINGERING,
        CLOSED
    }

    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");
    private static final long LINGER_NANOS = 2_000_000_000L;
    private static final int LINGER_BYTES = 1 << 20;

    private final Application application;
    private final HttpServerLimits limits;
    private final Sweeper sweeper;
    private final RequestDecoder decoder;
    private final ResponseEncoder encoder;
    private final Cumulation input = new Cumulation();
    private final RequestBody body;

    /// Neighbours in the sweeper's list.
    @Nullable Http1Connection next;

    @Nullable Http1Connection prev;

    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Responses responses;
    private Phase phase = Phase.READING;

    /// Of the request that is coming in or being answered.
    private @Nullable RequestHead head;

    /// The last request without a body; the same head again makes the same request.
    private @Nullable Request bodiless;

    private @Nullable RequestHead bodilessHead;

    /// Whether something is kept of the last request and its answer, which the next ones may be like.
    private boolean remembers;

    private @Nullable BodySender sender;
    private boolean decoding;
    private boolean closeAfter;
    private boolean inputEnded;

    /// When the phase, or what it waits for, began: a head, a body, the idle time, the stall, the lingering.
    private long since;

    /// Whether `since` is the first byte of a head that has not come in whole, rather than the end of a request.
    private boolean headBegun = true;

    private long bodyReceived;
    private long stalledBytes;
    private int discarded;

    Http1Connection(Application application, HttpServerLimits limits, Sweeper sweeper) {
        this.application = application;
        this.limits = limits;
        this.sweeper = sweeper;
        this.decoder = new RequestDecoder(limits.http1());
        this.encoder = new ResponseEncoder(sweeper.date());
        this.body = new RequestBody(limits.body());
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        responses = new Responses(context);
        since = context.eventLoop().clock().nanoTime();
        sweeper.add(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Buffer in = (Buffer) message;
        if (phase == Phase.LINGERING || phase == Phase.CLOSED) {
            discard(in);
            return;
        }
        input.add(in);
        decode();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            return;
        }
        if (sender != null) {
            sender.pump();
        } else if (phase == Phase.STALLED) {
            goOn();
        }
    }

    /// The client has finished sending; what it asked before is still answered.
    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        inputEnded = true;
        if (phase == Phase.LINGERING || phase == Phase.READING) {
            flush();
            context.close();
        } else if (input.size() == 0) {
            closeAfter = true; // what is being answered is the last
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    /// Somebody wants the connection closed, as a server does that shuts down: what is being asked or answered is finished
    /// first.
    @Override
    public void close(ChannelHandlerContext context) {
        closeAfter = true;
        boolean idle = phase == Phase.READING && head == null && input.size() == 0 && !decoding;
        if (idle || phase == Phase.LINGERING) {
            context.close();
        }
    }

    /// Cuts the connection off after a failure that nothing else is to be done about.
    void giveUp(String what, Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, what, cause);
        end();
        if (ctx != null) {
            ctx.channel().abort();
        }
    }

    private void end() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            decoder.pause(); // this may happen within a flush of its consumer
            sweeper.remove(this);
            input.release();
            body.release();
            if (responses != null) {
                responses.release();
            }
            if (sender != null) {
                sender.close();
                sender = null;
            }
        }
    }

    // ---- requests ----

    private void decode() {
        Buffer bytes = input.bytes();
        if (bytes == null || decoding) {
            return;
        }
        decoding = true;
        try {
            decoder.decode(bytes, this);
        } catch (HttpDecodeException e) {
            refuse(e.status());
        } catch (DecoderException e) {
            refuse(Status.BAD_REQUEST);
        } finally {
            decoding = false;
        }
        if (phase == Phase.LINGERING || phase == Phase.CLOSED) {
            input.release();
            return;
        }
        input.trim();
        if (!headBegun && head == null && phase == Phase.READING && input.size() > 0) {
            headBegun = true;
            since = sweeper.now();
        }
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
    }

    private void begin(RequestHead h) {
        head = h;
        remembers = true;
        headBegun = false;
        if (h.framing() != Framing.NONE) {
            since = sweeper.now();
            bodyReceived = 0;
            if (!body.allows(h.contentLength())) {
                refuse(Status.CONTENT_TOO_LARGE);
            } else if (h.expectContinue()) {
                encoder.interim(Status.CONTINUE, Headers.EMPTY, out());
            }
        }
    }

    private void take(Buffer data) {
        bodyReceived += data.readableBytes();
        if (!body.add(data)) {
            refuse(Status.CONTENT_TOO_LARGE);
        }
    }

    private void handle() {
        phase = Phase.ANSWERING;
        Request request = request();
        switch (application) {
            case Application.Direct direct -> {
                Response response;
                try {
                    response = direct.handler().handle(request);
                } catch (Throwable t) {
                    failed(t);
                    return;
                }
                respond(response);
            }
            case Application.Async async -> {
                decoder.pause();
                CompletionStage<Response> stage;
                try {
                    stage =
                            Objects.requireNonNull(
                                    async.handler().handle(request), "the handler answered null");
                } catch (Throwable t) {
                    failed(t);
                    return;
                }
                stage.whenComplete(this::answer);
            }
        }
    }

    private Request request() {
        RequestHead h = head();
        if (h.framing() == Framing.NONE) {
            if (h != bodilessHead || bodiless == null) {
                bodilessHead = h;
                bodiless =
                        Request.of(h.method(), h.target(), h.version(), h.headers(), Body.empty());
            }
            return bodiless;
        }
        return Request.of(h.method(), h.target(), h.version(), h.headers(), body.take());
    }

    private RequestHead head() {
        if (head == null) {
            throw new IllegalStateException("no request is under way");
        }
        return head;
    }

    // ---- responses ----

    /// An asynchronous handler has answered, on any thread.
    private void answer(@Nullable Response response, @Nullable Throwable cause) {
        ChannelHandlerContext context = context();
        if (!context.eventLoop().inLoop()) {
            try {
                context.eventLoop().executeUnbounded(() -> answer(response, cause));
            } catch (RejectedExecutionException e) {
                // The loop has ended, and its connections with it.
                discardBody(response);
            }
            return;
        }
        if (phase != Phase.ANSWERING) {
            discardBody(response);
            return;
        }
        // Nobody above would hear of what is thrown here, and the connection would wait for ever.
        try {
            if (response == null && cause != null) {
                failed(cause);
            } else {
                respond(response);
            }
            if (!decoding) {
                flush();
            }
        } catch (Throwable t) {
            giveUp("an answer could not be sent; the connection is cut", t);
        }
    }

    private void failed(Throwable cause) {
        LOGGER.log(
                System.Logger.Level.WARNING, "an HTTP handler failed; the client gets 500", cause);
        closeAfter = true;
        respond(Response.of(Status.INTERNAL_SERVER_ERROR));
    }

    private void respond(@Nullable Response response) {
        if (response == null) {
            failed(new NullPointerException("the handler answered null"));
            return;
        }
        RequestHead h = head();
        boolean goesOn;
        try {
            goesOn =
                    encoder.head(
                            response, h.method(), h.version(), closeAfter || !h.keepAlive(), out());
        } catch (Throwable e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a response could not be sent; the client gets 500",
                    e);
            discardBody(response);
            goesOn =
                    encoder.head(
                            Response.of(Status.INTERNAL_SERVER_ERROR),
                            h.method(),
                            h.version(),
                            true,
                            out());
        }
        closeAfter |= !goesOn;
        if (encoder.isBodyDue() && response.body() instanceof Body.Stream stream) {
            decoder.pause();
            sender = new BodySender(this, context(), encoder, responses(), stream);
            sender.start();
            return;
        }
        discardBody(response);
        answered();
    }

    private static void discardBody(@Nullable Response response) {
        if (response != null && response.body() instanceof Body.Stream stream) {
            close(stream.source());
        }
    }

    /// A source that throws keeps nobody from hearing that the response is over.
    static void close(BodySource source) {
        try {
            source.close();
        } catch (Throwable t) {
            LOGGER.log(System.Logger.Level.WARNING, "the source of a body failed to close", t);
        }
    }

    /// A streamed body is out.
    void bodySent() {
        sender = null;
        answered();
        if (!decoding) {
            flush();
        }
    }

    /// A streamed body cannot be completed: the connection is cut, so that nobody takes the part for the whole.
    void bodyFailed(Throwable cause) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "a response body failed; the connection is cut",
                cause);
        sender = null;
        context().channel().abort();
    }

    private void answered() {
        head = null;
        since = sweeper.now();
        if (closeAfter) {
            finish(input.size() > 0);
            return;
        }
        phase = Phase.READING;
        if (responses().isFull()) {
            flush();
        }
        if (phase == Phase.CLOSED) {
            return;
        }
        if (!context().channel().isWritable()) {
            phase = Phase.STALLED;
            stalledBytes = 0;
            decoder.pause();
        } else if (!decoding) {
            goOn();
        } else {
            decoder.resume();
        }
    }

    /// Decodes what came in while the decoder was paused.
    private void goOn() {
        phase = Phase.READING;
        since = sweeper.now();
        decoder.resume();
        decode();
        flush();
        boolean idle = head == null && input.size() == 0;
        if (phase == Phase.READING && (inputEnded || (closeAfter && idle))) {
            context().close();
        }
    }

    /// Answers a request that is none, or too large, and closes.
    private void refuse(Status status) {
        closeAfter = true;
        if (encoder.isBodyDue()) {
            context().channel().abort();
            return;
        }
        RequestHead h = head;
        Method method = h == null ? Method.GET : h.method();
        Version version = h == null ? Version.HTTP_1_1 : h.version();
        encoder.head(Response.of(status), method, version, true, out());
        finish(true);
    }

    /// The last response has been written: closes, now or when the client has had time to read it. Closing a socket that
    /// has unread input resets the connection, which may destroy what the client has not read yet.
    private void finish(boolean moreInput) {
        decoder.pause();
        head = null;
        body.release();
        phase = Phase.LINGERING;
        since = sweeper.now();
        responses().write();
        ChannelHandlerContext context = context();
        context.flush();
        if (moreInput) {
            context.channel().shutdownOutput();
        } else {
            context.close();
        }
    }

    private void discard(Buffer in) {
        discarded += in.readableBytes();
        in.release();
        if (discarded > LINGER_BYTES) {
            context().close();
        }
    }

    private void flush() {
        if (responses().write()) {
            context().flush();
        }
    }

    private Buffer out() {
        return responses().out();
    }

    private Responses responses() {
        if (responses == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return responses;
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    // ---- deadlines ----

    /// Enforces the deadline of what this connection waits for.
    void check(long now) {
        long waited = now - since;
        switch (phase) {
            case CLOSED -> {}
            case LINGERING -> {
                if (waited > LINGER_NANOS) {
                    context().close();
                }
            }
            case ANSWERING, STALLED -> checkStall(now, waited);
            case READING -> {
                if (head == null && remembers) {
                    forget();
                }
                if (head != null) {
                    checkBody(waited);
                } else if (headBegun && waited > limits.headTimeout().toNanos()) {
                    timeOut(input.size() > 0);
                } else if (!headBegun && waited > limits.idleTimeout().toNanos()) {
                    timeOut(false);
                } else if (context().channel().pendingBytes() > 0) {
                    checkStall(now, waited);
                }
            }
        }
    }

    /// Between requests: whoever sends many a second loses nothing by it, and whoever waits keeps no more than it must.
    private void forget() {
        remembers = false;
        bodiless = null;
        bodilessHead = null;
        decoder.forget();
        encoder.forget();
    }

    private void checkBody(long waited) {
        long grace = limits.bodyGrace().toNanos();
        if (waited > grace && bodyReceived < (waited - grace) / 1e9 * limits.bodyRate()) {
            timeOut(true);
        }
    }

    private void timeOut(boolean answer) {
        if (answer) {
            refuse(Status.REQUEST_TIMEOUT);
        } else {
            context().close();
        }
    }

    private void checkStall(long now, long waited) {
        long pending = context().channel().pendingBytes();
        if (pending == 0 || pending != stalledBytes) {
            stalledBytes = pending;
            since = now;
        } else if (waited > limits.stallTimeout().toNanos()) {
            context().channel().abort();
        }
    }
}
