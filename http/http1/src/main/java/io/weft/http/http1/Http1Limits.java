package io.weft.http.http1;

/// Limits of what a peer may send, in bytes unless said otherwise. Each is checked as bytes arrive,
/// not when a line is whole.
///
/// @param initialLine of the request line, without CR LF
/// @param headerSection of all header lines together, or all trailer lines, each with its CR LF
/// @param headerFields number of fields in one section
/// @param chunkExtensions behind one chunk size; all of one message may have as many as a header
///     section has
public record Http1Limits(
        int initialLine, int headerSection, int headerFields, int chunkExtensions) {
    public static final Http1Limits DEFAULT = new Http1Limits(8 << 10, 16 << 10, 100, 256);

    private static final int MAX = 1 << 20;

    /// @throws IllegalArgumentException unless each limit is from 16 to 2^20, except
    ///     `chunkExtensions`: from 0
    public Http1Limits {
        check("initialLine", initialLine, 16);
        check("headerSection", headerSection, 16);
        check("headerFields", headerFields, 16);
        check("chunkExtensions", chunkExtensions, 0);
    }

    private static void check(String what, int value, int min) {
        if (value < min || value > MAX) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + MAX + ")");
        }
    }

    public Http1Limits withInitialLine(int bytes) {
        return new Http1Limits(bytes, headerSection, headerFields, chunkExtensions);
    }

    public Http1Limits withHeaderSection(int bytes) {
        return new Http1Limits(initialLine, bytes, headerFields, chunkExtensions);
    }

    public Http1Limits withHeaderFields(int count) {
        return new Http1Limits(initialLine, headerSection, count, chunkExtensions);
    }

    public Http1Limits withChunkExtensions(int bytes) {
        return new Http1Limits(initialLine, headerSection, headerFields, bytes);
    }
}
