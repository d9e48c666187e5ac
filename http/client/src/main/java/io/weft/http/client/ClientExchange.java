package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.codec.DecoderException;
import io.weft.codec.compression.Decompressor;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.client.HttpClientException.Malformed;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.client.HttpClientException.UpgradeFailed;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// One request and its response, whatever wire carries them. It sends the request at the server's
/// pace, hands the response over at the application's, and enforces the deadlines of both.
///
/// Thread: the loop of its wire; [#cancel] and what the body calls may come from others.
final class ClientExchange implements ResponseBody.Flow, ExchangeTimer.Owner {
    private final Request request;
    private final Origin origin;
    private final HttpClientLimits limits;
    private final @Nullable ClientUpgrade upgrade;
    private final ExchangeOwner owner;
    private final ResponseContent content = new ResponseContent(this);

    /// Written by the loop, which then looks if the exchange was cancelled.
    private volatile @Nullable ClientWire wire;

    private @Nullable ExchangeTimer timer;
    private @Nullable RequestSender sender;
    private Stage stage = Stage.SEND;
    private boolean requestSent;
    private boolean waitsForContinue;
    private boolean answered;
    private boolean responded;
    private boolean over;

    /// The wire has ended behind a response that is whole.
    private boolean outlived;

    private int interims;

    private volatile @Nullable HttpClientException cancelled;

    /// @param upgrade what takes the connection over if the server agrees; null for none
    ClientExchange(
            Request request,
            Origin origin,
            HttpClientLimits limits,
            @Nullable ClientUpgrade upgrade,
            ExchangeOwner owner) {
        this.upgrade = upgrade;
        this.request = RequestSender.inPieces(request);
        this.origin = origin;
        this.limits = limits;
        this.owner = owner;
    }

    // ---- the request ----

    /// Begins on a wire that is free.
    void begin(ClientWire on) {
        wire = on;
        ExchangeTimer t = new ExchangeTimer(on, limits, this);
        timer = t;
        HttpClientException before = cancelled;
        if (before != null) {
            notBegun(on, before);
            return;
        }
        boolean due;
        try {
            due = on.head(request);
        } catch (RuntimeException e) {
            notBegun(on, new Unsendable(origin, e));
            return;
        }
        on.send();
        if (over) {
            return;
        }
        if (!due) {
            requestSent();
            return;
        }
        RequestSender s = new RequestSender(this, on, request.body());
        sender = s;
        waitsForContinue = request.headers().contains(HeaderName.EXPECT);
        if (waitsForContinue) {
            t.awaitContinue();
        } else {
            t.sending(false);
            s.start();
        }
    }

    /// A piece of the body was sent, or there is none to send.
    ///
    /// @param idle whether the application has nothing to send now
    void sending(boolean idle) {
        if (timer != null && !waitsForContinue) {
            timer.sending(idle);
        }
    }

    /// The request is out.
    void requestSent() {
        requestSent = true;
        stage = responded ? stage : Stage.HEAD;
        if (timer != null) {
            timer.requestSent();
        }
    }

    /// The body of the request cannot be completed.
    void requestFailed(Throwable cause) {
        fail(new Unsendable(origin, cause), true);
    }

    /// The wire takes more.
    void writable() {
        if (sender != null) {
            sending(false);
            sender.pump();
        }
    }

    // ---- the response ----

    /// Bytes of a response came.
    void answered() {
        answered = true;
    }

    /// An interim response came. Its wire looks at the rules for them on HTTP/1.1 alone.
    void interim(Status status, Headers headers) {
        if (over) {
            return;
        }
        DecoderException fault = InterimRules.fault(++interims, headers);
        if (fault != null) {
            fail(new Malformed(origin, stage, fault), true);
        } else if (status != Status.CONTINUE) {
            owner.interim(status, headers);
        } else if (waitsForContinue) {
            goAhead();
        }
    }

    private void goAhead() {
        waitsForContinue = false;
        if (sender != null) {
            sending(false);
            sender.start();
        }
    }

