import org.jspecify.annotations.NullMarked;

/// Floor 1: buffers, reference counts and the allocator.
@NullMarked
module io.weft.buffer {
    requires static transitive org.jspecify;
    requires io.weft.ffi;

    exports io.weft.buffer;
}
