package io.weft.http.server.exchange;

import io.weft.http.model.BodyTooLongException;
import io.weft.http.model.HttpException;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The answer to a request whose handler has failed.
///
/// @param last true if the connection takes no further request
record FailureAnswer(Response response, boolean last) {
    /// Answers a failure that says nothing about an answer.
    static final FailureAnswer UNEXPECTED =
            new FailureAnswer(Response.of(Status.INTERNAL_SERVER_ERROR), true);

    /// Returns the answer that a failure, or one of its causes, means; null if none does.
    ///
    /// @param ours tells if the [subject][BodyTooLongException#subject] is the request's body: the
    ///     client is not to blame for that of another message, such as an upstream's response
    static @Nullable FailureAnswer of(Throwable failure, Predicate<@Nullable Object> ours) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof HttpException e) {
                return new FailureAnswer(e.toResponse(), false);
            }
            if (t instanceof BodyTooLongException e && ours.test(e.subject())) {
                return new FailureAnswer(Response.of(Status.CONTENT_TOO_LARGE), true);
            }
            if (t instanceof BodyCutOffException e) {
                return new FailureAnswer(Response.of(e.status()), true);
            }
        }
        return null;
    }
}
