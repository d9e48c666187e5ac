import org.jspecify.annotations.NullMarked;

/// Floor 3: messages of Protocol Buffers, by Google's library.
@NullMarked
@SuppressWarnings("requires-transitive-automatic") // the library has only a name in its manifest
module io.weft.codec.protobuf {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.codec.framing;
    requires transitive com.google.protobuf;

    exports io.weft.codec.protobuf;
}
