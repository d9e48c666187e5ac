package io.weft.http.http1;

import java.util.ArrayList;
import java.util.List;

/// Responses that have to be refused, each with a part of the reason, and responses that have to be
/// taken. Each says which requests it answers.
final class ResponseCorpus {
    record Bad(String reason, String methods, String input) {}

    record Good(String methods, String input) {}

    static final List<Bad> BAD = new ArrayList<>();
    static final List<Good> GOOD = new ArrayList<>();

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String EMPTY = "Content-Length: 0\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    /// A response that nobody may take out of another one's body.
    private static final String SMUGGLED = OK + EMPTY + "X: smuggled\r\n\r\n";

    private ResponseCorpus() {}

    private static void bad(String reason, String... inputs) {
        badFor("GET", reason, inputs);
    }

    private static void badFor(String methods, String reason, String... inputs) {
        for (String input : inputs) {
            BAD.add(new Bad(reason, methods, input));
        }
    }

    private static void badLines(String reason, String... lines) {
        for (String line : lines) {
            bad(reason, line + "\r\n" + EMPTY + "\r\n");
        }
    }

    private static void badFields(String reason, String... fields) {
        for (String field : fields) {
            bad(
                    reason,
                    OK + EMPTY + field + "\r\n\r\n" + SMUGGLED,
                    OK + field + "\r\n" + EMPTY + "\r\n" + SMUGGLED);
        }
    }

    private static void badBodies(String reason, String... fields) {
        for (String field : fields) {
            badFor("GET GET", reason, OK + field + "\r\n\r\n0\r\n\r\n" + SMUGGLED);
        }
    }

    private static void badChunks(String reason, String... bodies) {
        for (String body : bodies) {
            badFor("GET GET", reason, CHUNKED + body);
        }
    }

    private static void good(String... inputs) {
        goodFor("GET", inputs);
    }

    private static void goodFor(String methods, String... inputs) {
        for (String input : inputs) {
            GOOD.add(new Good(methods, input));
        }
    }

    private static void goodLines(String... lines) {
        for (String line : lines) {
            good(line + "\r\n" + EMPTY + "\r\n");
        }
    }

    private static void goodFields(String... fields) {
        for (String field : fields) {
            good(OK + EMPTY + field + "\r\n\r\n");
        }
    }

    private static void goodChunks(String... bodies) {
        for (String body : bodies) {
            good(CHUNKED + body);
        }
    }

    static {
        badStatusLines();
        badSections();
        badControls();
        badFraming();
        badByStatus();
        badChunkedBodies();
        badEnds();
        goodStatusLines();
        goodSections();
        goodFraming();
    }

    private static void badStatusLines() {
        bad(
                "(expected: HTTP/1.1)",
                "\r\n" + OK + EMPTY + "\r\n",
                "\n" + OK + EMPTY + "\r\n",
                " " + OK + EMPTY + "\r\n",
                "\0" + OK + EMPTY + "\r\n",
                "\u00ef\u00bb\u00bf" + OK + EMPTY + "\r\n",
                "<html>hello</html>",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "http/1.1 200 OK\r\n" + EMPTY + "\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "220 mail ESMTP\r\n",
                "\u0015\u0003\u0003\0\u0002\u0002\n",
                "5\r\nhello\r\n0\r\n\r\n");
        badLines(
                "status line",
                "HTTP/1.1",
                "HTTP/1.1 ",
                "HTTP/1.1 2",
                "HTTP/1.1 20",
                "HTTP/1.1 2000 OK",
                "HTTP/1.1 200OK",
                "HTTP/1.1 200\tOK",
                "HTTP/1.1\t200 OK",
                "HTTP/1.1  200 OK",
                "HTTP/1.1 20 OK",
                "HTTP/1.1 20a OK",
                "HTTP/1.1 +20 OK",
                "HTTP/1.1 -20 OK",
                "HTTP/1.1 2.0 OK",
                "HTTP/1.1 0x2 OK",
                "HTTP/1.1 \u00b2\u00b3\u00b9 OK",
                "HTTP/1.1 OK",
                "HTTP/1.1 200.1 OK",
                "HTTP/1.10 200 OK",
                "HTTP/11.1 200 OK",
                "HTTP1.1 200 OK",
                "HTTP /1.1 200 OK",
                "HTTP/1.1,200 OK",
                "HTTPS/1.1 200 OK");
        badLines(
                "version",
                "HTTP/0.9 200 OK",
                "HTTP/1.2 200 OK",
                "HTTP/1.9 200 OK",
                "HTTP/2.0 200 OK",
                "HTTP/3.0 200 OK",
                "HTTP/0.0 200 OK",
                "HTTP/1,1 200 OK",
                "HTTP/a.b 200 OK",
                "HTTP-1.1 200 OK",
                "Http/1.1 200 OK",
                "HTTP/1.x 200 OK");
        badLines(
                "100 to 599",
                "HTTP/1.1 000 OK",
                "HTTP/1.1 001 OK",
                "HTTP/1.1 099 OK",
                "HTTP/1.1 600 OK",
                "HTTP/1.1 601 OK",
                "HTTP/1.1 999 Request denied");
        bad(
                "CR LF",
                "HTTP/1.1 200 OK\n" + EMPTY + "\r\n",
                "HTTP/1.1 200 OK\r" + EMPTY + "\r\n",
                "HTTP/1.1 200 OK\r\r\n" + EMPTY + "\r\n",
                "HTTP/1.1 200 OK\n\r\n");
        bad(
                "status line bytes",
                "HTTP/1.1 200 " + "x".repeat(Http1Limits.DEFAULT.initialLine()) + "\r\n",
                "H".repeat(Http1Limits.DEFAULT.initialLine() + 1));
    }

