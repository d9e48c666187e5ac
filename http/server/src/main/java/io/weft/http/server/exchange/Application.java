package io.weft.http.server.exchange;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.AsyncHttpHandler;
import io.weft.http.server.HttpFilter;
import io.weft.http.server.HttpHandler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/// The application that answers the requests of a server.
public sealed interface Application {
    /// Answers on the loop, at once.
    record Direct(HttpHandler handler) implements Application {}

    /// The same answer for every request.
    record Fixed(Response response) implements Application {}

    /// Applications by method and path.
    record Routed(Function<Request, RouteMatch> routes) implements Application {}

    /// An application behind filters, the first outermost.
    record Filtered(Application next, List<HttpFilter> filters) implements Application {}

    /// Answers when its stage completes.
    ///
    /// @param streams whether it is called as soon as the head is there, with the body as a stream
    record Async(AsyncHttpHandler handler, boolean streams) implements Application {
        public Async(AsyncHttpHandler handler) {
            this(handler, false);
        }
    }

    /// Tells if bodies of requests are streams.
    default boolean streams() {
        return this instanceof Fixed || (this instanceof Async async && async.streams);
    }

    /// A handler that may block, on virtual threads.
    static Async blocking(HttpHandler handler) {
        return blocking(handler, Thread.ofVirtual().name("weft-http-", 0)::start);
    }

    private static Response answered(HttpHandler handler, Request request) throws Exception {
        return Objects.requireNonNull(handler.handle(request), "the handler answered null");
    }

    /// A handler that may block, on threads that may. Bodies are streams.
    static Async blocking(HttpHandler handler, Executor threads) {
        return new Async(
                request -> {
                    CompletableFuture<Response> answer = new CompletableFuture<>();
                    threads.execute(
                            () -> {
                                try {
                                    answer.complete(
                                            OpenedFile.open(request, answered(handler, request)));
                                } catch (Throwable t) {
                                    answer.completeExceptionally(t);
                                }
                            });
                    return answer;
                },
                true);
    }
}
