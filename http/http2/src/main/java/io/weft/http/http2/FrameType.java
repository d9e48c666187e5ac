package io.weft.http.http2;

/// Numbers of frame types (RFC 9113, 6; RFC 9218, 7.1) and of their flags.
final class FrameType {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int PRIORITY_UPDATE = 16;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int PRIORITY_FLAG = 0x20;

    /// Bytes of the header that each frame begins with (RFC 9113, 4.1).
    static final int HEADER = 9;

    private FrameType() {}
}
