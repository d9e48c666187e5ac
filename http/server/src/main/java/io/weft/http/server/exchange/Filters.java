package io.weft.http.server.exchange;

import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The filters of a server, the first outermost. Thread: the loop.
final class Filters {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private final HttpFilter[] filters;

    Filters(List<HttpFilter> filters) {
        this.filters = filters.toArray(new HttpFilter[0]);
    }

    /// Returns the answer of the first filter that has one.
    @Nullable Response before(Request head) {
        for (HttpFilter filter : filters) {
            Response answer = before(filter, head);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    private static @Nullable Response before(HttpFilter filter, Request head) {
        try {
            return filter.before(head);
        } catch (HttpException e) {
            return e.toResponse();
        } catch (Throwable t) {
            LOGGER.log(System.Logger.Level.WARNING, "a filter failed; the client gets 500", t);
            return Response.of(Status.INTERNAL_SERVER_ERROR);
        }
    }

    int count() {
        return filters.length;
    }

    /// Has one filter change a request.
    Request adapt(int index, Request request) throws IOException {
        return filters[index].adapt(request);
    }

    void finished(FinishedExchange exchange) {
        for (HttpFilter filter : filters) {
            try {
                filter.finished(exchange);
            } catch (Throwable t) {
                LOGGER.log(System.Logger.Level.WARNING, "a filter failed behind an answer", t);
            }
        }
    }

    /// @throws RuntimeException of a filter; the body of the answer is closed then
    Response after(Request request, Response answer) {
        Response response = answer;
        try {
            for (int i = filters.length - 1; i >= 0; i--) {
                response = filters[i].after(request, response);
            }
            return response;
        } catch (Throwable t) {
            AnswerBodies.discard(response);
            throw t;
        }
    }
}
