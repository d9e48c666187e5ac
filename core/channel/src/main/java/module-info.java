import org.jspecify.annotations.NullMarked;

/// Floor 2: channels, pipelines, handlers, bootstraps. Makes no system call.
@NullMarked
module io.weft.channel {
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.engine;
    requires transitive io.weft.eventloop;
    requires transitive io.weft.loop;
    requires transitive io.weft.resolver.names;

    exports io.weft.channel;
}
