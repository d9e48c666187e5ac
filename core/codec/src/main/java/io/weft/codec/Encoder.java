package io.weft.codec;

/// Turns the messages of one connection into bytes. A pure machine: it knows no channel, no thread
/// and no clock.
///
/// **Ownership.** The message becomes the encoder's, also when it throws: buffers inside it are
/// released or passed on.
///
/// **Errors.** When a message cannot be encoded the encoder throws, usually an
/// [IllegalArgumentException]. The caller takes back what it wrote to `out` ([Output#rollback]),
/// and the encoder itself must be as it was before.
///
/// **Threads.** One encoder a connection, used by one thread at a time, unless it has no state.
///
/// @param <M> the messages
public interface Encoder<M> extends AutoCloseable {
    /// Appends the bytes of `message`.
    void encode(M message, Output out);

    /// Gives up what the encoder holds; it is not used after. The default holds nothing.
    @Override
    default void close() {}
}
