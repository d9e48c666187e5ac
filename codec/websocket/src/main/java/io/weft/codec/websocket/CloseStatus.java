package io.weft.codec.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.codec.Utf8Check;

/// The reason why a connection ends: a code and a text (RFC 6455, 7.4).
///
/// @param code 1000 to 4999; see [#isSendable]
/// @param reason for people, at most 123 bytes of UTF-8; empty where there is none
public record CloseStatus(int code, String reason) {
    /// The longest reason, in bytes: a control frame has 125, the code two of them.
    public static final int MAX_REASON = 123;

    /// The purpose is fulfilled.
    public static final CloseStatus NORMAL = new CloseStatus(1000, "");

    /// A server that shuts down, or a page that is left.
    public static final CloseStatus GOING_AWAY = new CloseStatus(1001, "");

    /// The peer breaks the protocol.
    public static final CloseStatus PROTOCOL_ERROR = new CloseStatus(1002, "");

    /// A type of message that this end does not take.
    public static final CloseStatus UNSUPPORTED_DATA = new CloseStatus(1003, "");

    /// The peer's close frame had no code. Never sent.
    public static final CloseStatus NO_STATUS = new CloseStatus(1005, "");

    /// The connection ended without a close frame. Never sent.
    public static final CloseStatus ABNORMAL = new CloseStatus(1006, "");

    /// Data that is not of its type: text that is not UTF-8, or corrupted compressed data.
    public static final CloseStatus INVALID_DATA = new CloseStatus(1007, "");

    /// A message against the application's rules.
    public static final CloseStatus POLICY_VIOLATION = new CloseStatus(1008, "");

    /// A frame or message beyond a limit.
    public static final CloseStatus TOO_BIG = new CloseStatus(1009, "");

    /// The server did not agree to an extension that the client needs.
    public static final CloseStatus MANDATORY_EXTENSION = new CloseStatus(1010, "");

    /// The server failed.
    public static final CloseStatus INTERNAL_ERROR = new CloseStatus(1011, "");

    /// The server restarts.
    public static final CloseStatus SERVICE_RESTART = new CloseStatus(1012, "");

    /// The server is overloaded.
    public static final CloseStatus TRY_AGAIN_LATER = new CloseStatus(1013, "");

    /// @throws IllegalArgumentException when the code is not from 1000 to 4999, or the reason is
    ///     longer than 123 bytes or no text
    public CloseStatus {
        if (code < 1000 || code > 4999) {
            throw new IllegalArgumentException("code: " + code + " (expected: 1000 to 4999)");
        }
        int length = reason.getBytes(UTF_8).length;
        if (length > MAX_REASON) {
            throw new IllegalArgumentException(
                    "reason: " + length + " bytes (expected: at most " + MAX_REASON + ")");
        }
    }

    /// This code with another reason.
    ///
    /// @throws IllegalArgumentException when `text` is longer than 123 bytes
    public CloseStatus because(String text) {
        return new CloseStatus(code, text);
    }

    /// Tells if the code may be sent: 1000 to 1003, 1007 to 1014, and 3000 to 4999, which are the
    /// libraries' and the applications'.
    public boolean isSendable() {
        return isSendable(code);
    }

    /// RFC 6455, 7.4.1 and 7.4.2, and the codes that IANA registered since.
    static boolean isSendable(int code) {
        return (code >= 1000 && code <= 1003)
                || (code >= 1007 && code <= 1014)
                || (code >= 3000 && code <= 4999);
    }

    /// The payload of a close frame; none for [#NO_STATUS].
    void writeTo(Buffer out) {
        if (code != NO_STATUS.code) {
            out.writeShort(code);
            out.writeUtf8(reason);
        }
    }

    /// @param payload all of a close frame's, which stays the caller's
    /// @throws WebSocketException when it is malformed
    static CloseStatus read(Buffer payload) {
        int length = payload.readableBytes();
        if (length == 0) {
            return NO_STATUS;
        }
        if (length == 1) {
            // RFC 6455, 5.5.1: if there is a body, its first two bytes are a code.
            throw WebSocketException.protocol("close frame: 1 byte (expected: none, or from 2)");
        }
        int code = payload.readUnsignedShort();
        if (!isSendable(code)) {
            throw WebSocketException.protocol(
                    "close code: " + code + " (expected: 1000-1003, 1007-1014 or 3000-4999)");
        }
        Utf8Check text = new Utf8Check();
        int bad = text.check(payload, payload.readOffset(), payload.writeOffset());
        if (bad >= 0 || !text.isWhole()) {
            throw bad >= 0
                    ? WebSocketException.notUtf8(payload, bad)
                    : WebSocketException.endsEarly(text);
        }
        return new CloseStatus(code, payload.readString(UTF_8));
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? String.valueOf(code) : code + " " + reason;
    }
}
