import org.jspecify.annotations.NullMarked;

/// Floor 5: traces of HTTP servers and clients for OpenTelemetry.
@NullMarked
@SuppressWarnings("requires-transitive-automatic") // the library has only a name in its manifest
module io.weft.observe.opentelemetry {
    requires static transitive org.jspecify;
    requires transitive io.opentelemetry.api;
    requires transitive io.opentelemetry.context;
    requires transitive io.weft.http.client;
    requires transitive io.weft.http.model;
    requires transitive io.weft.http.server;

    exports io.weft.observe.opentelemetry;
}
