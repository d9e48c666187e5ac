package io.weft.http.server;

import java.util.Map;

/// The application that answers a request, and the parameters of its path.
record RouteMatch(Application application, Map<String, String> parameters) {}
