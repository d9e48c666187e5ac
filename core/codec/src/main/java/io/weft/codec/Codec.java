package io.weft.codec;

import java.util.Objects;
import java.util.function.Supplier;

/// The two directions of a protocol as one value: makes a decoder and an encoder for each
/// connection. Shared by all of them, in pipelines and in blocking code.
///
/// ```java
/// Codec<String, String> lines =
///         new Codec<>(() -> new LineDecoder(1024).then(new StringDecoder()), String.class, LineEncoder::new);
/// ```
///
/// @param decoder makes the decoder of one connection; any thread
/// @param written the type of the messages that are encoded
/// @param encoder makes the encoder of one connection; any thread
/// @param <In> messages that are decoded
/// @param <Out> messages that are encoded
public record Codec<In, Out>(
        Supplier<? extends Decoder<? extends In>> decoder,
        Class<Out> written,
        Supplier<? extends Encoder<? super Out>> encoder) {
    public Codec {
        Objects.requireNonNull(decoder, "decoder");
        Objects.requireNonNull(written, "written");
        Objects.requireNonNull(encoder, "encoder");
    }
}
