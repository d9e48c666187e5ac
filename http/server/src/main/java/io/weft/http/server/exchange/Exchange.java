package io.weft.http.server.exchange;

import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.AsyncHttpHandler;
import io.weft.http.server.HttpServerLimits;
import io.weft.http.server.Upgrade;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// One request and its answer, whatever wire carries them. It collects the request's body, asks the
/// application, and sends the answer through the [ExchangeWire], streamed bodies at the client's
/// pace.
///
/// A wire whose requests come one after the other uses one exchange for all of them. Thread: the
/// loop; only [#answer] may be called by others.
public final class Exchange {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    /// Null where there are no filters.
    private final @Nullable FilterRun filtering;

    private final Choice choice;
    private final ExchangeWire wire;
    private final HttpServerLimits limits;

    /// Null until a request has a body.
    private @Nullable RequestBody body;

    /// The body of the request as filters have changed it, if it is a stream.
    private @Nullable BodySource adapted;

    /// Being answered.
    private @Nullable Request request;

    /// Null unless a recording of JFR takes the request.
    private @Nullable HttpServerRequestEvent recorded;

    /// Sends the body of the answer.
    private @Nullable Sender sender;

    /// An answer that is to come later.
    private @Nullable AwaitedAnswer awaited;

    /// The head that filters have seen, and for which a handler is chosen; null once it is asked.
    private @Nullable Request begun;

    private boolean cancelled;

    public Exchange(Application application, HttpServerLimits limits, ExchangeWire wire) {
        this.filtering =
                application instanceof Application.Filtered f
                        ? new FilterRun(new Filters(f.filters()))
                        : null;
        this.choice =
                new Choice(application instanceof Application.Filtered f ? f.next() : application);
        this.wire = wire;
        this.limits = limits;
    }

    // ---- the request ----

    /// Begins with the head of a request that has a body: chooses who answers it.
    public void begin(Request head) {
        choose(head);
    }

    private void choose(Request head) {
        begun = head;
        recorded = FlightRecorder.isInitialized() ? HttpServerRequestEvent.begun() : null;
        if (filtering != null) {
            filtering.begin(wire.eventLoop().clock().nanoTime());
            forget();
            Response answer = filtering.filters.before(head);
            if (answer != null) {
                choice.settle(answer);
                return;
            }
        }
        choice.route(head);
    }

    /// Tells if the application takes the body of this request as a stream. Then [#handle] it at
    /// once with [RequestBody#stream], and feed that by [RequestBody#add]; else collect it by that
    /// first.
    public boolean streams() {
        return choice.chosen().streams();
    }

    /// Tells if a body of the announced length is within the limit; -1 is.
    public boolean allows(long length) {
        return length <= (streams() ? limits.streamedBody() : limits.body());
    }

    /// The body of the request as it comes in.
    public RequestBody body() {
        RequestBody its = body;
        if (its == null) {
            its = new RequestBody(wire, limits);
            body = its;
        }
        return its;
    }

    /// Asks the application. The answer may be out when this returns.
    ///
    /// @param head the request as [#begin] got it, or `whole` if it has no body
    public void handle(Request head, Request whole) {
        if (begun == null) {
            choose(head);
        }
        begun = null;
        Request asked = choice.withParameters(whole);
        request = asked;
        if (filtering == null || choice.chosen() instanceof Application.Fixed) {
            handle(asked);
            return;
        }
        try {
            adapt(filtering.filters);
        } catch (Throwable t) {
            failed(t);
            return;
        }
        handle(request());
    }

    /// Ends a request that has [begun][#begin], and that the wire answers in the application's
    /// place. Without effect if the application was asked.
    public void refused(Status status) {
        endUnasked(Response.of(status));
    }

    private void endUnasked(@Nullable Response answer) {
        Request head = begun;
        if (head == null) {
            return;
        }
        begun = null;
        request = head;
        choice.drop();
        if (answer != null) {
            begunWith(answer);
        }
        finished(answer != null);
        request = null;
    }

    /// Changes the protocol of the connection, whatever the application would answer.
    ///
    /// @param change with an [Upgrade] as its body
    public void upgrade(Request head, Response change) {
        if (begun == null) {
            choose(head);
        }
        begun = null;
        request = head;
        choice.drop();
        send(change);
    }

