package io.weft.http.http2;

import org.jspecify.annotations.Nullable;

/// The settings that an endpoint knows (RFC 9113, 6.5.2; RFC 8441, 3; RFC 9218, 2.1).
public enum Setting {
    HEADER_TABLE_SIZE(1, 4096),
    ENABLE_PUSH(2, 1),
    MAX_CONCURRENT_STREAMS(3, Integer.MAX_VALUE),
    INITIAL_WINDOW_SIZE(4, 65_535),
    MAX_FRAME_SIZE(5, 16_384),
    MAX_HEADER_LIST_SIZE(6, Integer.MAX_VALUE),
    ENABLE_CONNECT_PROTOCOL(8, 0),
    NO_RFC7540_PRIORITIES(9, 0);

    /// The largest number.
    static final int MAX_ID = 9;

    private final int id;
    private final long initial;

    Setting(int id, long initial) {
        this.id = id;
        this.initial = initial;
    }

    /// As on the wire.
    public int id() {
        return id;
    }

    /// Returns the value that holds before the first SETTINGS frame.
    public long initial() {
        return initial;
    }

    /// Returns the setting of that number; null for others, which are ignored (RFC 9113, 6.5.2).
    public static @Nullable Setting of(int id) {
        return switch (id) {
            case 1 -> HEADER_TABLE_SIZE;
            case 2 -> ENABLE_PUSH;
            case 3 -> MAX_CONCURRENT_STREAMS;
            case 4 -> INITIAL_WINDOW_SIZE;
            case 5 -> MAX_FRAME_SIZE;
            case 6 -> MAX_HEADER_LIST_SIZE;
            case 8 -> ENABLE_CONNECT_PROTOCOL;
            case 9 -> NO_RFC7540_PRIORITIES;
            default -> null;
        };
    }

    /// Refuses values that no endpoint may send (RFC 9113, 6.5.2).
    ///
    /// @throws Http2Exception for such a value
    void check(long value) {
        switch (this) {
            case ENABLE_PUSH, ENABLE_CONNECT_PROTOCOL, NO_RFC7540_PRIORITIES -> {
                if (value > 1) {
                    throw refused(ErrorCode.PROTOCOL_ERROR, value, "0 or 1");
                }
            }
            case INITIAL_WINDOW_SIZE -> {
                if (value > Integer.MAX_VALUE) {
                    throw refused(ErrorCode.FLOW_CONTROL_ERROR, value, "at most 2^31-1");
                }
            }
            case MAX_FRAME_SIZE -> {
                if (value < 1 << 14 || value > (1 << 24) - 1) {
                    throw refused(ErrorCode.PROTOCOL_ERROR, value, "2^14 to 2^24-1");
                }
            }
            case HEADER_TABLE_SIZE, MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE -> {}
        }
    }

    private Http2Exception refused(ErrorCode code, long value, String expected) {
        return new Http2Exception(code, name() + ": " + value + " (expected: " + expected + ")");
    }
}
