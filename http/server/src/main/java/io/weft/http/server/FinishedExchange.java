package io.weft.http.server;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request that has been answered, or will not be.
///
/// @param request as its handler got it, or without a body if none was asked; its body is over
/// @param route the path of its route, as the [Routes] have it, such as `/users/{id}`: one of few,
///     and so a label for metrics; null if there is none, as for 404, or if a filter answered
/// @param response null if the connection was gone before there was one; its body is over
/// @param bodyBytes of the answer's body that were handed to the connection, before any coding for
///     the transfer
/// @param time from the request's head to the end of the answer
/// @param whole whether the answer was handed over to its end
public record FinishedExchange(
        Request request,
        @Nullable String route,
        @Nullable Response response,
        long bodyBytes,
        Duration time,
        boolean whole) {}
