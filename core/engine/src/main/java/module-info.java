import org.jspecify.annotations.NullMarked;

/// Floor 2: the interface that engines implement, and the options, addresses and messages that it
/// speaks of. Knows no pipeline and makes no system call.
@NullMarked
@SuppressWarnings("module") // the modules that may read it come later
module io.weft.engine {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.loop;

    exports io.weft.engine;
    exports io.weft.engine.log to
            io.weft.channel,
            io.weft.eventloop;
}
