import org.jspecify.annotations.NullMarked;

/// Floor 4: server-sent events (WHATWG HTML, 9.2): the stream of a server that sends them, their
/// decoder, and a reader for clients.
///
/// ```java
/// .get("/prices").handler(_ -> {
///     EventStream stream = new EventStream();
///     subscribers.add(stream);
///     stream.onClose(() -> subscribers.remove(stream));
///     return stream.response();
/// })
/// ```
@NullMarked
module io.weft.http.events {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.events;
}