    /// Has filters change the request, one after the other. If one of them fails, what those before
    /// it have changed stays: they hear of the end of the request that they have made, and its body
    /// is closed.
    private void adapt(Filters filters) throws IOException {
        for (int i = 0; i < filters.count(); i++) {
            Request changed = filters.adapt(i, request());
            request = changed;
            if (changed.body() instanceof Body.Stream stream && !isBody(stream.source())) {
                adapted = stream.source();
            }
        }
    }

    private void handle(Request asked) {
        switch (choice.chosen()) {
            case Application.Fixed fixed -> respond(fixed.response());
            case Application.Routed _, Application.Filtered _ ->
                    throw new AssertionError("a route leads to routes");
            case Application.Direct direct -> {
                Response response;
                try {
                    response = direct.handler().handle(asked);
                } catch (Throwable t) {
                    failed(t);
                    return;
                }
                respond(response);
            }
            case Application.Async async -> await(async.handler(), asked);
        }
    }

    private void await(AsyncHttpHandler handler, Request asked) {
        CompletionStage<Response> stage;
        try {
            stage = Objects.requireNonNull(handler.handle(asked), "the handler answered null");
        } catch (Throwable t) {
            failed(t);
            return;
        }
        awaited = new AwaitedAnswer(handler, stage);
        stage.whenComplete(this::answer);
    }

    // ---- the answer ----

    /// An asynchronous handler has answered, on any thread.
    private void answer(@Nullable Response response, @Nullable Throwable cause) {
        if (!wire.eventLoop().inLoop()) {
            try {
                wire.eventLoop().executeUnbounded(() -> answer(response, cause));
            } catch (RejectedExecutionException e) {
                // The loop has ended, and its connections with it.
                AnswerBodies.discard(response);
            }
            return;
        }
        if (cancelled || request == null || sender != null) {
            AnswerBodies.discard(response);
            return;
        }
        awaited = null;
        // Nobody above would hear of what is thrown here, and the connection would wait for ever.
        try {
            if (response == null && cause != null) {
                failed(cause);
            } else {
                respond(response);
            }
            wire.sendSoon();
        } catch (Throwable t) {
            wire.giveUp("an answer could not be sent; the connection is cut", t);
        }
    }

    private void failed(Throwable cause) {
        FailureAnswer meant = FailureAnswer.of(cause, this::isOurs);
        if (meant == null) {
            warn("the handler failed; the client gets 500", cause);
            meant = FailureAnswer.UNEXPECTED;
        }
        if (meant.last()) {
            wire.last();
        }
        respond(meant.response());
    }

    /// Tells if a body in memory, or a source, is the request's, as it came or as filters have made
    /// it. One that is not known counts as such.
    private boolean isOurs(@Nullable Object subject) {
        Body asked = request().body();
        return subject == null
                || subject == asked
                || (asked instanceof Body.Stream stream && subject == stream.source())
                || (subject instanceof BodySource source && isBody(source));
    }

    /// Tells if this is the streamed body of the request, as it comes in.
    private boolean isBody(BodySource source) {
        return body != null && body.is(source);
    }

    private void respond(@Nullable Response answer) {
        if (answer == null) {
            failed(new NullPointerException("the handler answered null"));
            return;
        }
        if (OpenedFile.isDue(request(), answer)) {
            await(OpenedFile.opening(answer), request());
            return;
        }
        send(filtering == null ? answer : after(filtering.filters, answer));
    }

    private Response after(Filters filters, Response answer) {
        try {
            return filters.after(request(), answer);
        } catch (Throwable t) {
            warn("a filter failed; the client gets 500", t);
            return Response.of(Status.INTERNAL_SERVER_ERROR);
        }
    }

    private void send(Response response) {
        Status refusal = TunnelRule.refusal(request().method(), wire.isExtendedConnect(), response);
        if (refusal != null) {
            // Any client may ask for a page in this way, which is no fault of its handler.
            if (!wire.isExtendedConnect()) {
                warn(TunnelRule.complaint(response, refusal), null);
            }
            AnswerBodies.discard(response);
            wire.last();
            send(Response.of(refusal));
            return;
        }
        if (request().peer() instanceof RequestPeer peer) {
            peer.sendWaiting();
        }
        boolean bodyDue;
        boolean failed = false;
        try {
            bodyDue = wire.head(response);
            begunWith(response);
        } catch (Throwable e) {
            failed = true;
            warn("the response could not be sent; the client gets 500", e);
            AnswerBodies.discard(response);
            wire.last();
            Response instead = Response.of(Status.INTERNAL_SERVER_ERROR);
            bodyDue = wire.head(instead);
            begunWith(instead);
        }
        if (response.body() instanceof Upgrade upgrade && !failed) {
            finished(true);
            request = null;
            wire.upgrade(upgrade);
            return;
        }
        if (bodyDue) {
            sendBehindHead(response.body());
            return;
        }
        sent(failed ? 0 : AnswerBodies.lengthInMemory(request(), response));
        AnswerBodies.discard(response);
        answered();
    }

