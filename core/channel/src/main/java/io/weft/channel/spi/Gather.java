package io.weft.channel.spi;

import io.weft.buffer.Buffer;

/// Buffers to be sent in order. It changes only between [StreamHandle#send] calls.
public interface Gather {
    /// How many buffers there are; at least 1 while sending.
    int count();

    /// The buffer at `index`, from 0; its readable bytes are to be sent.
    Buffer buffer(int index);
}
