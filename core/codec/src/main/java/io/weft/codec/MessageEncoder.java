package io.weft.codec;

import java.util.function.Consumer;

/// Turns the messages of one connection into other messages on their way out. The rules of
/// [Encoder] hold; nothing may be handed to `out` before what could throw is done.
///
/// @param <I> what the application writes
/// @param <O> what goes on
public interface MessageEncoder<I, O> extends AutoCloseable {
    /// Hands what `message` makes to `out` at once.
    void encode(I message, Consumer<? super O> out);

    /// Gives up what the encoder holds; it is not used after.
    @Override
    default void close() {}
}
