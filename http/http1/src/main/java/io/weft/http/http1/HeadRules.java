package io.weft.http.http1;

import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.Status;
import io.weft.http.model.Version;

/// Rules for the fields of a request that concern its connection: where the body ends, and if
/// another request may follow. A field that another recipient could read differently is refused,
/// since that is how requests are smuggled.
final class HeadRules {
    private static final NameSet CONNECTION_FIELDS =
            NameSet.of(
                    HeaderName.CONTENT_LENGTH,
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.CONNECTION,
                    HeaderName.EXPECT);
    private static final long MAX_BEFORE_DIGIT = Long.MAX_VALUE / 10;

    private HeadRules() {}

    static RequestHead head(RequestLine line, Headers headers) {
        checkHost(headers, line.version());
        if (!headers.mayContain(CONNECTION_FIELDS)) {
            boolean keepAlive = line.version() == Version.HTTP_1_1;
            return head(line, headers, Framing.NONE, 0, keepAlive, false);
        }
        boolean chunked = isChunked(headers, line.version());
        long length = contentLength(headers);
        if (chunked && length >= 0) {
            throw badRequest("content-length and transfer-encoding (expected: one of them)");
        }
        boolean body = chunked || length > 0;
        if (body && (line.method() == Method.CONNECT || line.method() == Method.TRACE)) {
            throw badRequest(line.method() + " with a body (expected: none; RFC 9110, 9.3)");
        }
        Framing framing = chunked ? Framing.CHUNKED : body ? Framing.LENGTH : Framing.NONE;
        return head(
                line,
                headers,
                framing,
                chunked ? -1 : Math.max(0, length),
                isKeepAlive(headers, line.version()),
                expectsContinue(headers, line.version()) && body);
    }

    private static RequestHead head(
            RequestLine line,
            Headers headers,
            Framing framing,
            long length,
            boolean keepAlive,
            boolean expectContinue) {
        return new RequestHead(
                line.method(),
                line.target(),
                line.version(),
                headers,
                framing,
                length,
                keepAlive,
                expectContinue);
    }

    /// Exactly one Host in HTTP/1.1, at most one in HTTP/1.0 (RFC 9112, 3.2).
    private static void checkHost(Headers headers, Version version) {
        int host = headers.indexOf(HeaderName.HOST, 0);
        if (host < 0) {
            if (version == Version.HTTP_1_1) {
                throw badRequest("host: none (expected: exactly one)");
            }
            return;
        }
        if (headers.indexOf(HeaderName.HOST, host + 1) >= 0) {
            throw badRequest("host: several (expected: exactly one)");
        }
        if (!headers.valueIsAuthority(host)) {
            throw badRequest("host: malformed (expected: host[:port])");
        }
    }

    /// The length, or -1 without the field. Several Content-Length fields are refused even when
    /// they agree, and so are lists (RFC 9112, 6.3, 5).
    static long contentLength(Headers headers) {
        int field = headers.indexOf(HeaderName.CONTENT_LENGTH, 0);
        if (field < 0) {
            return -1;
        }
        if (headers.indexOf(HeaderName.CONTENT_LENGTH, field + 1) >= 0) {
            throw badRequest("content-length: several (expected: at most one)");
        }
        long length = 0;
        int digits = headers.valueLength(field);
        for (int i = 0; i < digits; i++) {
            int digit = headers.valueByte(field, i) - '0';
            if (digit < 0
                    || digit > 9
                    || length > MAX_BEFORE_DIGIT
                    || length * 10 > Long.MAX_VALUE - digit) {
                throw badRequest("content-length: malformed (expected: digits, below 2^63)");
            }
            length = length * 10 + digit;
        }
        if (digits == 0) {
            throw badRequest("content-length: empty (expected: digits)");
        }
        return length;
    }

    /// Only `chunked`, once, over all Transfer-Encoding fields; never in HTTP/1.0 (RFC 9112, 6.1).
    static boolean isChunked(Headers headers, Version version) {
        int field = headers.indexOf(HeaderName.TRANSFER_ENCODING, 0);
        if (field < 0) {
            return false;
        }
        if (version == Version.HTTP_1_0) {
            throw badRequest("transfer-encoding in HTTP/1.0 (expected: none)");
        }
        if (headers.valueIs(field, "chunked")
                && headers.indexOf(HeaderName.TRANSFER_ENCODING, field + 1) < 0) {
            return true;
        }
        String list = String.join(",", headers.all(HeaderName.TRANSFER_ENCODING));
        String[] codings = list.split(",", -1);
        for (int i = 0; i < codings.length; i++) {
            String coding = codings[i].strip();
            boolean last = i == codings.length - 1;
            if (!isToken(coding) || coding.equalsIgnoreCase("chunked") != last) {
                throw badRequest("transfer-encoding: malformed (expected: chunked, once and last)");
            }
        }
        throw new HttpDecodeException(
                Status.NOT_IMPLEMENTED, "transfer-encoding: several codings (expected: chunked)");
    }

    private static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(HeaderName::isTokenChar);
    }

    /// RFC 9112, 9.3.
    static boolean isKeepAlive(Headers headers, Version version) {
        if (headers.containsToken(HeaderName.CONNECTION, "close")) {
            return false;
        }
        return version == Version.HTTP_1_1
                || headers.containsToken(HeaderName.CONNECTION, "keep-alive");
    }

    /// RFC 9110, 10.1.1: there is one expectation, and HTTP/1.0 has none.
    private static boolean expectsContinue(Headers headers, Version version) {
        int field = headers.indexOf(HeaderName.EXPECT, 0);
        if (field < 0 || version == Version.HTTP_1_0) {
            return false;
        }
        if (headers.valueIs(field, "100-continue")
                && headers.indexOf(HeaderName.EXPECT, field + 1) < 0) {
            return true;
        }
        throw new HttpDecodeException(
                Status.EXPECTATION_FAILED, "expect: unknown (expected: 100-continue)");
    }
}