    private void sendBehindHead(Body content) {
        if (content instanceof Body.Bytes bytes && bytes.isShared() && wire.takesFiles()) {
            // As it lies in memory: there is no other handler that has to see the bytes.
            sent(bytes.length());
            wire.data(bytes.slice(0, (int) bytes.length()));
            wire.end(Headers.EMPTY);
            answered();
            return;
        }
        boolean inMemory = content instanceof Body.Bytes;
        Body.Stream stream = inMemory ? Body.concat(List.of(content)) : (Body.Stream) content;
        FileSender file = wire.takesFiles() ? FileSender.of(this, wire, stream.source()) : null;
        Sender begun = file == null ? new BodySender(this, wire, stream, inMemory) : file;
        sender = begun;
        begun.start();
    }

    private void answered() {
        finished(true);
        request = null;
        giveUpBody();
        wire.answered();
    }

    private void begunWith(Response answer) {
        if (recorded != null) {
            recorded.answer(answer);
        }
        if (filtering != null) {
            filtering.answer(answer);
        }
    }

    private void finished(boolean whole) {
        String route = choice.path();
        if (recorded != null) {
            recorded.finish(request(), route, whole);
            recorded = null;
        }
        if (filtering != null) {
            filtering.finish(request(), route, wire.eventLoop().clock().nanoTime(), whole);
        }
    }

    /// Bytes of the body have been handed over.
    void sent(long bytes) {
        if (recorded != null) {
            recorded.sent += bytes;
        }
        if (filtering != null) {
            filtering.sent(bytes);
        }
    }

    /// A body is the handler's until the answer is out. A reader of an adapted one learns of it by
    /// the body below.
    private void giveUpBody() {
        if (body != null) {
            body.close();
        }
        if (adapted != null) {
            AnswerBodies.close(adapted);
            adapted = null;
        }
    }

    /// Tells if a streamed body is being sent; [#pump] continues it.
    public boolean isSending() {
        return sender != null;
    }

    /// Goes on with a streamed body: the client takes more, or it is this wire's turn.
    public void pump() {
        if (sender != null) {
            sender.pump();
        }
    }

    /// A streamed body is out.
    void bodySent() {
        sender = null;
        wire.guarded(this::answeredBehindBody);
    }

    /// The next request may be handled in here, and its failure is not that of the body before it.
    private void answeredBehindBody() {
        answered();
        wire.sendSoon();
    }

    /// A streamed body cannot be completed.
    void bodyFailed(Throwable cause) {
        warn("the body of the response failed; it is cut off", cause);
        sender = null;
        finished(false);
        wire.abort();
    }

    /// Tells if every request so far was answered in full and none was refused, so that no handler
    /// and no body refers to this any longer.
    public boolean isAtRest() {
        return !cancelled
                && request == null
                && begun == null
                && sender == null
                && awaited == null
                && (body == null || !body.isStreamed())
                && adapted == null;
    }

    /// Keeps nothing of the last request.
    public void forget() {
        if (request == null) {
            choice.forget();
        }
    }

    /// The wire is gone: an answer that is still to come is dropped.
    public void cancel() {
        cancelled = true;
        endUnasked(null);
        if (request != null) {
            finished(false);
        }
        forget();
        if (body != null) {
            body.cancel();
        }
        giveUpBody();
        if (awaited != null) {
            awaited.abandon();
            awaited = null;
        }
        if (sender != null) {
            sender.close();
            sender = null;
        }
    }

    private Request request() {
        if (request == null) {
            throw new IllegalStateException("no request is under way");
        }
        return request;
    }

    /// Logs what is wrong with the answer to a request, by its method and path. The query is left
    /// out, which may have secrets.
    private void warn(String what, @Nullable Throwable cause) {
        Request r = request;
        if (r == null) {
            LOGGER.log(System.Logger.Level.WARNING, what, cause);
            return;
        }
        RequestTarget target = r.target();
        String of = target.path().isEmpty() ? target.toString() : target.path();
        LOGGER.log(System.Logger.Level.WARNING, r.method() + " " + of + ": " + what, cause);
    }
}