    /// Takes the head of the response. The application has it with [#respond], so that the part of
    /// the body that came with the head is there before it looks.
    ///
    /// @param empty whether there is no body, whatever the fields say
    void head(Status status, Headers headers, boolean empty) {
        if (over) {
            return;
        }
        Decompressor decompressor;
        try {
            decompressor = empty ? null : owner.decompressor(headers);
        } catch (RuntimeException | Error e) {
            fail(ResponseContent.unknownCoding(origin, e), true);
            return;
        }
        responded = true;
        stage = Stage.BODY;
        receiving();
        // A body that still waits for 100 is no longer wanted (RFC 9110, 10.1.1).
        if (waitsForContinue && sender != null) {
            waitsForContinue = false;
            sender.close();
        }
        Headers shown = headers;
        if (decompressor != null) {
            content.expand(decompressor);
            shown = headers.without(HeaderName.CONTENT_ENCODING).without(HeaderName.CONTENT_LENGTH);
        }
        content.head(status, shown);
    }

    /// Hands the response over, if its head is there and that was not done before.
    void respond() {
        content.handOver(owner);
    }

    /// Tells if the request asks for a connection with something else behind its response.
    boolean offersTunnel() {
        return upgrade != null;
    }

    /// Tells if 101 may answer the request.
    boolean offersUpgrade() {
        return upgrade != null && request.method() != Method.CONNECT;
    }

    /// The server has agreed to another protocol, whose handlers are added to the channel now.
    ///
    /// @return false if it is not what was asked for, or nobody takes it: the channel has no use
    boolean upgraded(Status status, Headers headers, Channel channel) {
        ClientUpgrade to = upgrade;
        if (over || cancelled != null || to == null) {
            return false;
        }
        try {
            to.open(channel, status, headers);
        } catch (Exception | Error e) {
            failed(new UpgradeFailed(origin, e));
            return false;
        }
        close();
        responded = true;
        boolean taken = owner.responded(status, headers, content.body());
        content.finish();
        owner.over();
        return taken;
    }

    /// Takes a piece of the body.
    void data(Buffer piece) {
        if (over) {
            piece.release();
            return;
        }
        if (content.isDropped()) {
            if (!content.drop(piece)) {
                fail(new Cancelled(origin, Stage.BODY), true);
            }
            return;
        }
        receiving();
        boolean more;
        try {
            more = content.add(piece);
        } catch (DecoderException e) {
            fail(ResponseContent.undecodable(origin, e), true);
            return;
        }
        if (!more) {
            throttle();
        }
    }

    /// The application reads no further for now, which costs the server nothing.
    private void throttle() {
        wire().demand(false);
        if (timer != null) {
            timer.throttled();
        }
    }

    /// The response is whole.
    void end(Headers fields) {
        if (over) {
            return;
        }
        boolean done;
        try {
            done = content.end(fields);
        } catch (DecoderException e) {
            fail(ResponseContent.undecodable(origin, e), true);
            return;
        }
        if (done) {
            endBody();
        } else if (timer != null) {
            timer.rest(); // the rest is expanded when the body is read on
        }
    }

    /// The wire is free before the application hears of the end, whose next request may use it.
    private void endBody() {
        content.close();
        close();
        if (!outlived && requestSent) {
            wire().done();
        } else if (!outlived) {
            // The server has answered without the rest of the request, which it may still wait for.
            wire().abort();
        }
        content.finish();
        respond();
        owner.over();
    }

    /// The connection ended or broke, or what it brings is no response.
    void failed(HttpClientException cause) {
        fail(cause, false);
    }

    void disconnected(@Nullable Throwable cause) {
        fail(new Disconnected(origin, stage, cause), false);
    }

    void malformed(DecoderException cause) {
        fail(new Malformed(origin, stage, cause), false);
    }

    /// The wire was closed before anything was sent.
    void unprocessed(@Nullable Throwable cause) {
        notBegun(null, new Disconnected(origin, Stage.SEND, cause));
    }

    /// The wire has had no place for it.
    void noStream(Duration most) {
        notBegun(null, new TimedOut(origin, Stage.POOL, most));
    }

