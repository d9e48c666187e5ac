package io.weft.http.http1;

import java.util.SplittableRandom;

/// Makes inputs of one to three requests at random: each part is mostly plain, sometimes odd, and a
/// few bytes of the whole are changed now and then.
final class RequestGenerator {
    private static final String[] METHODS = {
        "GET",
        "POST",
        "PUT",
        "HEAD",
        "OPTIONS",
        "CONNECT",
        "TRACE",
        "QUERY",
        "get",
        "M-SEARCH",
        "GE(T",
        "",
        "!#$%&'*+-.^_`|~",
        "G\u00c9T"
    };
    private static final String[] TARGETS = {
        "/",
        "/a/b?c=d",
        "*",
        "/%41",
        "/%4",
        "//a",
        "/a?b?c/d",
        "/?[x]{y}|^%",
        "/[x]",
        "a:80",
        "[::1]:443",
        "http://a",
        "http://a/b?c",
        "HTTPS://[::1]:8/",
        "http://a:80?x",
        "http://u@a/",
        "http://",
        "http://:80/",
        "ftp://a/",
        "mailto:a",
        "/#a",
        "/a\\b",
        "/\u00e9",
        "a",
        "http://a:65536/",
        "http://a/%zz",
        "?a",
        "/a;b=c,d:e@f!$&'()*+~",
        "[::1]",
        "http://[::1/",
        "a:",
        "http://a,b/"
    };
    private static final String[] VERSIONS = {
        "HTTP/1.1",
        "HTTP/1.0",
        "HTTP/1.2",
        "HTTP/2.0",
        "HTTP/0.9",
        "http/1.1",
        "HTTP/1.1 ",
        "HTTP/11",
        ""
    };
    private static final String[] HOSTS = {
        "a",
        "a:80",
        "[::1]",
        "[::1]:80",
        "",
        ":80",
        "a:",
        "a:65535",
        "a:65536",
        "a,b",
        "u@a",
        "a b",
        "[1:2]",
        "[v1.a]",
        "[:::]",
        "[]",
        "a%41",
        "a%4",
        "1.2.3.4",
        "a:00080",
        "[::1]a",
        "a:8a"
    };
    static final String[] FIELDS = {
        "Connection: close",
        "Connection: keep-alive",
        "connection: a , CLOSE,",
        "Connection:keep-alive",
        "Expect: 100-continue",
        "Expect: 100-CONTINUE",
        "Expect: x",
        "Expect:",
        "Content-Length: 5",
        "Content-Length: 0",
        "Content-Length: 05",
        "Content-Length: +5",
        "Content-Length: 5, 5",
        "Content-Length: 5,6",
        "Content-Length:",
        "Content-Length: 9223372036854775808",
        "Content-Length: 9223372036854775807",
        "Content-Length: 5 5",
        "Content-Length: 0x5",
        "Transfer-Encoding: chunked",
        "transfer-encoding:\tChunked ",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: ,chunked",
        "Transfer-Encoding: chunked,",
        "Transfer-Encoding: chunked;a=b",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: ",
        "Transfer-Encoding: gzip;q=\"a\", chunked",
        "Transfer-Encoding: chunked gzip",
        "a: b",
        "a:",
        "a:\t",
        "a: b\tc",
        "a: \u00e9\u00ff",
        "a : b",
        " a: b",
        "a",
        ": b",
        "a: b\r\n c",
        "a: b\r\n",
        "a:\u007f",
        "X-Long-Name_1: (\"quoted\")",
        "Transfer-Encoding\u000b: chunked",
        "a: b\u0000",
        "Trailer: x"
    };
    static final String[] CHUNKS = {
        "0\r\n\r\n",
        "5\r\nhello\r\n",
        "5;a\r\nhello\r\n",
        "5;a=b;c=\"d\\\"e\"\r\nhello\r\n",
        "0000000000000005\r\nhello\r\n",
        "00000000000000005\r\nhello\r\n",
        "0\r\na: b\r\n\r\n",
        "0\r\nCookie: a\r\n\r\n",
        "5 ;a = b\r\nhello\r\n",
        "5 \r\nhello\r\n",
        "5;\r\nhello\r\n",
        "5;a=\r\nhello\r\n",
        "8000000000000000\r\n",
        "7fffffffffffffff\r\nhello",
        "+5\r\nhello\r\n",
        "5\nhello\r\n",
        "5\r\nhello\n",
        "5\r\nhell\r\n",
        "5\r\nhello!\r\n",
        "A\r\n0123456789\r\n",
        "a\r\n\r\n0\r\n\r\n123\r\n",
        "0;a\r\n\r\n",
        "000\r\n\r\n",
        "0\r\n\r",
        "5;a=\"\r\n\"\r\nhello\r\n",
        "\r\n",
        "5;a=\"\u00e9\t\\\u00e9\"\r\nhello\r\n"
    };

