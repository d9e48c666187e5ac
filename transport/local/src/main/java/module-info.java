import org.jspecify.annotations.NullMarked;

/// Floor 3: channels within one JVM, for loops of every engine.
@NullMarked
module io.weft.transport.local {
    requires static transitive org.jspecify;
    requires io.weft.engine;

    provides io.weft.engine.EndpointProvider with
            io.weft.transport.local.LocalProvider;
}
