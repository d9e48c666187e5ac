package io.weft.http.rtsp;

/// Limits of what a peer may send.
///
/// @param lineBytes of a request line or status line
/// @param headerBytes of all header lines of one message
/// @param headers fields of one message
/// @param bodyBytes of the body of one message
/// @param dataBytes of one piece of interleaved data
public record RtspLimits(
        int lineBytes, int headerBytes, int headers, int bodyBytes, int dataBytes) {
    public static final RtspLimits DEFAULT =
            new RtspLimits(8 << 10, 16 << 10, 100, 256 << 10, RtspData.MAX_LENGTH);

    private static final int MIN = 16;
    private static final int MAX = 1 << 20;

    /// @throws IllegalArgumentException unless lines, headers and fields are from 16 to 2^20,
    ///     `bodyBytes` is at most 2^30, and `dataBytes` at most 65,535
    public RtspLimits {
        check("lineBytes", lineBytes, MIN, MAX);
        check("headerBytes", headerBytes, MIN, MAX);
        check("headers", headers, MIN, MAX);
        check("bodyBytes", bodyBytes, 0, 1 << 30);
        check("dataBytes", dataBytes, 0, RtspData.MAX_LENGTH);
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public RtspLimits withLineBytes(int bytes) {
        return new RtspLimits(bytes, headerBytes, headers, bodyBytes, dataBytes);
    }

    public RtspLimits withHeaderBytes(int bytes) {
        return new RtspLimits(lineBytes, bytes, headers, bodyBytes, dataBytes);
    }

    public RtspLimits withHeaders(int count) {
        return new RtspLimits(lineBytes, headerBytes, count, bodyBytes, dataBytes);
    }

    public RtspLimits withBodyBytes(int bytes) {
        return new RtspLimits(lineBytes, headerBytes, headers, bytes, dataBytes);
    }

    public RtspLimits withDataBytes(int bytes) {
        return new RtspLimits(lineBytes, headerBytes, headers, bodyBytes, bytes);
    }
}
