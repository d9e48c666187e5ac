package io.weft.http.server.exchange;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The application that answers a request, and the parameters of its path.
///
/// @param path of the route, as it was added; null where there is none
public record RouteMatch(
        Application application, Map<String, String> parameters, @Nullable String path) {}
