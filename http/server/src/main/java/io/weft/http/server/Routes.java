package io.weft.http.server;

import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.http.server.exchange.RouteMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The handlers of a server by method and path. Immutable.
///
/// ```java
/// Routes.builder()
///         .get("/", request -> Response.text("home"))
///         .get("/users/{id}", request -> Response.text(request.parameter("id")))
///         .post("/photos").blocking(request -> store(request.body().asInputStream()))
///         .get("/files/{path...}", StaticFiles.of(directory))
///         .build();
/// ```
///
/// `{name}` stands for one segment of a path, which is not empty, and `{name...}` at the end for
/// all that are left, slashes included: nothing for `/` by `/{path...}`, and for `/a/` by
/// `/a/{path...}`, which `/a` does not match. Of the paths that have a handler for the method, a
/// literal segment is preferred to a name, and a name to the rest. Segments are compared decoded;
/// `/a` and `/a/` are two paths.
///
/// A path without a route is answered with 404, one that has none for the method with 405 and
/// Allow. HEAD goes to the handler of GET, and OPTIONS is answered with Allow, unless they have
/// handlers of their own. CONNECT is answered with 501.
public final class Routes {
    private static final Response NOT_FOUND = Response.of(Status.NOT_FOUND);
    private static final Response NOT_IMPLEMENTED = Response.of(Status.NOT_IMPLEMENTED);

    /// The place of a path in the tree of routes.
    private static final class Node {
        private final Map<String, Node> literals = new HashMap<>();
        private final Map<Method, Application> methods = new LinkedHashMap<>();
        private @Nullable Node segment;
        private @Nullable Node rest;
        private List<String> names = List.of();

        /// As the routes that end here have it.
        private @Nullable String path;

        private @Nullable Application any;

        /// Names of the methods that are answered; none where no route ends.
        private Set<String> allowed = Set.of();
    }

    private final Node root;
    private final Application options;
    private final @Nullable Application otherwise;

    private Routes(Builder builder) {
        root = builder.root;
        otherwise = builder.otherwise;
        Set<String> all = new TreeSet<>();
        finish(root, all);
        options = answer(allow(Status.NO_CONTENT, all));
    }

    public static Builder builder() {
        return new Builder();
    }

    RouteMatch match(Request request) {
        if (request.method() == Method.CONNECT) {
            return new RouteMatch(answer(NOT_IMPLEMENTED), Map.of(), null);
        }
        if (request.target().isOfServer(request.method())) {
            return new RouteMatch(options, Map.of(), null);
        }
        List<String> segments = request.target().segments();
        List<String> values = new ArrayList<>();
        Node node = find(root, segments, 0, values, request.method());
        boolean served = node != null;
        if (!served) {
            node = find(root, segments, 0, values, null);
        }
        if (node == null) {
            return new RouteMatch(
                    otherwise == null ? answer(NOT_FOUND) : otherwise, Map.of(), null);
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            parameters.put(node.names.get(i), values.get(i));
        }
        Application found =
                served
                        ? Objects.requireNonNull(handler(node, request.method()))
                        : notAllowed(segments, request.method());
        return new RouteMatch(found, parameters, node.path);
    }

    /// Returns the answer to a method that no route of the path has. It names those of all routes
    /// that match the path (RFC 9110, 15.5.6).
    private Application notAllowed(List<String> segments, Method method) {
        Set<String> methods = new TreeSet<>();
        collect(root, segments, 0, methods);
        boolean asks = method == Method.OPTIONS;
        return answer(allow(asks ? Status.NO_CONTENT : Status.METHOD_NOT_ALLOWED, methods));
    }

    /// Collects the methods of every node that [#find] may come to.
    private static void collect(Node node, List<String> segments, int at, Set<String> methods) {
        if (node.rest != null && (at < segments.size() || at == 0)) {
            methods.addAll(node.rest.allowed);
        }
        if (at == segments.size()) {
            methods.addAll(node.allowed);
            return;
        }
        String segment = segments.get(at);
        Node literal = node.literals.get(segment);
        if (literal != null) {
            collect(literal, segments, at + 1, methods);
        }
        if (node.segment != null && !segment.isEmpty()) {
            collect(node.segment, segments, at + 1, methods);
        }
    }

