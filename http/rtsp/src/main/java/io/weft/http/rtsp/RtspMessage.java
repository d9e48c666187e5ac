package io.weft.http.rtsp;

/// A message of RTSP. Both sides send all three kinds: a server may send requests too (RFC 2326,
/// 1.4).
public sealed interface RtspMessage permits RtspRequest, RtspResponse, RtspData {
    /// The highest number of a request.
    long MAX_CSEQ = 999_999_999;

    /// Returns `cseq`.
    ///
    /// @throws IllegalArgumentException unless it is from 0 to [#MAX_CSEQ]
    static long checkCseq(long cseq) {
        if (cseq < 0 || cseq > MAX_CSEQ) {
            throw new IllegalArgumentException(
                    "cseq: " + cseq + " (expected: 0 to " + MAX_CSEQ + ")");
        }
        return cseq;
    }
}
