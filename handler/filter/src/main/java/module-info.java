import org.jspecify.annotations.NullMarked;

/// Floor 3: which peers may connect.
@NullMarked
module io.weft.handler.filter {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.handler.filter;
}
