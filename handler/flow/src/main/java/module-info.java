import org.jspecify.annotations.NullMarked;

/// Floor 3: how much travels at once: one message a read, flushes together, contents in chunks.
@NullMarked
module io.weft.handler.flow {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;

    exports io.weft.handler.flow;
}
