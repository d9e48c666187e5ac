package io.weft.http.http2;

import java.time.Duration;

/// Limits of what a peer may make this side of a connection do or keep. Every limit is finite.
///
/// The budgets `resets` and `oddities` refill steadily, within `period` from nothing to full. A
/// peer that exhausts one is cut off with ENHANCE_YOUR_CALM.
///
/// @param streams that the peer may have open at a time, as SETTINGS_MAX_CONCURRENT_STREAMS says;
///     more are refused
/// @param streamWindow bytes of DATA that a stream may have sent and not read, as
///     SETTINGS_INITIAL_WINDOW_SIZE
/// @param connectionWindow bytes of DATA that all streams together may have sent and not read
/// @param frame bytes of a frame's payload, as SETTINGS_MAX_FRAME_SIZE
/// @param headerTable bytes of HPACK's table of fields received, as SETTINGS_HEADER_TABLE_SIZE
/// @param headerSection bytes of a field section, each field with 32 more (RFC 9113, 6.5.2), as
///     SETTINGS_MAX_HEADER_LIST_SIZE; the compressed section may not be longer either
/// @param headerFields in one section, each piece of a cookie counted
/// @param continuations CONTINUATION frames of one section
/// @param resets streams that end by RST_STREAM, whichever side sends it
/// @param oddities cost of frames that do nothing useful: SETTINGS, PING, PRIORITY, empty DATA,
///     small window updates, unknown frames, frames on closed streams; what this side sends earns
///     some back
/// @param period in which budgets refill
public record Http2Limits(
        int streams,
        int streamWindow,
        int connectionWindow,
        int frame,
        int headerTable,
        int headerSection,
        int headerFields,
        int continuations,
        int resets,
        int oddities,
        Duration period) {
    public static final Http2Limits DEFAULT =
            new Http2Limits(
                    100,
                    64 << 10,
                    128 << 10,
                    16 << 10,
                    4 << 10,
                    16 << 10,
                    100,
                    8,
                    100,
                    1000,
                    Duration.ofSeconds(10));

    /// @throws IllegalArgumentException for a value out of range
    public Http2Limits {
        check("streams", streams, 1, 1 << 16);
        check("streamWindow", streamWindow, 1, Integer.MAX_VALUE);
        check("connectionWindow", connectionWindow, 65_535, Integer.MAX_VALUE);
        check("frame", frame, 1 << 14, (1 << 24) - 1);
        check("headerTable", headerTable, 0, 1 << 20);
        check("headerSection", headerSection, 1 << 10, 1 << 20);
        check("headerFields", headerFields, 16, 1 << 16);
        check("continuations", continuations, 1, 1 << 16);
        check("resets", resets, 1, 1 << 20);
        check("oddities", oddities, 100, 1 << 20);
        if (!period.isPositive() || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "period: " + period + " (expected: above 0, at most a day)");
        }
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public Http2Limits withStreams(int count) {
        return new Http2Limits(
                count,
                streamWindow,
                connectionWindow,
                frame,
                headerTable,
                headerSection,
                headerFields,
                continuations,
                resets,
                oddities,
                period);
    }

    /// @param stream bytes of one stream
    /// @param connection bytes of all streams together, at least 65,535
    public Http2Limits withWindows(int stream, int connection) {
        return new Http2Limits(
                streams,
                stream,
                connection,
                frame,
                headerTable,
                headerSection,
                headerFields,
                continuations,
                resets,
                oddities,
                period);
    }

    /// @param bytes of a section
    /// @param fields in a section
    public Http2Limits withHeaders(int bytes, int fields) {
        return new Http2Limits(
                streams,
                streamWindow,
                connectionWindow,
                frame,
                headerTable,
                bytes,
                fields,
                continuations,
                resets,
                oddities,
                period);
    }

    /// @param resetsInPeriod streams that may end by RST_STREAM
    /// @param odditiesInPeriod cost of frames that do nothing useful
    public Http2Limits withBudgets(
            int resetsInPeriod, int odditiesInPeriod, Duration refillPeriod) {
        return new Http2Limits(
                streams,
                streamWindow,
                connectionWindow,
                frame,
                headerTable,
                headerSection,
                headerFields,
                continuations,
                resetsInPeriod,
                odditiesInPeriod,
                refillPeriod);
    }
}
