package io.weft.http.http2;

import io.weft.codec.DecoderException;

/// The peer's bytes break HTTP/2 or a limit, so that the connection cannot go on (RFC 9113, 5.4.1):
/// send GOAWAY with [#code], and close. Errors that concern one stream alone are no exceptions.
public final class Http2Exception extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public Http2Exception(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /// Returns the reason for GOAWAY.
    public ErrorCode code() {
        return code;
    }

    /// Returns the message in at most 120 printable characters of ASCII.
    String brief() {
        String text = String.valueOf(getMessage());
        StringBuilder ascii = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), 120); i++) {
            char c = text.charAt(i);
            ascii.append(c >= 0x20 && c < 0x7F ? c : '?');
        }
        return ascii.toString();
    }
}
