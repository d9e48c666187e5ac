package io.weft.http.server.exchange;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import org.jspecify.annotations.Nullable;

/// The choice of who answers a request: the application, or that of a route. A request is routed
/// once, however often it is asked. Thread: the loop.
final class Choice {
    private final Application application;
    private Application chosen;
    private @Nullable RouteMatch match;

    /// The request, as it came, that `chosen` was chosen for.
    private @Nullable Request routed;

    /// @param application without filters
    Choice(Application application) {
        this.application = application;
        this.chosen = application;
    }

    /// Chooses by method and path, if the application has routes.
    void route(Request head) {
        if (application instanceof Application.Routed table && head != routed) {
            match = table.routes().apply(head);
            chosen = match.application();
            routed = head;
        }
    }

    /// Chooses an answer that is known already.
    void settle(Response answer) {
        chosen = new Application.Fixed(answer);
    }

    /// Gives up an answer that is known already, and that nobody gets.
    void drop() {
        if (chosen instanceof Application.Fixed fixed) {
            AnswerBodies.discard(fixed.response());
        }
    }

    /// Returns who answers.
    Application chosen() {
        return chosen;
    }

    /// Returns the request with the parameters of its path.
    Request withParameters(Request whole) {
        return match == null || match.parameters().isEmpty()
                ? whole
                : whole.withParameters(match.parameters());
    }

    /// Returns the path of the route, as it was added; null where there is none.
    @Nullable String path() {
        return match == null ? null : match.path();
    }

    /// Keeps nothing of the last request.
    void forget() {
        routed = null;
        match = null;
        chosen = application;
    }
}
