package io.weft.http.http1;

import java.util.ArrayList;
import java.util.List;

/// Requests that have to be refused, each with the status it earns, and requests that have to be
/// taken. What differs from plain is spelled out; `H` stands for the Host line.
final class Corpus {
    record Bad(int status, String input) {}

    static final List<Bad> BAD = new ArrayList<>();
    static final List<String> GOOD = new ArrayList<>();
    private static final String H = "Host: a\r\n";
    private static final String GET = "GET / HTTP/1.1\r\n";
    private static final String POST = "POST / HTTP/1.1\r\n" + H;
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    private Corpus() {}

    private static void bad(int status, String... inputs) {
        for (String input : inputs) {
            BAD.add(new Bad(status, input));
        }
    }

    private static void badLines(int status, String... lines) {
        for (String line : lines) {
            bad(status, line + "\r\n" + H + "\r\n");
        }
    }

    private static void badFields(int status, String... fields) {
        for (String field : fields) {
            bad(status, GET + H + field + "\r\n\r\n", GET + field + "\r\n" + H + "\r\n");
        }
    }

    private static void badBodies(int status, String... fields) {
        for (String field : fields) {
            bad(status, POST + field + "\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n" + H + "\r\n");
        }
    }

    private static void badChunks(String... bodies) {
        for (String body : bodies) {
            bad(400, CHUNKED + body);
        }
    }

    private static void good(String... inputs) {
        GOOD.addAll(List.of(inputs));
    }

    private static void goodLines(String... lines) {
        for (String line : lines) {
            good(line + "\r\n" + H + "\r\n");
        }
    }

    private static void goodFields(String... fields) {
        for (String field : fields) {
            good(GET + H + field + "\r\n\r\n");
        }
    }

    private static void goodChunks(String... bodies) {
        for (String body : bodies) {
            good(CHUNKED + body);
        }
    }

