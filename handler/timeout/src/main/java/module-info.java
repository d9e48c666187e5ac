import org.jspecify.annotations.NullMarked;

/// Floor 3: connections that are idle, or too slow.
@NullMarked
module io.weft.handler.timeout {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.handler.timeout;
}
