import org.jspecify.annotations.NullMarked;

/// Floor 3: an engine whose network, clock and scheduler come from one seed, for tests.
@NullMarked
module io.weft.transport.sim {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.transport.sim;
}
