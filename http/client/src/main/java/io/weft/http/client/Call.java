package io.weft.http.client;

import io.weft.codec.compression.Decompressor;
import io.weft.eventloop.EventLoop;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.RedirectFailed;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.http2.ErrorCode;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import io.weft.loop.Future;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// One call of the application: the exchanges that it takes, one after the other, with their
/// connections, redirects, retries and the time-outs of the whole.
///
/// **Threads.** Any: its steps come one after the other, each on the thread that ended the one
/// before. What may interrupt them, a cancellation or a time-out, is ordered with them by a lock,
/// under which nobody is called.
final class Call {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.client");
    private static final int MAX_REFUSALS = 3;

    private final ClientSetup setup;
    private final @Nullable ClientUpgrade upgrade;
    private final @Nullable InterimListener interim;
    private final CallFuture<StreamedResponse> future = new CallFuture<>(this::cancel);

    // ---- under the lock ----

    private @Nullable Attempt attempt;

    /// Ends the call, now or before its next attempt.
    private @Nullable Interruption interruption;

    private boolean over;

    /// The search for records that the first attempt waits for.
    private @Nullable Future<Boolean> records;

    private @Nullable Timeout total;
    private int redirects;

    /// Times that a server with streams has refused the request.
    private int refusals;

    Call(ClientSetup setup) {
        this(setup, null, null);
    }

    Call(ClientSetup setup, ClientUpgrade upgrade) {
        this(setup, upgrade, null);
    }

    /// @param upgrade what takes the connection over; null for none
    /// @param interim what is told of interim responses; null for none
    Call(ClientSetup setup, @Nullable ClientUpgrade upgrade, @Nullable InterimListener interim) {
        this.setup = setup;
        this.upgrade = upgrade;
        this.interim = interim;
    }

    /// Starts the call.
    ///
    /// @throws IllegalArgumentException for a target that is not in absolute form, or CONNECT
    CallFuture<StreamedResponse> start(Request request) {
        Origin origin = Origin.of(request.target());
        ClientSetup.checkMethod(request);
        return start(request, origin);
    }

