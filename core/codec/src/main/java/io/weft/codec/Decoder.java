package io.weft.codec;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;

/// Turns the bytes of one connection into messages. A pure machine: it knows no channel, no thread
/// and no clock.
///
/// **Input.** [#decode] takes what it can from the readable bytes of `in`. What it cannot use yet
/// it leaves unread; the caller keeps those bytes and offers them again, first, with more behind
/// them (in the same buffer or in another one). The decoder remembers how far it has looked, so
/// nothing is scanned twice, and its messages depend on the sequence of bytes alone, not on how
/// they were cut.
///
/// **Ownership.** `in` stays the caller's. Buffers inside messages belong to the consumer.
///
/// **Errors.** A [DecoderException] ends the decoder: there is no place known where the next
/// message would begin. After it, input is taken and ignored. What was handed out before stays
/// valid.
///
/// **Pausing.** A consumer may [#pause] while it is handed a message: `decode` returns then, and
/// the rest stays unread.
///
/// **Threads.** One decoder a connection, used by one thread at a time.
///
/// Most protocols extend [StepDecoder], which keeps these rules for them.
///
/// @param <M> the messages, usually a sealed type
public interface Decoder<M> extends AutoCloseable {
    /// Decodes the readable bytes of `in` and hands each message to `out` at once.
    ///
    /// @throws DecoderException when the bytes break the protocol or a limit
    void decode(Buffer in, Consumer<? super M> out);

    /// The peer will send nothing more.
    ///
    /// @throws DecoderException when a message is cut short by it
    void end(Consumer<? super M> out);

    /// Makes [#decode] return after the message that is being handed over, and do nothing until
    /// [#resume]. For a consumer that has enough for now, or whose connection changes its protocol.
    void pause();

    /// Ends a [#pause]. Call [#decode] then, also when there is nothing to read.
    void resume();

    /// Gives up what the decoder holds; it is not used after. The default holds nothing.
    @Override
    default void close() {}

    /// This decoder, its messages turned into others by `next`. Both belong to the result. A
    /// [#pause] is between messages of this decoder: what `next` makes of one of them comes
    /// together.
    default <O> Decoder<O> then(MessageDecoder<? super M, O> next) {
        return new ChainedDecoder<>(this, next);
    }
}