    private static void badSections() {
        badFields("a name first", " a: b", "\ta: b", ": b", "\u00e9: b", "(a): b", "\"a\": b");
        badFields(
                "a token and a colon",
                "a : b",
                "a\t: b",
                "a",
                "a b",
                "a b: c",
                "a(: b",
                "a\": b",
                "a\u00e9: b",
                "a/b: c",
                "a[0]: b",
                "a{: b",
                "a@b: c",
                "a;b: c",
                "a,b: c",
                "a=b: c",
                "a?: b",
                "a\\: b",
                "Content-Length : 5",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding\t: chunked");
        // Folded lines (RFC 9112, 5.2).
        badFields(
                "a name first",
                "a: b\r\n c",
                "a: b\r\n\tc",
                "a: b\r\n Content-Length: 5",
                "a:\r\n b",
                "a: b\r\n \r\nc: d");
        badFields("CR LF", "a: b\nc: d", "a: b\rc: d", "a: b\r\r\nc: d", "a: b\n\r\nc: d");
        bad(
                "CR LF",
                OK + EMPTY + "a: b\n\n",
                OK + EMPTY + "a: b\r\n\r" + SMUGGLED,
                OK + EMPTY + "\r\r\n");
        bad("a name first", OK + EMPTY + "a: b\r\n\n", OK + EMPTY + "\n", OK + " \r\n\r\n");
        bad("header section bytes", OK + "a: " + "x".repeat(16 << 10) + "\r\n\r\n");
        bad("header section bytes", OK + ("a: " + "x".repeat(1000) + "\r\n").repeat(17));
        bad("header fields", OK + "a: b\r\n".repeat(101) + "\r\n");
    }

    /// Every control but HTAB, at each place of text.
    private static void badControls() {
        for (char c = 0; c <= 0x7F; c = (char) (c == 0x1F ? 0x7F : c + 1)) {
            if (c != '\t' && c != '\r' && c != '\n') {
                bad(
                        "control",
                        "HTTP/1.1 200 O" + c + "K\r\n" + EMPTY + "\r\n",
                        OK + EMPTY + "a: b" + c + "c\r\n\r\n",
                        OK + EMPTY + "a" + c + ": b\r\n\r\n");
                badChunks("control", "5;a=" + c + "\r\nhello\r\n0\r\n\r\n");
            }
        }
    }

    private static void badFraming() {
        badBodies("content-length", MessageCorpus.LENGTHS);
        badBodies("content-length", "Content-Length: 5\r\nX: y\r\nContent-Length: 0");
        badBodies("transfer-encoding", MessageCorpus.CODINGS);
        badBodies("transfer-encoding", MessageCorpus.UNSUPPORTED_CODINGS);
        String old = "HTTP/1.0 200 OK\r\n";
        bad(
                "transfer-encoding in HTTP/1.0",
                old + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                old + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
                old + "Transfer-Encoding: identity\r\n\r\n");
        bad("content-length", old + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
        // Bytes that no request asked for.
        bad(
                "no request waits",
                SMUGGLED + SMUGGLED,
                OK + "Content-Length: 5\r\n\r\nhello" + SMUGGLED,
                OK + "Content-Length: 5\r\n\r\nhello!",
                OK + EMPTY + "\r\n\r\n",
                OK + EMPTY + "\r\n\n",
                OK + EMPTY + "\r\nHTTP/1.1 100 Continue\r\n\r\n",
                OK + EMPTY + "\r\nHTTP/1.1 408 Request Timeout\r\n" + EMPTY + "\r\n",
                CHUNKED + "0\r\n\r\n\r\n",
                CHUNKED + "0\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\nhello",
                "HTTP/1.1 304 Not Modified\r\n\r\nhello",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello");
        badFor(
                "HEAD",
                "no request waits",
                OK + "Content-Length: 5\r\n\r\nhello",
                CHUNKED + "0\r\n\r\n",
                OK + "\r\nhello");
    }

    private static void badByStatus() {
        for (String line : new String[] {"204 No Content", "100 Continue", "103 Early Hints"}) {
            bad(
                    "(expected: none; RFC 9112, 6.1)",
                    "HTTP/1.1 " + line + "\r\nTransfer-Encoding: chunked\r\n\r\n" + SMUGGLED,
                    "HTTP/1.1 " + line + "\r\nContent-Length: 5\r\n\r\n" + SMUGGLED,
                    "HTTP/1.1 " + line + "\r\nContent-Length: 51\r\n\r\n" + SMUGGLED);
            bad(
                    "content-length",
                    "HTTP/1.1 " + line + "\r\nContent-Length: a\r\n\r\n" + SMUGGLED,
                    "HTTP/1.1 " + line + "\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n");
        }
        badFor(
                "HEAD",
                "content-length",
                OK + "Content-Length: 5, 5\r\n\r\n",
                OK + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
                CHUNKED.replace("chunked\r\n", "chunked\r\nContent-Length: 5\r\n"));
        badFor("HEAD", "transfer-encoding", OK + "Transfer-Encoding: gzip\r\n\r\n");
        badFor(
                "GET",
                "offers no upgrade",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
        badFor("CONNECT", "offers no upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\n");
        badFor(
                "GET+",
                "101 without upgrade",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: close\r\nUpgrade: x\r\n\r\n");
        badFor(
                "GET+",
                "(expected: none; RFC 9112, 6.1)",
                "HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        badFor(
                "GET+",
                "101 in HTTP/1.0",
                "HTTP/1.0 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
        bad(
                "interim responses: over 32",
                "HTTP/1.1 100 Continue\r\n\r\n".repeat(33),
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(40) + OK + EMPTY + "\r\n");
    }

    private static void badChunkedBodies() {
        badChunks("chunk", MessageCorpus.CHUNK_LINES);
        badChunks("chunk", "5.\r\nhello\r\n", "5;" + "a".repeat(300) + "\r\nhello\r\n0\r\n\r\n");
        badChunks("CR LF", MessageCorpus.CHUNK_ENDS);
        badChunks(
                "1 to 16 hex digits", "5\r\nhello\r\n\r\n0\r\n\r\n", "5\r\nhello\r\nHTTP/1.1\r\n");
        badChunks("a token and a colon", "0\r\nA : b\r\n\r\n", "0\r\na\r\n\r\n");
        badChunks("a name first", "0\r\n a: b\r\n\r\n", "0\r\n\n", "0\r\na: b\r\n c\r\n\r\n");
        badChunks("header fields", "0\r\n" + "a: b\r\n".repeat(101) + "\r\n");
        for (String name :
                ("Content-Length Transfer-Encoding Host Connection Keep-Alive Proxy-Connection Upgrade TE"
                                + " Trailer Expect Max-Forwards Cache-Control Pragma Range If-Match"
                                + " Authorization Proxy-Authorization WWW-Authenticate Cookie Set-Cookie"
                                + " Content-Encoding Content-Type Content-Range Location Date Vary Age"
                                + " Expires Retry-After")
                        .split(" ", -1)) {
            badChunks("trailer: ", "0\r\n" + name + ": 0\r\n\r\n" + SMUGGLED);
        }
    }

    private static void badEnds() {
        bad(
                "end of input",
                "H",
                "HTTP/1.1 200 OK",
                "HTTP/1.1 200 OK\r",
                OK,
                OK + EMPTY,
                OK + EMPTY + "\r",
                OK + "Content-Length: 5\r\n\r\n",
                OK + "Content-Length: 5\r\n\r\nhell",
                OK + "Content-Length: 9223372036854775807\r\n\r\nhell",
                "HTTP/1.1 100 Continue\r\n\r\n",
                CHUNKED,
                CHUNKED + "5",
                CHUNKED + "5\r\n",
                CHUNKED + "5\r\nhello",
                CHUNKED + "5\r\nhello\r",
                CHUNKED + "5\r\nhello\r\n",
                CHUNKED + "5\r\nhello\r\n0\r\n",
                CHUNKED + "5\r\nhello\r\n0\r\na: b\r\n",
                CHUNKED + "5\r\nhello\r\n0\r\n\r");
    }

    private static void goodStatusLines() {
        goodLines(
                "HTTP/1.1 200 OK",
                "HTTP/1.1 200 ",
                "HTTP/1.1 200",
                "HTTP/1.1 200  two blanks",
                "HTTP/1.1 200 \tOK",
                "HTTP/1.1 200 not OK at all, really: 404",
                "HTTP/1.1 200 \u00fc\u00ff\u0080",
                "HTTP/1.1 200 OK ",
                "HTTP/1.1 200 200",
                "HTTP/1.1 200 HTTP/1.1 200 OK",
                "HTTP/1.1 200 " + "x".repeat(8000),
                "HTTP/1.0 200 OK",
                "HTTP/1.0 200",
                "HTTP/1.1 201 Created",
                "HTTP/1.1 204 None",
                "HTTP/1.1 205 Reset Content",
                "HTTP/1.1 206 Partial Content",
                "HTTP/1.1 226 IM Used",
                "HTTP/1.1 299 ",
                "HTTP/1.1 300 Choices",
                "HTTP/1.1 304 Not Modified",
                "HTTP/1.1 308 Permanent Redirect",
                "HTTP/1.1 399 ",
                "HTTP/1.1 404 Not Found",
                "HTTP/1.1 418 I'm a teapot",
                "HTTP/1.1 451 Unavailable For Legal Reasons",
                "HTTP/1.1 499 ",
                "HTTP/1.1 500 Internal Server Error",
                "HTTP/1.1 599 ");
    }

    private static void goodSections() {
        goodFields(MessageCorpus.GOOD_FIELDS);
        goodFields(
                "Set-Cookie: a=b\r\nSet-Cookie: c=d",
                "Connection: ,,",
                "Keep-Alive: timeout=5, max=100",
                "Upgrade: h2c\r\nConnection: upgrade",
                "Host: a",
                "Location: http://[::1]/\u00e9?a b",
                "Content-Lengths: 5",
                "a: " + "x".repeat(8000),
                "a: b\r\n".repeat(98) + "a: b");
        good("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.0 200 OK\r\n\r\n");
    }

    private static void goodFraming() {
        good(
                OK + "Content-Length: 5\r\n\r\nhello",
                OK + "Content-Length: 05 \r\n\r\nhello",
                OK + "content-length:000000000000000000005\r\n\r\nhello",
                OK + "Content-Length: 2\r\n\r\n\r\n",
                OK + "Content-Length: 24\r\n\r\nHTTP/1.1 404 Not Found\r\n",
                OK + "transfer-ENCODING:CHUNKED\r\n\r\n0\r\n\r\n",
                OK + "Connection: close\r\n\r\nhello",
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n" + OK + EMPTY + "\r\n",
                "HTTP/1.1 100\r\n\r\n" + OK + EMPTY + "\r\n",
                "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n" + OK + EMPTY + "\r\n",
                "HTTP/1.1 102 Processing\r\n\r\n".repeat(32) + OK + EMPTY + "\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + EMPTY + "\r\n",
                "HTTP/1.1 199 \r\na: b\r\n\r\nHTTP/1.1 100 C\r\n\r\n" + CHUNKED + "0\r\n\r\n",
                "HTTP/1.0 100 Continue\r\n\r\n" + OK + EMPTY + "\r\n");
        goodFor(
                "HEAD",
                OK + "\r\n",
                OK + "Content-Length: 5\r\n\r\n",
                OK + "Content-Length: 9223372036854775807\r\n\r\n",
                CHUNKED,
                "HTTP/1.0 200 OK\r\n\r\n",
                "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n" + OK + "Content-Length: 5\r\n\r\n");
        goodFor(
                "GET GET",
                SMUGGLED + SMUGGLED,
                OK + "Content-Length: 5\r\n\r\nhello" + OK + "\r\nhello",
                CHUNKED + "0\r\n\r\n" + CHUNKED + "1\r\na\r\n0\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n" + SMUGGLED,
                "HTTP/1.1 204 No Content\r\n\r\n" + SMUGGLED);
        goodFor("HEAD GET", OK + "Content-Length: 5\r\n\r\n" + SMUGGLED);
        goodFor("GET HEAD", OK + "Content-Length: 5\r\n\r\nhello" + CHUNKED);
        goodFor("GET+", OK + EMPTY + "\r\n", OK + "\r\nhello");
        goodFor("CONNECT", "HTTP/1.1 407 Proxy Authentication Required\r\n" + EMPTY + "\r\n");
        goodChunks(MessageCorpus.GOOD_CHUNKS);
        goodChunks(
                "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
                "a\r\n0123456789\r\n00\r\n\r\n",
                "5;a=\"\"\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\nx-sum: 1\r\nx-b:2\r\n\r\n",
                "0\r\nServer-Timing: a;dur=1\r\n\r\n",
                "0\r\na:\r\n\r\n",
                "0\r\netag: \"a\"\r\n\r\n");
    }
}
