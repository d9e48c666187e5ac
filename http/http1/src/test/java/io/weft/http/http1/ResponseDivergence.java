package io.weft.http.http1;

/// Places where [ResponseDecoder] differs from the grammar and the requirements of RFC 9110 and RFC
/// 9112 in addition to those of [Divergence] that are about all messages, each with a response that
/// shows it. `docs/http1.md` gives the reason for each.
enum ResponseDivergence {
    // ---- refused here, allowed there ----
    OTHER_CLASS("GET", "HTTP/1.1 600 x\r\nContent-Length: 0\r\n\r\n"),
    MANY_INTERIM(
            "GET",
            "HTTP/1.1 102 x\r\n\r\n".repeat(33) + "HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n"),
    CONTENT_WITHOUT_CONTENT("GET", "HTTP/1.1 204 x\r\nContent-Length: 1\r\n\r\n"),
    FRAMING_OF_NOTHING("HEAD", "HTTP/1.1 200 x\r\nContent-Length: x\r\n\r\n"),
    UNASKED_SWITCH("GET", "HTTP/1.1 101 x\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
    UNNAMED_SWITCH("GET+", "HTTP/1.1 101 x\r\n\r\n"),

    // ---- allowed here, not there ----
    NO_BLANK_BEHIND_CODE("GET", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n");

    /// Of the requests that the example answers.
    final String methods;

    /// Decided differently by the RFCs and by Weft.
    final String example;

    ResponseDivergence(String methods, String example) {
        this.methods = methods;
        this.example = example;
    }
}
