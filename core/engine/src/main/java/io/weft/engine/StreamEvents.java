package io.weft.engine;

import io.weft.buffer.Buffer;

/// Events that an engine reports to a channel about its connection.
public interface StreamEvents extends ChannelEvents {
    /// A connection attempt succeeded.
    void connected();

    /// Bytes arrived; the receiver owns the buffer.
    void received(Buffer bytes);

    /// Bytes arrived with descriptors; the receiver owns the message.
    void received(DescriptorMessage message);

    /// A message of a provider's protocol arrived; the receiver owns it.
    ///
    /// @throws UnsupportedOperationException if the receiver takes bytes only; it owns the message
    ///     then too
    default void received(EndpointMessage message) {
        message.close();
        throw new UnsupportedOperationException("received: " + message.getClass().getName());
    }

    /// Something happened that a provider's protocol reports and that is no input, as an immutable
    /// object. Ignored by default.
    default void happened(Object event) {}

    /// The peer closed its sending direction (FIN); no more input will be received.
    void inputClosed();
}
