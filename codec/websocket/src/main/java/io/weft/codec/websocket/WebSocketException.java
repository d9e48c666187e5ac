package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.Utf8Check;

/// The peer broke the protocol or a limit. The connection fails with [#status] as its close code
/// (RFC 6455, 7.1.7).
public final class WebSocketException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final transient CloseStatus status;

    private WebSocketException(CloseStatus status, String message) {
        super(message);
        this.status = status;
    }

    /// Returns the status to answer with.
    public CloseStatus status() {
        return status;
    }

    static WebSocketException protocol(String message) {
        return new WebSocketException(CloseStatus.PROTOCOL_ERROR, message);
    }

    static WebSocketException invalidData(String message) {
        return new WebSocketException(CloseStatus.INVALID_DATA, message);
    }

    /// RFC 6455, 8.1: text that is not UTF-8 fails the connection.
    static WebSocketException notUtf8(Buffer in, int index) {
        return invalidData(
                "text: byte 0x"
                        + Integer.toHexString(in.getUnsignedByte(index))
                        + " (expected: UTF-8)");
    }

    /// As [#notUtf8], of a text whose last character is cut off.
    static WebSocketException endsEarly(Utf8Check text) {
        return invalidData("text: ends " + text.missing() + " bytes early (expected: UTF-8)");
    }

    static WebSocketException tooBig(String what, long length, long limit) {
        return new WebSocketException(
                CloseStatus.TOO_BIG, what + ": " + length + " (expected: at most " + limit + ")");
    }
}
