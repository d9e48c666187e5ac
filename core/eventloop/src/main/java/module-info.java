import org.jspecify.annotations.NullMarked;

/// Floor 2: event loops: one thread and one engine each, and all that is open on them. Knows no
/// channel, and makes no system call.
@NullMarked
@SuppressWarnings("module") // the modules that may read it come later
module io.weft.eventloop {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.engine;
    requires transitive io.weft.loop;

    exports io.weft.eventloop;
    exports io.weft.eventloop.process to
            io.weft.channel,
            io.weft.resolver.names;

    uses io.weft.engine.EndpointProvider;
    uses io.weft.engine.EngineProvider;
}
