package io.weft.http.http1;

import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.http.http1.ResponsePart.Framing;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.Status;
import io.weft.http.model.Version;

/// Rules for the fields of a response that concern its connection: where the body ends, and if
/// another response may follow (RFC 9112, 6.3). Fields that another recipient could read
/// differently are refused, since the bytes behind the wrong end would be taken for the next
/// response.
final class ResponseRules {
    private static final NameSet CONNECTION_FIELDS =
            NameSet.of(
                    HeaderName.CONTENT_LENGTH, HeaderName.TRANSFER_ENCODING, HeaderName.CONNECTION);

    private ResponseRules() {}

    /// @param method of the request
    static ResponseHead head(StatusLine line, Headers headers, Method method) {
        Status status = line.status();
        int code = status.code();
        if (method == Method.CONNECT && code >= 200 && code < 300) {
            // RFC 9110, 9.3.6: lengths are ignored here.
            return head(line, headers, Framing.TUNNEL, 0, false);
        }
        if (!headers.mayContain(CONNECTION_FIELDS)) {
            boolean none = isWithoutBody(status, method);
            boolean keepAlive = none && line.version() == Version.HTTP_1_1;
            return head(
                    line, headers, none ? Framing.NONE : Framing.CLOSE, none ? 0 : -1, keepAlive);
        }
        boolean chunked = HeadRules.isChunked(headers, line.version());
        long length = HeadRules.contentLength(headers);
        if (chunked && length >= 0) {
            throw badRequest("content-length and transfer-encoding (expected: one of them)");
        }
        boolean keepAlive = HeadRules.isKeepAlive(headers, line.version());
        if (isWithoutBody(status, method)) {
            checkUnframed(status, chunked, length);
            return head(line, headers, Framing.NONE, 0, keepAlive);
        }
        if (chunked) {
            return head(line, headers, Framing.CHUNKED, -1, keepAlive);
        }
        return length < 0
                ? head(line, headers, Framing.CLOSE, -1, false)
                : head(line, headers, Framing.LENGTH, length, keepAlive);
    }

    private static ResponseHead head(
            StatusLine line, Headers headers, Framing framing, long length, boolean keepAlive) {
        return new ResponseHead(line.status(), line.version(), headers, framing, length, keepAlive);
    }

    /// A switch of protocols, which only a request may bring about that offered one, and which says
    /// what it switches to (RFC 9110, 7.8 and 15.2.2).
    static ResponseHead tunnel(StatusLine line, Headers headers, boolean offered) {
        if (!offered) {
            throw badRequest("status: 101 (expected: none, the request offers no upgrade)");
        }
        if (line.version() != Version.HTTP_1_1) {
            throw badRequest("status: 101 in " + line.version() + " (expected: HTTP/1.1)");
        }
        checkInterim(line.status(), headers);
        if (!headers.contains(HeaderName.UPGRADE)
                || !headers.containsToken(HeaderName.CONNECTION, "upgrade")) {
            throw badRequest("status: 101 without upgrade (expected: the field, and the option)");
        }
        return head(line, headers, Framing.TUNNEL, 0, false);
    }

    /// Interim responses have no body, and no field may claim one (RFC 9112, 6.1).
    static void checkInterim(Status status, Headers headers) {
        checkUnframed(
                status,
                headers.contains(HeaderName.TRANSFER_ENCODING),
                HeadRules.contentLength(headers));
    }

    /// 1xx and 204 may not claim a body: a recipient that believes them waits for one. A length of
    /// 0 claims none.
    private static void checkUnframed(Status status, boolean coded, long length) {
        boolean claims = status.code() < 200 || status == Status.NO_CONTENT;
        if (claims && (coded || length > 0)) {
            throw badRequest(
                    (coded ? "transfer-encoding" : "content-length")
                            + " with "
                            + status
                            + " (expected: none; RFC 9112, 6.1)");
        }
    }

    private static boolean isWithoutBody(Status status, Method method) {
        return method == Method.HEAD || status.isWithoutContent();
    }
}
