package io.weft.http.grpc;

import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.AsyncHttpHandler;
import io.weft.http.server.HttpServerLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// The methods that a server has, as a handler of an HTTP server that takes bodies as streams:
/// `HttpServer.builder().streaming(services)`.
///
/// Calls of other methods end with UNIMPLEMENTED, requests that are none of gRPC with 415 or 405.
/// Over HTTP/1.1 no call is served: 505.
///
/// The limits of the server apply to calls too, and its defaults are those for strangers of the
/// web: a call that sends nothing for longer than [HttpServerLimits#bodyGrace] breaks off, and a
/// client that cancels calls often is cut off. [#patient] is for services.
public final class GrpcServices implements AsyncHttpHandler {
    static final String CONTENT_TYPE = "application/grpc";

    /// Calls that may be cancelled in a period, and what else that brings about.
    private static final int RESETS = 10_000;

    private static final int ODDITIES = 100_000;

    private final Map<String, Entry<?, ?>> methods;
    private final GrpcLimits limits;
    private final ActiveCalls active = new ActiveCalls();

    private record Entry<Q, R>(GrpcMethod<Q, R> method, GrpcHandler<Q, R> handler) {
        CompletionStage<Response> call(
                Request request,
                GrpcLimits limits,
                ActiveCalls active,
                @Nullable Long timeout,
                GrpcCoding coding) {
            return new GrpcServerCall<>(request, method, handler, limits, timeout, coding)
                    .start(active);
        }
    }

    private GrpcServices(Map<String, Entry<?, ?>> methods, GrpcLimits limits) {
        this.methods = Map.copyOf(methods);
        this.limits = limits;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public CompletionStage<Response> handle(Request request) {
        String type = request.headers().first(HeaderName.CONTENT_TYPE);
        if (type == null || !isGrpc(type)) {
            return answer(Response.of(Status.UNSUPPORTED_MEDIA_TYPE));
        }
        if (request.method() != Method.POST) {
            return answer(
                    Response.of(Status.METHOD_NOT_ALLOWED).withHeader(HeaderName.ALLOW, "POST"));
        }
        if (request.version() != Version.HTTP_2) {
            return answer(Response.of(Status.HTTP_VERSION_NOT_SUPPORTED));
        }
        return call(request, type);
    }

    /// Returns `limits` for calls as services have them. Callers may be silent for a day, leave
    /// messages unread for an hour, send as much as they like and cancel a thousand calls a second.
    /// A call whose handler does not read stops no other, for which a connection may hold the
    /// window of every stream.
    public static HttpServerLimits patient(HttpServerLimits limits) {
        Http2Limits http2 = limits.http2();
        long windows = (long) http2.streams() * http2.streamWindow();
        return limits.withBodyGrace(Duration.ofDays(1))
                .withStallTimeout(Duration.ofHours(1))
                .withStreamedBody(Long.MAX_VALUE)
                .withHttp2(
                        http2.withWindows(
                                        http2.streamWindow(),
                                        Math.clamp(windows, 65_535, Integer.MAX_VALUE))
                                .withBudgets(RESETS, ODDITIES, http2.period()));
    }

    /// Returns the number of calls whose handlers run.
    public int activeCalls() {
        return active.count();
    }

    /// Waits until no handler runs. Behind the end of the server that is soon: calls that are cut
    /// off interrupt theirs.
    ///
    /// @return false when the time is over before
    public boolean awaitIdle(Duration most) throws InterruptedException {
        return active.awaitNone(most);
    }

    /// Has the handler of a call stop that nobody waits for.
    @Override
    public void abandoned(CompletionStage<Response> answer) {
        answer.toCompletableFuture().cancel(true);
    }

    /// Tells if a content type is `application/grpc`, with or without a format of messages.
    static boolean isGrpc(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        return lower.startsWith(CONTENT_TYPE)
                && (lower.length() == CONTENT_TYPE.length()
                        || "+;".indexOf(lower.charAt(CONTENT_TYPE.length())) >= 0);
    }

    private CompletionStage<Response> call(Request request, String type) {
        Entry<?, ?> entry = methods.get(request.target().path());
        if (entry == null) {
            return refuse(type, GrpcCode.UNIMPLEMENTED, "method: " + request.target().path());
        }
        String named = request.headers().first(GrpcCoding.ENCODING);
        GrpcCoding coding = GrpcCoding.of(named);
        if (coding == null) {
            return refuse(type, GrpcCode.UNIMPLEMENTED, "grpc-encoding: " + named);
        }
        String time = request.headers().first(GrpcTimeout.NAME);
        Long timeout = time == null ? null : GrpcTimeout.decode(time);
        if (time != null && timeout == null) {
            return refuse(type, GrpcCode.INTERNAL, "grpc-timeout: " + time);
        }
        return entry.call(request, limits, active, timeout, coding);
    }

    private static CompletionStage<Response> refuse(String type, GrpcCode code, String what) {
        HeadersBuilder fields = Headers.builder();
        fields.add(HeaderName.CONTENT_TYPE, type);
        fields.add(GrpcCoding.ACCEPT, GrpcCoding.ACCEPTED);
        new GrpcStatus(code, what + " (expected: a known one)").writeTo(fields);
        return answer(Response.of(Status.OK, fields.build(), Body.empty()));
    }

    private static CompletionStage<Response> answer(Response response) {
        return CompletableFuture.completedFuture(response);
    }

    /// Builds the services of a server.
    public static final class Builder {
        private final Map<String, Entry<?, ?>> methods = new HashMap<>();
        private GrpcLimits limits = GrpcLimits.DEFAULT;

        private Builder() {}

        public Builder limits(GrpcLimits value) {
            limits = value;
            return this;
        }

        /// Serves a method.
        ///
        /// @throws IllegalArgumentException when it is served already
        public <Q, R> Builder method(GrpcMethod<Q, R> method, GrpcHandler<Q, R> handler) {
            if (methods.putIfAbsent(method.path(), new Entry<>(method, handler)) != null) {
                throw new IllegalArgumentException(
                        "method: " + method + ", twice (expected: each once)");
            }
            return this;
        }

        /// Serves a method of one request and one response.
        ///
        /// @throws IllegalArgumentException when it is served already
        public <Q, R> Builder unary(GrpcMethod<Q, R> method, GrpcHandler.Unary<Q, R> handler) {
            return method(method, call -> call.write(handler.handle(single(call), call)));
        }

        private static <Q, R> Q single(GrpcServerCall<Q, R> call) throws InterruptedException {
            Q request = call.read();
            if (request == null || call.read() != null) {
                throw new GrpcException(
                        GrpcCode.INTERNAL,
                        "requests: " + (request == null ? "none" : "several") + " (expected: 1)");
            }
            return request;
        }

        public GrpcServices build() {
            return new GrpcServices(methods, limits);
        }
    }
}
