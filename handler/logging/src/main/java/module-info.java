import org.jspecify.annotations.NullMarked;

/// Floor 3: what travels, for people and for Wireshark.
@NullMarked
module io.weft.handler.logging {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.handler.logging;
}
