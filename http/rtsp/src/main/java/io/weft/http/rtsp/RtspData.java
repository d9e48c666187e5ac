package io.weft.http.rtsp;

import io.weft.buffer.Buffer;

/// Binary data that travels between messages, such as a packet of RTP (RFC 2326, 10.12).
///
/// @param channel 0 to 255, as agreed on by a Transport field
/// @param payload at most 65,535 bytes; the owner of the message owns it
public record RtspData(int channel, Buffer payload) implements RtspMessage, AutoCloseable {
    /// The longest payload.
    public static final int MAX_LENGTH = 65_535;

    /// @throws IllegalArgumentException for a channel out of range; `payload` stays the caller's
    public RtspData {
        if (channel < 0 || channel > 255) {
            throw new IllegalArgumentException("channel: " + channel + " (expected: 0 to 255)");
        }
    }

    /// Releases the payload.
    @Override
    public void close() {
        payload.release();
    }
}
