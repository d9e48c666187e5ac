package io.weft.http.http1;

/// Fields and chunked bodies that both kinds of messages have: those that have to be refused, and those
/// that have to be taken.
final class MessageCorpus {
    /// Content-Length fields that are refused in any message (CVE-2019-20445).
    static final String[] LENGTHS = {
        "Content-Length: ",
        "Content-Length: +5",
        "Content-Length: -1",
        "Content-Length: -0",
        "Content-Length: 5,5",
        "Content-Length: 5, 5",
        "Content-Length: 5 5",
        "Content-Length: 0x5",
        "Content-Length: 5a",
        "Content-Length: 5;",
        "Content-Length: 5.0",
        "Content-Length: \"5\"",
        "Content-Length: 1e1",
        "Content-Length: 1_0",
        "Content-Length: 9223372036854775808",
        "Content-Length: 18446744073709551621",
        "Content-Length: 99999999999999999999999",
        "Content-Length: \u00b2",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 0\r\ncontent-length: 0"
    };

    /// Transfer-Encoding fields that are refused in any message, with a length or without.
    static final String[] CODINGS = {
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 0",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked,chunked",
        "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunkedx",
        "Transfer-Encoding: chunk",
        "Transfer-Encoding: ",
        "Transfer-Encoding: ,",
        "Transfer-Encoding: ,chunked",
        "Transfer-Encoding: chunked,",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked;a=b",
        "Transfer-Encoding: chunked chunked",
        "Transfer-Encoding: chunked\u00ff"
    };

    /// Transfer-Encoding fields that are well formed, with codings that are not implemented.
    static final String[] UNSUPPORTED_CODINGS = {
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: x,y,Chunked"
    };

    /// Chunked bodies whose size or extensions are malformed.
    static final String[] CHUNK_LINES = {
        "\r\n",
        " \r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n",
        "\t5\r\nhello\r\n0\r\n\r\n",
        "5\t\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "5h\r\nhello\r\n0\r\n\r\n",
        "g\r\n",
        "5,5\r\nhello\r\n",
        "\"5\"\r\nhello\r\n",
        "00000000000000005\r\nhello\r\n0\r\n\r\n",
        "8000000000000000\r\n",
        "ffffffffffffffff\r\n",
        "10000000000000005\r\nhello\r\n",
        "5;\r\nhello\r\n0\r\n\r\n",
        "5;;\r\nhello\r\n0\r\n\r\n",
        "5;=\r\nhello\r\n0\r\n\r\n",
        "5;a=\r\nhello\r\n0\r\n\r\n",
        "5;a b\r\nhello\r\n0\r\n\r\n",
        "5; a\r\nhello\r\n0\r\n\r\n",
        "5 ;a\r\nhello\r\n0\r\n\r\n",
        "5;a =b\r\nhello\r\n0\r\n\r\n",
        "5;a=\"b\r\nhello\r\n0\r\n\r\n",
        "5;a=\"b\\\"\r\nhello\r\n0\r\n\r\n",
        "5;a=\"b\"c\r\nhello\r\n0\r\n\r\n",
        "5;a=\"\r\n\"\r\nhello\r\n0\r\n\r\n",
        "5;a\u00e9\r\nhello\r\n0\r\n\r\n"
    };

    /// Chunked bodies in which something else stands where CR LF has to be.
    static final String[] CHUNK_ENDS = {
        "5\nhello\r\n0\r\n\r\n",
        "5\rhello\r\n0\r\n\r\n",
        "5\r\rhello\r\n",
        "\n5\r\nhello\r\n",
        "5\r\nhello0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5\r\nhello\r0\r\n\r\n",
        "5\r\nhell\r\n0\r\n\r\n",
        "5\r\nhello \r\n0\r\n\r\n",
        "5\r\nhello!\r\n0\r\n\r\n",
        "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n",
        "5;a=b\nhello\r\n0\r\n\r\n",
        "0\r\na: b\n\r\n",
        "0\r\n\r\r\n",
        "0\n\r\n"
    };

    /// Field lines that are unusual and allowed.
    static final String[] GOOD_FIELDS = {
        "a:b",
        "a: b",
        "a:\tb",
        "a:  b  ",
        "a: b\t",
        "a:",
        "a: ",
        "a: \t ",
        "a: b\tc d",
        "a: \u00e9\u0080\u00ff",
        "a: !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        "!#$%&'*+-.^_`|~09azAZ: b",
        "a: b\r\na: c",
        "Connection: close",
        "Connection: Keep-Alive",
        "connection: a, CLOSE",
        "X-Transfer-Encoding: chunked"
    };

    /// Chunked bodies that are unusual and allowed.
    static final String[] GOOD_CHUNKS = {
        "0\r\n\r\n",
        "5\r\nhello\r\n0\r\n\r\n",
        "0000000000000005\r\nhello\r\n0000000000000000\r\n\r\n",
        "A\r\n0123456789\r\n0\r\n\r\n",
        "b\r\n\r\n\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n",
        "5;a\r\nhello\r\n0\r\n\r\n",
        "5;a=b\r\nhello\r\n0;c\r\n\r\n",
        "5;a=b;c;d=\"e\"\r\nhello\r\n0\r\n\r\n",
        "5;a=\"b\\\"; c\t\\\\\"\r\nhello\r\n0\r\n\r\n",
        "0\r\na: b\r\n\r\n"
    };

    private MessageCorpus() {}
}
