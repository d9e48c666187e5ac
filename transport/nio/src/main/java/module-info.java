import org.jspecify.annotations.NullMarked;

/// Floor 3: the engine of the JDK's selectors, for every system and without native access.
@NullMarked
module io.weft.transport.nio {
    requires static transitive org.jspecify;
    requires io.weft.engine;
    requires io.weft.ffi;
    requires jdk.net;

    provides io.weft.engine.EngineProvider with
            io.weft.transport.nio.NioProvider;
}
