import org.jspecify.annotations.NullMarked;

/// Floor 3: pools of channels to one address.
@NullMarked
module io.weft.pool {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.pool;
}
