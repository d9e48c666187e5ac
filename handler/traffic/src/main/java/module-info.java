import org.jspecify.annotations.NullMarked;

/// Floor 3: how many bytes a second a channel, or all of them, may move.
@NullMarked
module io.weft.handler.traffic {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.handler.traffic;
}
