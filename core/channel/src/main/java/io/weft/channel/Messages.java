package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.engine.Datagram;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EndpointMessage;
import io.weft.engine.FileRegion;
import io.weft.engine.StreamHandle;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Operations that are the same for all messages that can be sent.
public final class Messages {
    /// Of a [Datagram], as of every Linux that segments.
    private static final int MAX_SEGMENTS = 64;

    private static final int MAX_SEGMENTED = 65_507;

    private Messages() {}

    /// Returns the number of bytes that a message puts on the wire; 0 if it has to be encoded
    /// first. Reads nothing of the message.
    public static long bytes(Object message) {
        return switch (message) {
            case Buffer buffer -> buffer.readableBytes();
            case CompositeBuffer buffer -> buffer.readableBytes();
            case FileRegion region -> region.remaining();
            case Datagram datagram -> datagram.content().readableBytes();
            case DescriptorMessage descriptors -> descriptors.content().readableBytes();
            case EndpointMessage endpoint -> endpoint.content().readableBytes();
            default -> 0;
        };
    }

    /// Releases a message that no handler or transport took.
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
            } catch (Throwable e) {
                LOG.failure("a message failed to close", e);
            }
        }
    }

    /// Releases a message because of `refusal`. If it was released before, `refusal` says so, and
    /// the promise can still be told.
    static void release(Object message, Throwable refusal) {
        try {
            release(message);
        } catch (IllegalStateException e) {
            refusal.addSuppressed(e);
        }
    }

    /// The message as it is sent; null when this kind of channel does not send such.
    static @Nullable Object sendable(Object message, Lifecycle life) {
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

    /// The error for a message of a kind that is sent, and that cannot be; else null.
    static @Nullable Exception refusal(Object message, Lifecycle life) {
        if (message instanceof Datagram datagram) {
            return refusal(datagram, life);
        }
        return message instanceof EndpointMessage endpoint
                        && life.sendingHandle() instanceof StreamHandle stream
                ? stream.refusal(endpoint)
                : null;
    }

    /// Refuses what engines and kernels would take differently.
    private static @Nullable Exception refusal(Datagram datagram, Lifecycle life) {
        SocketAddress recipient = datagram.address();
        if (recipient != null) {
            SocketAddress peer = life.addresses().peer();
            if (peer != null && !peer.equals(recipient)) {
                return new IllegalArgumentException(
                        "recipient: " + recipient + " (expected: the channel's peer " + peer + ")");
            }
        }
        int size = datagram.segmentSize();
        return size == 0 ? null : refusal(datagram.content().readableBytes(), size);
    }

    private static @Nullable Exception refusal(int length, int segmentSize) {
        int segments = Math.ceilDiv(length, segmentSize);
        if (segments > MAX_SEGMENTS) {
            return new IllegalArgumentException(
                    "segments: "
                            + segments
                            + " of "
                            + segmentSize
                            + " bytes (expected: at most "
                            + MAX_SEGMENTS
                            + ")");
        }
        return segments > 1 && length > MAX_SEGMENTED
                ? new IllegalArgumentException(
                        "bytes in segments: "
                                + length
                                + " (expected: at most "
                                + MAX_SEGMENTED
                                + ")")
                : null;
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

    /// Releases a message that a channel does not take, and tells why.
    static void refuse(
            Channel channel, Object message, @Nullable Promise<Void> promise, Throwable refusal) {
        release(message, refusal);
        if (promise != null) {
            promise.tryFailure(refusal);
        }
        if (refusal instanceof OutboundLimitException) {
            channel.pipeline().fireException(refusal);
            channel.life().closeNow(true);
        } else if (promise == null && !(refusal instanceof ClosedChannelException)) {
            channel.pipeline().fireException(refusal);
        }
    }

    /// Refuses a message of a kind that the channel does not send. One that has closed does not
    /// know any more which it sent.
    static void refuseKind(Channel channel, Object message, @Nullable Promise<Void> promise) {
        boolean open = channel.isOpen();
        refuse(
                channel,
                message,
                promise,
                open ? unexpected(message, channel.life()) : new ClosedChannelException());
    }

    /// Refuses a message that was released before it was written: found where it was written, not
    /// where the engine would stumble on it.
    static void refuseReleased(Channel channel, Object message, @Nullable Promise<Void> promise) {
        try {
            release(message);
        } catch (IllegalStateException e) {
            if (promise != null) {
                promise.tryFailure(e);
            } else {
                channel.pipeline().fireException(e);
            }
        }
    }
}