    /// It was [cancelled][#cancel] while it waited for its place on the wire.
    void withdrawn() {
        HttpClientException why = cancelled;
        notBegun(null, why == null ? new Cancelled(origin, Stage.POOL) : why);
    }

    /// @param unused the wire that was given to it; null if none was
    private void notBegun(@Nullable ClientWire unused, HttpClientException cause) {
        over = true;
        if (unused != null) {
            unused.done();
        }
        owner.failed(cause, true, true);
        owner.over();
    }

    /// The server has certainly not processed the request, nor will it.
    void refused(Throwable cause) {
        if (over || responded) {
            disconnected(cause);
            return;
        }
        close();
        owner.failed(new Disconnected(origin, stage, cause), true, true);
        owner.over();
    }

    /// @param abort whether the fault is not of the wire, which has to be told
    private void fail(HttpClientException cause, boolean abort) {
        if (over) {
            return;
        }
        if (!abort && content.isWhole()) {
            // The server has said everything: the rest is expanded without it.
            outlived = true;
            rest();
            return;
        }
        close();
        content.close();
        if (abort && !outlived) {
            wire().abort();
        }
        if (responded) {
            respond();
            content.body().fail(cause);
        } else {
            owner.failed(cause, false, !answered);
        }
        owner.over();
    }

    private void close() {
        over = true;
        rest();
    }

    /// Sends nothing more, and waits for nothing.
    private void rest() {
        if (timer != null) {
            timer.end();
        }
        if (sender != null) {
            sender.close();
        }
    }

    // ---- from other threads ----

    /// Gives the exchange up, wherever it is.
    void cancel(HttpClientException why) {
        cancelled = why;
        onLoop(() -> fail(why, true));
    }

    /// Tells if the source of the request's body was taken over, to be closed here.
    boolean tookBody() {
        return sender != null;
    }

    /// Tells if a wire was given to it. Nothing of the request is touched before.
    boolean hasBegun() {
        return wire != null;
    }

    /// Tells if [#cancel] was called. Any thread.
    boolean isCancelled() {
        return cancelled != null;
    }

    Stage stage() {
        return stage;
    }

    @Override
    public void resume() {
        onLoop(
                () -> {
                    if (over) {
                        return;
                    }
                    boolean more;
                    try {
                        more = content.resume();
                    } catch (DecoderException e) {
                        fail(ResponseContent.undecodable(origin, e), true);
                        return;
                    }
                    if (content.isWhole()) {
                        if (content.isExpanded()) {
                            endBody();
                        }
                    } else if (more) {
                        receiving();
                        wire().demand(true);
                    }
                });
    }

    @Override
    public void discard() {
        onLoop(
                () -> {
                    if (over) {
                        return;
                    }
                    content.beginDrop();
                    if (content.isWhole()) {
                        endBody();
                    } else if (wire().isStream() || wire().endsWithResponse()) {
                        fail(new Cancelled(origin, Stage.BODY), true);
                    } else if (timer != null) {
                        timer.dropping();
                        wire().demand(true);
                    }
                });
    }

    private void onLoop(Runnable task) {
        ClientWire on = wire;
        if (on != null) {
            try {
                on.eventLoop().executeUnbounded(task);
            } catch (RejectedExecutionException e) {
                // The loop has ended, and the connection with it; a body may have outlived that.
                content.body().fail(new Cancelled(origin, Stage.BODY));
            }
        }
    }

    // ---- deadlines ----

    private void receiving() {
        if (timer != null) {
            timer.receiving();
        }
    }

    @Override
    public void late(Stage what, Duration most) {
        if (waitsForContinue) {
            // RFC 9110, 10.1.1: a client need not wait indefinitely.
            goAhead();
        } else {
            fail(new TimedOut(origin, what, most), true);
        }
    }

    private ClientWire wire() {
        ClientWire on = wire;
        if (on == null) {
            throw new IllegalStateException("exchange: not begun (expected: on a wire)");
        }
        return on;
    }
}