    private static @Nullable Application handler(Node node, Method method) {
        Application found = node.methods.get(method);
        if (found == null && method == Method.HEAD) {
            found = node.methods.get(Method.GET);
        }
        return found == null ? node.any : found;
    }

    /// @param method that the place has to have a handler for; null for any
    private static @Nullable Node find(
            Node node,
            List<String> segments,
            int at,
            List<String> values,
            @Nullable Method method) {
        if (at == segments.size()) {
            if (serves(node, method)) {
                return node;
            }
            // `/` has no segments, not an empty one as `/a/` has: its rest is tried here.
            if (at > 0 || node.rest == null || !serves(node.rest, method)) {
                return null;
            }
            values.add("");
            return node.rest;
        }
        String segment = segments.get(at);
        Node literal = node.literals.get(segment);
        Node found = literal == null ? null : find(literal, segments, at + 1, values, method);
        if (found == null && node.segment != null && !segment.isEmpty()) {
            values.add(segment);
            found = find(node.segment, segments, at + 1, values, method);
            if (found == null) {
                values.removeLast();
            }
        }
        if (found == null && node.rest != null && serves(node.rest, method)) {
            values.add(String.join("/", segments.subList(at, segments.size())));
            found = node.rest;
        }
        return found;
    }

    private static boolean serves(Node node, @Nullable Method method) {
        return method == null ? !node.allowed.isEmpty() : handler(node, method) != null;
    }

    /// Prepares the names of the methods that a path has handlers for.
    private static void finish(Node node, Set<String> all) {
        if (!node.methods.isEmpty() || node.any != null) {
            Set<String> methods =
                    node.methods.keySet().stream()
                            .map(Method::name)
                            .collect(Collectors.toCollection(TreeSet::new));
            methods.add("OPTIONS");
            if (methods.contains("GET")) {
                methods.add("HEAD");
            }
            all.addAll(methods);
            node.allowed = methods;
        }
        node.literals.values().forEach(next -> finish(next, all));
        if (node.segment != null) {
            finish(node.segment, all);
        }
        if (node.rest != null) {
            finish(node.rest, all);
        }
    }

    private static Response allow(Status status, Set<String> methods) {
        return Response.of(status).withHeader("allow", String.join(", ", methods));
    }

    private static Application answer(Response response) {
        return new Application.Fixed(response);
    }

    /// Collects routes. A path with the same method twice is refused.
    public static final class Builder {
        private final Node root = new Node();
        private @Nullable Application otherwise;

        private Builder() {}

        /// A handler for GET that answers at once, on the loop.
        ///
        /// @throws IllegalArgumentException as [#route]
        public Builder get(String path, HttpHandler handler) {
            return get(path).handler(handler);
        }

        /// A handler for POST that answers at once, on the loop, with the body collected.
        ///
        /// @throws IllegalArgumentException as [#route]
        public Builder post(String path, HttpHandler handler) {
            return post(path).handler(handler);
        }

        /// @throws IllegalArgumentException as [#route]
        public Builder put(String path, HttpHandler handler) {
            return put(path).handler(handler);
        }

        /// @throws IllegalArgumentException as [#route]
        public Builder delete(String path, HttpHandler handler) {
            return delete(path).handler(handler);
        }

        /// @throws IllegalArgumentException as [#route]
        public Route get(String path) {
            return route(Method.GET, path);
        }

        /// @throws IllegalArgumentException as [#route]
        public Route post(String path) {
            return route(Method.POST, path);
        }

        /// @throws IllegalArgumentException as [#route]
        public Route put(String path) {
            return route(Method.PUT, path);
        }

        /// @throws IllegalArgumentException as [#route]
        public Route delete(String path) {
            return route(Method.DELETE, path);
        }

