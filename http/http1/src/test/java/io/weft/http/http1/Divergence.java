package io.weft.http.http1;

/// Places where [RequestDecoder] differs from the grammar and the requirements of RFC 9110 and RFC
/// 9112, each with a request that shows it. `docs/http1.md` gives the reason for each.
enum Divergence {
    // ---- refused here, allowed there ----
    OTHER_MINOR_VERSION("GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
    LONG_METHOD("M".repeat(65) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
    SECOND_EMPTY_LINE("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    OTHER_SCHEME("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    USER_IN_AUTHORITY("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    EMPTY_PORT("GET / HTTP/1.1\r\nHost: a:\r\n\r\n"),
    LARGE_PORT("GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
    EMPTY_HOST("GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    COMMA_IN_HOST("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n"),
    FUTURE_IP("GET / HTTP/1.1\r\nHost: [v1.a]\r\n\r\n"),
    FOLDED_LINE("GET / HTTP/1.1\r\nHost: a\r\nb: c\r\n d\r\n\r\n"),
    REPEATED_LENGTH("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx"),
    LARGE_LENGTH("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n"),
    LENGTH_AND_CODING(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "0\r\n\r\n"),
    CODING_IN_1_0("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    EMPTY_CODING("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n"),
    OTHER_CODING("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    OTHER_EXPECTATION("GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n"),
    LONG_CHUNK_SIZE(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "0".repeat(17) + "\r\n\r\n"),
    BLANK_IN_CHUNK_LINE(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0 ;a = b\r\n\r\n"),
    FIELD_NOT_FOR_TRAILERS(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nCookie: a\r\n\r\n"),
    CONTENT_WITH_CONNECT("CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"),

    // ---- allowed here, not there ----
    CHARACTERS_OF_QUERIES("GET /?[a]^{b}|100% HTTP/1.1\r\nHost: a\r\n\r\n"),
    LOOSE_IPV6("GET / HTTP/1.1\r\nHost: [:::]\r\n\r\n");

    /// Decided differently by the RFCs and by Weft.
    final String example;

    Divergence(String... parts) {
        example = String.join("", parts);
    }
}
