import org.jspecify.annotations.NullMarked;

/// Floor 3: objects as Java serializes them, of the classes that a program names and of no other.
///
/// It is here for peers that speak nothing else. Whatever else can be chosen is better: a peer that
/// may say which classes to make, and in which order, is given a language to program in, and each
/// class on the list is a word of it.
@NullMarked
module io.weft.codec.serialization {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.codec.framing;

    exports io.weft.codec.serialization;
}
