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

    /// The peer closed its sending direction (FIN); no more input will be received.
    void inputClosed();
}
