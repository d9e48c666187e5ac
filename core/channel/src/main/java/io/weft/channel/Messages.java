package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;

/// Gives up messages that nobody took.
final class Messages {
    private Messages() {}

    static void release(Object message) {
        if (message instanceof Buffer buffer) {
            buffer.release();
        } else if (message instanceof CompositeBuffer composite) {
            composite.release();
        } else if (message instanceof Datagram datagram) {
            datagram.close();
        } else if (message instanceof DescriptorMessage descriptors) {
            descriptors.close();
        } else if (message instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                Log.failure("a message failed to close", e);
            }
        }
    }
}
