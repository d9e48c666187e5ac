package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.engine.Datagram;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EndpointMessage;
import io.weft.engine.FileRegion;
import io.weft.engine.StreamHandle;
import org.jspecify.annotations.Nullable;

/// The messages that a channel of some kind sends.
final class Sendable {
    private Sendable() {}

    /// The message as it is sent; null when this kind of channel does not send such.
    static @Nullable Object of(Object message, Lifecycle life) {
        if (life.isDatagram()) {
            return switch (message) {
                case Datagram datagram -> datagram;
                case Buffer content -> new Datagram(content, null);
                default -> null;
            };
        }
        if (message instanceof DescriptorMessage) {
            boolean passes =
                    life.sendingHandle() instanceof StreamHandle stream
                            && stream.passesDescriptors();
            return passes ? message : null;
        }
        boolean sends =
                message instanceof Buffer
                        || message instanceof CompositeBuffer
                        || message instanceof EndpointMessage
                        || message instanceof FileRegion;
        return sends ? message : null;
    }

    /// The error for another.
    static IllegalArgumentException unexpected(Object message, Lifecycle life) {
        if (message instanceof DescriptorMessage) {
            return new IllegalArgumentException(
                    "message: descriptors (expected: a Unix domain stream of the transport io_uring"
                            + " or epoll)");
        }
        return new IllegalArgumentException(
                "message: "
                        + message.getClass().getName()
                        + " (expected: a "
                        + (life.isDatagram() ? "Datagram" : "Buffer")
                        + "; is an encoder missing?)");
    }
}
