import org.jspecify.annotations.NullMarked;

/// Floor 4: the one HTTP model: methods, statuses, headers, targets, bodies, requests and
/// responses.
@NullMarked
module io.weft.http.model {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;

    exports io.weft.http.model;
}
