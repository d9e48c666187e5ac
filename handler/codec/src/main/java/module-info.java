import org.jspecify.annotations.NullMarked;

/// Floor 3: decoders and encoders as handlers of a pipeline.
@NullMarked
module io.weft.handler.codec {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec;

    exports io.weft.handler.codec;
}
