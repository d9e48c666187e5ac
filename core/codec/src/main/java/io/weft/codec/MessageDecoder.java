package io.weft.codec;

import java.util.function.Consumer;

/// Turns the messages of one connection into other messages on their way in: frames into text,
/// pieces into wholes. The rules of [Decoder] hold, but `in` becomes the decoder's, also when it
/// throws.
///
/// @param <I> what comes in
/// @param <O> what goes on
public interface MessageDecoder<I, O> extends AutoCloseable {
    /// Hands what `in` makes to `out` at once, which may be nothing yet.
    ///
    /// @throws DecoderException when it breaks the protocol or a limit
    void decode(I in, Consumer<? super O> out);

    /// The peer will send nothing more.
    ///
    /// @throws DecoderException when a message is cut short by it
    default void end(Consumer<? super O> out) {}

    /// Gives up what the decoder holds; it is not used after.
    @Override
    default void close() {}
}
