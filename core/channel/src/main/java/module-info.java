import org.jspecify.annotations.NullMarked;

/// Floor 2: channels, pipelines, handlers, bootstraps. Makes no system call.
@NullMarked
module io.weft.channel {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.engine;
    requires transitive io.weft.loop;

    exports io.weft.channel;

    uses io.weft.engine.EndpointProvider;
    uses io.weft.engine.EngineProvider;
}