        /// @throws IllegalArgumentException as [#route]
        public Route patch(String path) {
            return route(Method.PATCH, path);
        }

        /// A route for a method; what it leads to is said by the [Route].
        ///
        /// @throws IllegalArgumentException unless `path` begins with "/", has names between braces
        ///     that differ, and a rest at its end only
        public Route route(Method method, String path) {
            return new Route(this, method, node(path));
        }

        /// A route for all methods that have none of their own.
        ///
        /// @throws IllegalArgumentException as [#route]
        public Route any(String path) {
            return new Route(this, null, node(path));
        }

        /// A handler for paths without a route, in the place of 404.
        public Builder otherwise(HttpHandler handler) {
            otherwise = new Application.Direct(handler);
            return this;
        }

        public Routes build() {
            return new Routes(this);
        }

        private Node node(String path) {
            if (!path.startsWith("/")) {
                throw refused(path, "beginning with /");
            }
            Node node = root;
            List<String> names = new ArrayList<>();
            // A trailing slash makes an empty last segment, as in targets.
            String[] segments = path.substring(1).split("/", -1);
            for (int i = 0; i < segments.length; i++) {
                String segment = segments[i];
                boolean last = i == segments.length - 1;
                if (last && segment.isEmpty() && i == 0) {
                    break; // "/" has no segments
                }
                node =
                        segment.startsWith("{")
                                ? named(node, segment, last, names, path)
                                : node.literals.computeIfAbsent(
                                        literal(segment, path), _ -> new Node());
            }
            if (!names.isEmpty() && !node.names.isEmpty() && !node.names.equals(names)) {
                throw refused(path, "the names of the same path before: " + node.names);
            }
            node.names = List.copyOf(names);
            node.path = path;
            return node;
        }

        private static String literal(String segment, String path) {
            if (segment.contains("{") || segment.contains("}")) {
                throw refused(path, "braces around whole segments");
            }
            return segment;
        }

        private static Node named(
                Node node, String segment, boolean last, List<String> names, String path) {
            boolean rest = segment.endsWith("...}");
            String name = segment.substring(1, Math.max(1, segment.length() - (rest ? 4 : 1)));
            if (!segment.endsWith("}") || name.isEmpty() || names.contains(name)) {
                throw refused(path, "{name} with names that differ");
            }
            names.add(name);
            if (rest) {
                if (!last) {
                    throw refused(path, "{name...} at the end");
                }
                node.rest = node.rest == null ? new Node() : node.rest;
                return node.rest;
            }
            node.segment = node.segment == null ? new Node() : node.segment;
            return node.segment;
        }

        private static IllegalArgumentException refused(String path, String expected) {
            return new IllegalArgumentException("path: " + path + " (expected: " + expected + ")");
        }
    }

    /// A path and a method; it says by whom they are answered.
    public static final class Route {
        private final Builder builder;
        private final @Nullable Method method;
        private final Node node;

        private Route(Builder builder, @Nullable Method method, Node node) {
            this.builder = builder;
            this.method = method;
            this.node = node;
        }

        /// By a handler that answers at once, on the loop.
        public Builder handler(HttpHandler handler) {
            return to(new Application.Direct(handler));
        }

        /// By a handler that answers later.
        public Builder async(AsyncHttpHandler handler) {
            return to(new Application.Async(handler));
        }

        /// As [HttpServer.Builder#streaming].
        public Builder streaming(AsyncHttpHandler handler) {
            return to(new Application.Async(handler, true));
        }

        /// As [HttpServer.Builder#blocking]: on a virtual thread.
        public Builder blocking(HttpHandler handler) {
            return to(Application.blocking(handler));
        }

        private Builder to(Application application) {
            boolean taken =
                    method == null
                            ? node.any != null
                            : node.methods.putIfAbsent(method, application) != null;
            if (taken) {
                throw new IllegalArgumentException(
                        "method: " + method + " (expected: once a path)");
            }
            if (method == null) {
                node.any = application;
            }
            return builder;
        }
    }
}