    static {
        // ---- before the request line (CVE-2026-50020) ----
        bad(
                400,
                "\r\n\r\n" + GET + H + "\r\n",
                "\n" + GET + H + "\r\n",
                "\r" + GET + H + "\r\n",
                "\r\r\n" + GET + H + "\r\n",
                " " + GET + H + "\r\n",
                "\t" + GET + H + "\r\n",
                "\0" + GET + H + "\r\n",
                "\u0001" + GET + H + "\r\n",
                "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003",
                "\u0080" + GET,
                "\u00ff",
                "\u007f" + GET,
                GET + H + "\r\n\r\n\r\n" + GET + H + "\r\n");

        // ---- the request line ----
        badLines(
                400,
                "GET",
                "GET /",
                "GET HTTP/1.1",
                "GET  HTTP/1.1",
                "/ HTTP/1.1",
                "GET /HTTP/1.1",
                "GET  / HTTP/1.1",
                "GET /  HTTP/1.1",
                "GET / HTTP/1.1 ",
                "GET\t/ HTTP/1.1",
                "GET /\tHTTP/1.1",
                "GET / a HTTP/1.1",
                "GET / http/1.1",
                "GET / HTTP/1.1x",
                "GET / HTTP/11",
                "GET / HTTP/1,1",
                "GET / HTTP/.1.1",
                "GET / HTTP/-1.1",
                "GET / HTTP/1.1.1",
                "GET / HTTPS/1.1",
                "GET / HTTP 1.1",
                "G(T / HTTP/1.1",
                "GE:T / HTTP/1.1",
                "G\u00c9T / HTTP/1.1",
                "\"GET\" / HTTP/1.1",
                "X".repeat(65) + " / HTTP/1.1");
        badLines(
                505,
                "GET / HTTP/0.9",
                "GET / HTTP/1.2",
                "GET / HTTP/1.9",
                "GET / HTTP/2.0",
                "GET / HTTP/3.0",
                "GET / HTTP/0.0",
                "PRI * HTTP/2.0");
        bad(
                400,
                "GET / HTTP/1.1\n" + H + "\r\n",
                "GET / HTTP/1.1\r" + H + "\r\n",
                "GET / HTTP/1.1\r\r\n" + H + "\r\n",
                "GET / HTTP/1.1\0\r\n" + H + "\r\n",
                "GET /\0 HTTP/1.1\r\n" + H + "\r\n",
                "GET /\u007f HTTP/1.1\r\n" + H + "\r\n",
                "GET /\nHost: b HTTP/1.1\r\n" + H + "\r\n",
                "GET / HTTP/1.1\u000b\r\n" + H + "\r\n",
                "GET\0/ HTTP/1.1\r\n" + H + "\r\n");

        // ---- targets ----
        badLines(
                400,
                "GET a HTTP/1.1",
                "GET a/b HTTP/1.1",
                "GET ?a HTTP/1.1",
                "GET /#a HTTP/1.1",
                "GET /?a#b HTTP/1.1",
                "GET /\u00e9 HTTP/1.1",
                "GET /\" HTTP/1.1",
                "GET /<script> HTTP/1.1",
                "GET /\\a HTTP/1.1",
                "GET /% HTTP/1.1",
                "GET /%2 HTTP/1.1",
                "GET /%zz HTTP/1.1",
                "GET * HTTP/1.1",
                "POST * HTTP/1.1",
                "OPTIONS ** HTTP/1.1",
                "GET a:80 HTTP/1.1",
                "CONNECT / HTTP/1.1",
                "CONNECT a HTTP/1.1",
                "CONNECT a: HTTP/1.1",
                "CONNECT a:99999 HTTP/1.1",
                "CONNECT http://a/ HTTP/1.1",
                "CONNECT u@a:80 HTTP/1.1",
                "CONNECT * HTTP/1.1",
                "GET http:// HTTP/1.1",
                "GET http:///a HTTP/1.1",
                "GET http://u:p@a/ HTTP/1.1",
                "GET http://a:b/ HTTP/1.1",
                "GET ftp://a/ HTTP/1.1",
                "GET http:/a HTTP/1.1",
                "GET http://a#b HTTP/1.1");

        // ---- field lines ----
        badFields(
                400,
                " a: b",
                "\ta: b",
                "a : b",
                "a\t: b",
                ": b",
                "a",
                "a b",
                "a b: c",
                "a(: b",
                "a\": b",
                "a\u00e9: b",
                "a\0: b",
                "a\u0001b: c",
                "a: b\0",
                "a: \u0001b",
                "a: b\u000bc",
                "a: b\u007f",
                "a: b\nc: d",
                "a: b\rc: d",
                "a: b\r\r\nc: d",
                "a: b\r\n c",
                "a: b\r\n\tc",
                "a: b\n\r\nc: d");
        bad(
                400,
                GET + H + "a: b\n\n",
                GET + H + "a: b\r\n\n",
                GET + H + "\n",
                GET + H + "\r\r\n",
                GET + H + "\rX",
                GET + " \r\n" + H + "\r\n",
                GET + "\r\n" + H + "\r\n");

        // ---- Host ----
        bad(
                400,
                GET + "\r\n",
                GET + "X-Host: a\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
        for (String host :
                new String[] {
                    "", " ", ",", "a,b", "a b", "a/b", "u@a", "a:", "a:x", "a:65536", "a:80:80",
                            "http://a",
                    "a#", "a?", "[::1", "[]", "[::1]a", "[::1]:", "::1", "a\\b", "\u00e9", "\"a\"",
                            "a%", "a%zz"
                }) {
            bad(400, GET + "Host: " + host + "\r\n\r\n");
        }
        badFields(400, "host: b", "HOST: a", "X: y\r\nHost: a:80");
        bad(400, GET + H + H + "\r\n");
        bad(400, "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n");

        // ---- Content-Length (CVE-2019-20445) ----
        badBodies(400, MessageCorpus.LENGTHS);
        badBodies(400, "Content-Length : 5", "Content-Length\0: 5", "Content-Length: 5\u000b");

        // ---- Transfer-Encoding (CVE-2019-16869, 2026-42581, 2026-42585) ----
        badBodies(400, MessageCorpus.CODINGS);
        badBodies(
                400,
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding\t: chunked",
                "Transfer-Encoding: chunked\r\n ",
                "Transfer-Encoding:\r\n chunked",
                "Transfer-Encoding: chun\0ked");
        badBodies(501, MessageCorpus.UNSUPPORTED_CODINGS);
        bad(
                400,
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.0\r\n"
                        + H
                        + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
                "POST / HTTP/1.0\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
                "CONNECT a:80 HTTP/1.1\r\n" + H + "Content-Length: 5\r\n\r\nhello",
                "CONNECT a:80 HTTP/1.1\r\n" + H + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "TRACE / HTTP/1.1\r\n" + H + "Content-Length: 5\r\n\r\nhello");
        badFields(417, "Expect: 200-ok", "Expect: 100-continue, x", "Expect: ");
        bad(417, GET + H + "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n");

        // ---- chunks (CVE-2025-58056, 2026-33870, 2026-42580) ----
        badChunks(MessageCorpus.CHUNK_LINES);
        badChunks(MessageCorpus.CHUNK_ENDS);
        badChunks(
                "5\0\r\nhello\r\n",
                "5\r\nhello\r\n\r\n0\r\n\r\n",
                "0\r\nA : b\r\n\r\n",
                "0\r\n a: b\r\n\r\n",
                "0\r\na\r\n\r\n",
                "0\r\n\n",
                "0\r\nContent-Length: 5\r\n\r\n",
                "0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "0\r\nHost: b\r\n\r\n",
                "0\r\nAuthorization: x\r\n\r\n",
                "0\r\nContent-Type: x\r\n\r\n",
                "0\r\nCookie: x\r\n\r\n",
                "0\r\nConnection: close\r\n\r\n",
                "0\r\nx: y\r\nTrailer: x\r\n\r\n");

        // ---- cut short ----
        bad(
                400,
                "G",
                "\r",
                GET,
                GET + H,
                GET + H + "\r",
                POST + "Content-Length: 5\r\n\r\nhell",
                CHUNKED,
                CHUNKED + "5\r\nhello",
                CHUNKED + "5\r\nhello\r\n",
                CHUNKED + "5\r\nhello\r\n0\r\n",
                CHUNKED + "5\r\nhello\r\n0\r\n\r");

        // ---- to be taken ----
        goodLines(
                "GET / HTTP/1.1",
                "HEAD / HTTP/1.1",
                "DELETE /a/b/c HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "OPTIONS /a HTTP/1.1",
                "CONNECT a:443 HTTP/1.1",
                "CONNECT [::1]:443 HTTP/1.1",
                "QUERY /a HTTP/1.1",
                "PATCH /a HTTP/1.1",
                "TRACE / HTTP/1.1",
                "PURGE /a HTTP/1.1",
                "get / HTTP/1.1",
                "M-SEARCH /a HTTP/1.1",
                "!#$%&'*+-.^_`|~09azAZ / HTTP/1.1",
                "GET /?a=b&c=d HTTP/1.1",
                "GET /a;b=c,d:e@f!$&'()*+=~._- HTTP/1.1",
                "GET /%41%c3%a9 HTTP/1.1",
                "GET /?q={a}|[b]^100% HTTP/1.1",
                "GET //a HTTP/1.1",
                "GET /a? HTTP/1.1",
                "GET http://a/ HTTP/1.1",
                "GET http://a HTTP/1.1",
                "GET http://a:8080/b?c HTTP/1.1",
                "GET https://[::1]/b HTTP/1.1",
                "GET HTTP://A/ HTTP/1.1",
                "GET / HTTP/1.0");
        goodFields(MessageCorpus.GOOD_FIELDS);
        goodFields(
                "Connection: upgrade\r\nUpgrade: websocket",
                "Expect: 100-Continue",
                "Content-Length: 0",
                "Content-Length: 000",
                "a: " + "x".repeat(8000));
        good(
                "\r\n" + GET + H + "\r\n",
                GET + H + "\r\n\r\n" + GET + H + "\r\n",
                GET + H + "\r\n" + GET + H + "\r\n" + GET + H + "a: b\r\n\r\n",
                GET + "Host: a.b-c.example:8080\r\n\r\n",
                GET + "Host: [2001:db8::1]:80\r\n\r\n",
                GET + "host:127.0.0.1\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.0\r\nExpect: what\r\n\r\n",
                "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello",
                POST + "Content-Length: 5\r\n\r\nhello",
                POST + "Content-Length: 05 \r\n\r\nhello" + GET + H + "\r\n",
                POST + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n\r\n\n" + GET + H + "\r\n",
                "GET / HTTP/1.1\r\n" + H + "Content-Length: 2\r\n\r\nhi",
                POST + "\r\n",
                "CONNECT a:443 HTTP/1.1\r\n" + H + "Content-Length: 0\r\n\r\n",
                POST + "transfer-ENCODING:CHUNKED\r\n\r\n0\r\n\r\n");
        goodChunks(MessageCorpus.GOOD_CHUNKS);
        goodChunks(
                "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n" + GET + H + "\r\n",
                "5\r\nhello\r\n0\r\nx-sum: 1\r\nx-b:2\r\n\r\n" + GET + H + "\r\n");
    }
}
