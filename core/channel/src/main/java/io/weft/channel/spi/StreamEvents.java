package io.weft.channel.spi;

import io.weft.buffer.Buffer;
import java.io.IOException;

/// What an engine tells a channel about its connection.
public interface StreamEvents {
    /// A connection attempt succeeded.
    void connected();

    /// Bytes arrived; the receiver owns the buffer.
    void received(Buffer bytes);

    /// Nothing more has arrived for now: a good moment to flush.
    void receiveComplete();

    /// The peer closed its sending direction (FIN); nothing will be received any more.
    void inputClosed();

    /// A pending send moved `bytes` bytes; 0 means that sending may be tried again.
    void sent(int bytes);

    /// The connection attempt, a receive or a pending send failed for good. The channel answers with
    /// [StreamHandle#close].
    void failed(IOException cause);

    /// The descriptor is closed and the kernel uses none of the channel's buffers any more; the last event.
    void closed();
}
