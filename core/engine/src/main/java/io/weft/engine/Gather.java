package io.weft.engine;

import io.weft.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buffers to be sent in order. It changes only between [StreamHandle#send] calls.
public interface Gather {
    /// Returns the number of buffers; at least 1 while sending.
    int count();

    /// The descriptors that travel with the one buffer there is then; null when there are none, as
    /// nearly always.
    default @Nullable List<PassedDescriptor> descriptors() {
        return null;
    }

    /// Returns the message whose content is the buffer at `index`; null for plain bytes, as nearly
    /// always. Only streams that accept such messages ask.
    default @Nullable EndpointMessage endpointMessage(int index) {
        return null;
    }

    /// The buffer at `index`, from 0; its readable bytes are to be sent.
    Buffer buffer(int index);
}
