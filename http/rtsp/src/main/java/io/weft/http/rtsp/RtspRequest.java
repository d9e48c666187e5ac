package io.weft.http.rtsp;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Status;

/// A request (RFC 2326, 6).
///
/// @param method see [RtspMethod]
/// @param uri absolute, or `*` for the server; printable ASCII without blanks
/// @param cseq number of the request, 0 to 999,999,999, which its response has too
/// @param headers as received, or to be sent; of those to be sent CSeq and Content-Length are left
///     out, as the encoder makes them
/// @param body in memory
public record RtspRequest(
        Method method, String uri, RtspVersion version, long cseq, Headers headers, Body body)
        implements RtspMessage {
    /// @throws IllegalArgumentException for a URI with another character, a number out of range, or
    ///     a body that is a stream
    public RtspRequest {
        if (uri.isEmpty() || !uri.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "uri: " + uri.length() + " characters (expected: printable ASCII, no blanks)");
        }
        long _ = RtspMessage.checkCseq(cseq);
        RtspResponse.checkBody(body);
    }

    /// A request of version 1.0 without a body.
    public static RtspRequest of(Method method, String uri, long cseq, Headers headers) {
        return new RtspRequest(method, uri, RtspVersion.RTSP_1_0, cseq, headers, Body.empty());
    }

    /// Returns the response to this request: of its version, with its number and its session.
    public RtspResponse answer(Status status, Headers fields, Body content) {
        String session = headers.first(RtspHeader.SESSION);
        Headers all =
                session == null || fields.contains(RtspHeader.SESSION)
                        ? fields
                        : fields.with(RtspHeader.SESSION, session);
        return new RtspResponse(version, status, cseq, all, content);
    }

    /// As [#answer(Status, Headers, Body)], without a body.
    public RtspResponse answer(Status status, Headers fields) {
        return answer(status, fields, Body.empty());
    }

    /// Without fields and URI, which may have secrets.
    @Override
    public String toString() {
        return method + " " + version + " " + cseq;
    }
}
