package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.engine.EndpointMessage;
import io.weft.ffi.Errno;
import org.jspecify.annotations.Nullable;

/// The sending calls of one socket: messages, and plain bytes cut into messages.
///
/// @param envelope of the channel, which frees it
record SctpOutput(SctpSocket socket, SctpSettings settings, Calls calls, Envelope envelope) {
    /// Bytes of a message that plain bytes are cut into.
    private static final int PIECE = 32 << 10;

    /// Tells of messages that no kernel would take, before they wait for their turn.
    @Nullable Exception refusal(EndpointMessage message) {
        if (!(message instanceof SctpMessage sctp)) {
            return new IllegalArgumentException(
                    "message: " + message.getClass().getName() + " (expected: an SctpMessage)");
        }
        int length = sctp.content().readableBytes();
        if (length < 1 || length > settings.greatestMessage()) {
            return new IllegalArgumentException(
                    "message: "
                            + length
                            + " bytes (expected: 1 to SO_SNDBUF, "
                            + settings.greatestMessage()
                            + ")");
        }
        boolean many = socket.mode() == SctpMode.ASSOCIATIONS;
        if (many && sctp.association() == 0 && sctp.peer() == null) {
            return new IllegalArgumentException(
                    "message: for nobody (expected: an association or a peer)");
        }
        return null;
    }

    /// Sends a message, or bytes if there is none.
    ///
    /// @return the bytes sent, or -errno if there are none
    int send(Buffer bytes, @Nullable EndpointMessage message) {
        return message == null ? sendBytes(bytes) : sendMessage((SctpMessage) message);
    }

    private int sendMessage(SctpMessage message) {
        Buffer bytes = message.content();
        try {
            envelope.send(
                    bytes.address() + bytes.readOffset(),
                    bytes.readableBytes(),
                    message,
                    socket.family());
        } catch (IllegalArgumentException e) {
            return -Errno.EINVAL; // an address of the other family
        }
        return calls.send(socket.fd(), envelope.header());
    }

    private int sendBytes(Buffer bytes) {
        if (socket.mode() == SctpMode.ASSOCIATIONS) {
            return bytes.isReadable() ? -Errno.EDESTADDRREQ : 0;
        }
        int most = Math.max(Math.min(PIECE, settings.greatestMessage() / 2), 1);
        int total = 0;
        while (total < bytes.readableBytes()) {
            int length = Math.min(bytes.readableBytes() - total, most);
            envelope.send(bytes.address() + bytes.readOffset() + total, length);
            int sent = calls.send(socket.fd(), envelope.header());
            if (sent < 0) {
                return total > 0 ? total : sent;
            }
            total += sent;
        }
        return total;
    }
}
