package io.weft.http.rtsp;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;

/// A response (RFC 2326, 7).
///
/// @param cseq number of the request that it answers
/// @param headers as of [RtspRequest]
/// @param body in memory; none with 1xx, 204 and 304
public record RtspResponse(
        RtspVersion version, Status status, long cseq, Headers headers, Body body)
        implements RtspMessage {
    /// @throws IllegalArgumentException for a number out of range, a body that is a stream, or one
    ///     where the status has none
    public RtspResponse {
        long _ = RtspMessage.checkCseq(cseq);
        checkBody(body);
        if (body.length() > 0 && status.isWithoutContent()) {
            throw new IllegalArgumentException("body: with " + status + " (expected: none)");
        }
    }

    static void checkBody(Body body) {
        if (!(body instanceof Body.Bytes || body instanceof Body.Empty)) {
            throw new IllegalArgumentException("body: a stream (expected: in memory)");
        }
    }

    /// Without fields, which may have secrets.
    @Override
    public String toString() {
        return version + " " + status.code() + " " + cseq;
    }
}
