import org.jspecify.annotations.NullMarked;

/// Floor 2: channels, pipelines, handlers, bootstraps and the interface that engines implement.
/// Makes no system call.
@NullMarked
module io.weft.channel {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.loop;

    exports io.weft.channel;
    exports io.weft.channel.spi;

    uses io.weft.channel.spi.EngineProvider;
}