    /// Bytes that parsers treat in ways of their own.
    private static final String SPECIAL =
            "\r\n\t \0\u000b\u000c\u001f\u007f\u0080\u0085\u00a0\u00ff:;,=\"\\/?#%@[](){}|^0159afAFxX+-_.*";

    private final SplittableRandom random;

    RequestGenerator(long seed) {
        random = new SplittableRandom(seed);
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    /// Mostly one of the first `plain`.
    private String pick(String[] from, int plain, int oddIn) {
        return from[random.nextInt(one(oddIn) ? from.length : plain)];
    }

    /// Returns the next input, of bytes as characters.
    String next() {
        StringBuilder input = new StringBuilder();
        int requests = 1 + random.nextInt(3);
        for (int i = 0; i < requests; i++) {
            request(input);
        }
        if (one(3)) {
            for (int i = random.nextInt(3); i >= 0 && !input.isEmpty(); i--) {
                mutate(input, random);
            }
        }
        return input.toString();
    }

    private void request(StringBuilder input) {
        String end = one(60) ? "\n" : "\r\n";
        if (one(10)) {
            input.append(one(5) ? "\n" : "\r\n");
        }
        String method = pick(METHODS, 3, 6);
        input.append(method).append(one(100) ? "  " : " ");
        if (method.equals("CONNECT") && !one(4)) {
            input.append(pick(HOSTS, 4, 4)).append(one(3) ? "" : ":1");
        } else {
            input.append(pick(TARGETS, 2, 4));
        }
        input.append(one(100) ? "\t" : " ").append(pick(VERSIONS, 2, 20)).append(end);
        if (!one(20)) {
            input.append("Host: ").append(pick(HOSTS, 4, 10)).append("\r\n");
        }
        int framing = random.nextInt(4);
        int fields = one(3) ? random.nextInt(4) : 0;
        for (int i = 0; i < fields; i++) {
            input.append(FIELDS[random.nextInt(FIELDS.length)]).append(one(40) ? end : "\r\n");
        }
        if (framing == 1) {
            input.append("Content-Length: 5\r\n");
        } else if (framing == 2) {
            input.append("Transfer-Encoding: chunked\r\n");
        }
        input.append(end);
        if (framing == 1) {
            input.append(one(10) ? "hell" : "hello");
        } else if (framing == 2) {
            chunks(input);
        }
    }

    private void chunks(StringBuilder input) {
        for (int i = random.nextInt(4); i > 0; i--) {
            input.append(
                    one(4) ? CHUNKS[random.nextInt(CHUNKS.length)] : CHUNKS[1 + random.nextInt(5)]);
        }
        input.append(one(6) ? CHUNKS[random.nextInt(CHUNKS.length)] : CHUNKS[0]);
    }

    /// Changes a byte, or a few.
    static void mutate(StringBuilder input, SplittableRandom random) {
        int at = random.nextInt(input.length());
        char c =
                random.nextInt(4) == 0
                        ? (char) random.nextInt(256)
                        : SPECIAL.charAt(random.nextInt(SPECIAL.length()));
        switch (random.nextInt(6)) {
            case 0 -> input.setCharAt(at, c);
            case 1, 2 -> input.insert(at, c);
            case 3 -> input.deleteCharAt(at);
            case 4 -> {
                int end = Math.min(input.length(), at + 1 + random.nextInt(12));
                input.insert(random.nextInt(input.length()), input.substring(at, end));
            }
            default -> input.setLength(at + 1);
        }
    }
}
