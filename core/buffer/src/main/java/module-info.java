import org.jspecify.annotations.NullMarked;

/// Floor 1: buffers, reference counts and the allocator.
@NullMarked
module io.weft.buffer {
    requires io.weft.ffi;
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports io.weft.buffer;
    exports io.weft.buffer.leak;
    exports io.weft.buffer.search;
}
