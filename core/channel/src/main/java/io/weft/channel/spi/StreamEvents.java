package io.weft.channel.spi;

import io.weft.buffer.Buffer;

/// What an engine tells a channel about its connection.
public interface StreamEvents extends ChannelEvents {
    /// A connection attempt succeeded.
    void connected();

    /// Bytes arrived; the receiver owns the buffer.
    void received(Buffer bytes);

    /// The peer closed its sending direction (FIN); nothing will be received any more.
    void inputClosed();
}