    /// Starts the call to an origin that the request need not name.
    CallFuture<StreamedResponse> start(Request request, Origin origin) {
        if (FlightRecorder.isInitialized()) {
            HttpClientRequestEvent.follow(future, request, origin);
        }
        Duration most = setup.limits().totalTimeout();
        EventLoop loop = setup.group().nearest();
        try {
            total = loop.scheduleCoarse(() -> expire(most), most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            fail(request, new HttpClientException.Rejected(origin, "the client is closed"));
            return future;
        }
        try {
            route(request, origin, loop);
        } catch (Throwable t) {
            end(); // the choice of a proxy threw
            RequestSender.closeSource(request);
            throw t;
        }
        return future;
    }

    /// Begins with a request of the application's, or of a redirect. One for `http://` goes by
    /// https where the origin says so by its records, as if it had been redirected (RFC 9460, 9.5).
    private void route(Request request, Origin origin, EventLoop loop) {
        Bindings bindings = setup.bindings();
        if (bindings == null
                || origin.secure()
                || request.method() == Method.CONNECT
                || setup.route(origin).proxy() != null) {
            attempt(request, origin, false);
            return;
        }
        Future<Boolean> search = bindings.isSecure(origin, loop);
        if (search.isDone()) {
            first(request, origin, search);
            return;
        }
        synchronized (this) {
            records = search;
            if (interruption != null) {
                search.cancel();
            }
        }
        var _ =
                search.addListener(
                        outcome -> {
                            try {
                                first(request, origin, outcome);
                            } catch (RuntimeException e) {
                                fail(request, new Unsendable(origin, e)); // the choice of a proxy
                            }
                        });
    }

    private void first(Request request, Origin origin, Future<Boolean> isSecure) {
        if (Boolean.TRUE.equals(isSecure.now())) {
            Request secured = Bindings.secured(request, origin);
            attempt(secured, Origin.of(secured.target()), false);
        } else {
            attempt(request, origin, false);
        }
    }

    private void attempt(Request request, Origin origin, boolean freshOnly) {
        Attempt next = new Attempt(request, origin);
        HttpClientException why;
        synchronized (this) {
            if (over) {
                return;
            }
            why = interruption == null ? null : interruption.of(next);
            attempt = next;
        }
        if (why != null) {
            fail(request, why); // it came between two attempts
        } else {
            next.begin(freshOnly);
        }
    }

    // ---- interruptions ----

    /// Makes the failure of the attempt that is interrupted.
    private interface Interruption {
        HttpClientException of(Attempt attempt);
    }

    /// Gives the call up, wherever it is. Any thread.
    void cancel() {
        interrupt(a -> new Cancelled(a.origin, a.stage()));
    }

    private void expire(Duration most) {
        interrupt(a -> a.timedOut(most));
    }

    private void interrupt(Interruption why) {
        Attempt current;
        Future<Boolean> search;
        synchronized (this) {
            interruption = why;
            current = over ? null : attempt;
            search = records;
        }
        if (search != null) {
            search.cancel(); // the attempt that it is followed by ends at once
        }
        if (current != null) {
            current.interrupt(why.of(current), true);
        }
    }

    private void end() {
        Timeout timeout = total;
        synchronized (this) {
            over = true;
            attempt = null;
        }
        if (timeout != null) {
            timeout.cancel();
        }
    }

    private void fail(HttpClientException cause) {
        end();
        future.failed(cause);
    }

    /// Fails before an exchange had the request.
    private void fail(Request request, HttpClientException cause) {
        RequestSender.closeSource(request);
        fail(cause);
    }

    // ---- one exchange ----

    /// An exchange, and the wait for its connection.
    private final class Attempt implements ConnectionPool.Waiter, ExchangeOwner {
        final Request request;
        final Origin origin;
        private final Route route;
        private final Request sent;
        private final ClientExchange exchange;

        /// For those whose connection is not there at once. One that is armed too late, since the
        /// connection came meanwhile, finds nothing to do.
        private volatile @Nullable Timeout connectTimeout;

        // ---- under the call's lock ----

        private Stage acquiring = Stage.POOL;
        private boolean acquired;

        /// The connection that was acquired; null before.
        private @Nullable ClientConnection connection;

        private boolean given;

        private boolean fresh;
        private boolean multiplexed;
        private boolean handedOut;
        private @Nullable Request redirect;

        Attempt(Request request, Origin origin) {
            this.request = request;
            this.origin = origin;
            route = upgrade == null ? setup.route(origin) : setup.upgradeRoute(origin);
            sent =
                    request.method() == Method.CONNECT
                            ? setup.prepareConnect(request)
                            : setup.prepare(request, origin, route);
            exchange = new ClientExchange(sent, origin, setup.limits(), upgrade, this);
        }

        void begin(boolean freshOnly) {
            setup.pool().acquire(route, freshOnly, this);
            synchronized (Call.this) {
                if (acquired || given) {
                    return;
                }
            }
            Duration most = setup.limits().connectTimeout();
            try {
                connectTimeout =
                        setup.group()
                                .nearest()
                                .scheduleCoarse(
                                        () -> interrupt(timedOut(most), false),
                                        most.toNanos(),
                                        TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                interrupt(new HttpClientException.Rejected(origin, "the client is closed"), false);
            }
        }

        Stage stage() {
            synchronized (Call.this) {
                return acquired ? exchange.stage() : acquiring;
            }
        }

        TimedOut timedOut(Duration most) {
            Stage in = stage();
            String why = in == Stage.POOL ? setup.pool().occupancy(route) : "";
            return new TimedOut(origin, in, most, why);
        }

        /// @param exchanging whether an exchange that has begun is given up too
        void interrupt(HttpClientException cause, boolean exchanging) {
            boolean waits;
            ClientConnection on;
            synchronized (Call.this) {
                waits = !acquired && !given;
                given |= waits;
                on = connection;
            }
            if (waits) {
                var _ = setup.pool().cancel(route, this);
                connectEnds();
                fail(request, cause);
            } else if (exchanging) {
                exchange.cancel(cause);
                if (on != null) {
                    on.withdraw(exchange);
                }
            }
        }

        private void connectEnds() {
            Timeout timeout = connectTimeout;
            if (timeout != null) {
                timeout.cancel();
            }
        }

        // ---- the pool ----

        @Override
        public void connecting(Stage stage) {
            synchronized (Call.this) {
                acquiring = stage;
            }
        }

        @Override
        public void acquired(ClientConnection lent, boolean isFresh) {
            boolean late;
            synchronized (Call.this) {
                late = given;
                acquired = true;
                connection = late ? null : lent;
                fresh = isFresh;
                multiplexed = lent.capacity() > 1;
            }
            connectEnds();
            if (late) {
                setup.pool().release(lent);
            } else {
                lent.run(exchange);
            }
        }

        @Override
        public void refused(HttpClientException cause) {
            boolean late;
            synchronized (Call.this) {
                late = given;
                given = true;
            }
            if (!late) {
                connectEnds();
                fail(request, cause);
            }
        }

        // ---- the exchange ----

        @Override
        public void interim(Status status, Headers headers) {
            if (interim == null) {
                return;
            }
            try {
                interim.interim(status, headers);
            } catch (Throwable t) {
                LOGGER.log(System.Logger.Level.WARNING, "the listener of " + status + " failed", t);
            }
        }

        @Override
        public @Nullable Decompressor decompressor(Headers headers) {
            return setup.decompressor(request, headers);
        }

        @Override
        public boolean responded(Status status, Headers headers, ResponseBody body) {
            boolean connects = request.method() == Method.CONNECT;
            if (!connects) {
                setup.keepCookies(request, origin, headers);
            }
            Request next;
            try {
                next =
                        setup.limits().redirects() == 0 || connects
                                ? null
                                : status == Status.EXPECTATION_FAILED
                                        ? withoutExpectation()
                                        : Redirect.follow(request, origin, status, headers);
            } catch (IllegalArgumentException e) {
                body.close();
                fail(new RedirectFailed(origin, String.valueOf(e.getMessage())));
                return false;
            }
            if (next == null) {
                handedOut = true;
                var response = new StreamedResponse(request, origin, status, headers, body);
                boolean taken = future.answered(response);
                if (!taken) {
                    body.close();
                }
                return taken;
            }
            body.close();
            int most = setup.limits().redirects();
            if (++redirects > most) {
                fail(
                        new RedirectFailed(
                                origin, "redirects: over " + most + " (expected: at most)"));
            } else {
                redirect = next;
            }
            return false;
        }

        /// The request again, for a server that knows no expectations (RFC 9110, 10.1.1).
        private @Nullable Request withoutExpectation() {
            return request.headers().contains(HeaderName.EXPECT)
                            && !(request.body() instanceof Body.Stream)
                    ? request.withHeaders(request.headers().without(HeaderName.EXPECT))
                    : null;
        }

        /// Asks the redirect's target. Its own body is dropped first, so that its connection can be
        /// used again; one that is long in coming, or ends with the connection, is given up.
        private void redirect(Request next) {
            try {
                boolean named = next.target().form() == RequestTarget.Form.ABSOLUTE;
                Origin to = named ? Origin.of(next.target()) : origin;
                route(next, to, setup.group().nearest());
            } catch (RuntimeException e) {
                fail(new Unsendable(origin, e)); // the application's choice of a proxy threw
            }
        }

        /// A kept connection that the server closes just when a request is sent is nobody's
        /// failure: the request is sent again, on a new one, if it does no harm twice (RFC 9110,
        /// 9.2.2). Of a server with streams, what it has refused is sent again whatever it is: it
        /// says which requests it does not process (RFC 9113, 8.7). A body that is a stream can be
        /// sent once, so only if the exchange did not begin.
        @Override
        public void failed(HttpClientException cause, boolean unprocessed, boolean unanswered) {
            boolean repeatable =
                    unanswered
                            && cause instanceof HttpClientException.Disconnected
                            && (!exchange.hasBegun() || !(request.body() instanceof Body.Stream));
            if (repeatable && multiplexed && unprocessed && refusals < MAX_REFUSALS) {
                refusals++;
                again(false);
            } else if (repeatable && isForHttp1(cause) && refusals < MAX_REFUSALS) {
                refusals++;
                again(true);
            } else if (repeatable
                    && !fresh
                    && (unprocessed || ClientSetup.isIdempotent(request.method()))) {
                again(true);
            } else {
                giveUp(cause);
            }
        }

        private void again(boolean freshOnly) {
            try {
                attempt(request, origin, freshOnly);
            } catch (RuntimeException e) {
                giveUp(new Unsendable(origin, e)); // the application's choice of a proxy threw
            }
        }

        private void giveUp(HttpClientException cause) {
            if (!exchange.tookBody()) {
                RequestSender.closeSource(request);
            }
            fail(cause);
        }

        /// A server that wants HTTP/1.1 gets the request so, but does not say that it has not begun
        /// to process it (RFC 9113, 7): what does harm twice fails, and only the next goes there.
        private boolean isForHttp1(HttpClientException cause) {
            return multiplexed
                    && cause.getCause() instanceof StreamResetException reset
                    && reset.code() == ErrorCode.HTTP_1_1_REQUIRED.code()
                    && ClientSetup.isIdempotent(request.method())
                    && !setup.pool().mayMultiplex(route);
        }

        @Override
        public void over() {
            if (handedOut) {
                end();
            } else if (redirect != null) {
                redirect(redirect);
            }
        }
    }
}
