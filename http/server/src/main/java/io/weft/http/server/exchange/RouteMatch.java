package io.weft.http.server.exchange;

import java.util.Map;

/// The application that answers a request, and the parameters of its path.
public record RouteMatch(Application application, Map<String, String> parameters) {}
