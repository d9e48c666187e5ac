package io.weft.http.http1;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Requests that few clients send and that the grammar allows, made systematically. The `@` of a
/// template is where each byte stands that is allowed there.
final class UnusualRequests {
    private static final String H = "Host: a\r\n";
    private static final String GET = "GET / HTTP/1.1\r\n" + H;
    private static final String POST = "POST / HTTP/1.1\r\n" + H;
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LAST = "0\r\n\r\n";

    private final Set<String> inputs = new LinkedHashSet<>();

    private UnusualRequests() {}

    static List<String> all() {
        UnusualRequests all = new UnusualRequests();
        all.tokens();
        all.targets();
        all.values();
        all.framing();
        all.chunks();
        all.sequences();
        return new ArrayList<>(all.inputs);
    }

    private void add(Stream<String> bytes, String... templates) {
        bytes.forEach(
                b -> {
                    for (String template : templates) {
                        inputs.add(template.replace("@", b));
                    }
                });
    }

    private void add(String... requests) {
        inputs.addAll(List.of(requests));
    }

    private void tokens() {
        String line = " / HTTP/1.1\r\n" + H + "\r\n";
        add(Bytes.token(), "@" + line, "G@T" + line);
        add(Bytes.token(), GET + "@: x\r\n\r\n", GET + "na@me: x\r\n\r\n");
        add(Bytes.token(), CHUNKED + "0\r\nx@: y\r\n\r\n", CHUNKED + "5;@=@\r\nhello\r\n" + LAST);
    }

    private void targets() {
        String rest = " HTTP/1.1\r\n" + H + "\r\n";
        add(Bytes.path(), "GET /@" + rest, "GET /?@" + rest, "GET http://a/@" + rest);
        add(Bytes.host(), "GET http://@/" + rest, "CONNECT a@:80" + rest);
        add(Bytes.host(), "GET / HTTP/1.1\r\nHost: @\r\n\r\n");
        for (int i = 0; i < 256; i++) {
            add("GET /%" + "%02x".formatted(i) + rest, "GET /?%" + "%02X".formatted(i) + rest);
        }
        add("OPTIONS *" + rest, "OPTIONS /" + rest, "GET http://a" + rest, "GET http://a?b" + rest);
        add("GET HTTPS://A:443/?" + rest, "GET /??" + rest, "GET //" + rest, "GET /../." + rest);
        for (String host :
                new String[] {
                    "[::]", "[::1]", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]", "127.0.0.1", "a%2Cb"
                }) {
            add("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            add("GET / HTTP/1.0\r\nhost:" + host + ":0\r\n\r\n");
            add("CONNECT " + host + ":65535" + rest, "GET http://" + host + ":00001/" + rest);
        }
    }

    private void values() {
        add(Bytes.text(), GET + "a: @\r\n\r\n", GET + "a:b@c\r\n\r\n", GET + "a: @@ \r\n\r\n");
        add(Bytes.text(), CHUNKED + "0\r\na: b@c\r\n\r\n");
        for (String before : new String[] {"", " ", "\t", "  ", " \t ", "\t\t"}) {
            for (String after : new String[] {"", " ", "\t", "  ", " \t "}) {
                add(GET + "a:" + before + "b" + after + "\r\n\r\n");
                add(GET + "a:" + before + after + "\r\n\r\n");
                add(POST + "content-length:" + before + "5" + after + "\r\n\r\nhello");
                add(POST + "Transfer-Encoding:" + before + "chunked" + after + "\r\n\r\n" + LAST);
                add("GET / HTTP/1.1\r\nHOST:" + before + "a" + after + "\r\n\r\n");
            }
        }
    }

    private void framing() {
        for (String zeros : new String[] {"", "0", "00", "0000000000000000000000"}) {
            add(POST + "Content-Length: " + zeros + "5\r\n\r\nhello");
            add("GET / HTTP/1.0\r\nContent-Length: " + zeros + "5\r\n\r\nhello");
            add(POST + "Content-Length: " + zeros + "0\r\n\r\n");
        }
        for (String coding : new String[] {"chunked", "CHUNKED", "Chunked", "chunkeD"}) {
            for (String method : new String[] {"GET", "PUT", "DELETE", "OPTIONS", "HEAD", "X"}) {
                String head = method + " / HTTP/1.1\r\n" + H;
                add(head + "Transfer-Encoding: " + coding + "\r\n\r\n" + LAST);
                add(
                        head
                                + "tRANSFER-eNCODING:"
                                + coding
                                + "\r\nExpect: 100-continue\r\n\r\n"
                                + LAST);
            }
        }
        for (String connection :
                new String[] {"close", "CLOSE", "a, close", ",close,", "upgrade", "", ",,", "x"}) {
            add(GET + "Connection: " + connection + "\r\n\r\n");
            add("GET / HTTP/1.0\r\nConnection: " + connection + "\r\n\r\n");
            add(GET + "Connection: x\r\nConnection: " + connection + "\r\n\r\n");
        }
    }

    private void chunks() {
        for (String body : MessageCorpus.GOOD_CHUNKS) {
            add(CHUNKED + body);
        }
        for (int zeros = 0; zeros < 16; zeros++) {
            String zero = "0".repeat(zeros);
            add(CHUNKED + zero + "5\r\nhello\r\n" + LAST, CHUNKED + zero + LAST);
            add(CHUNKED + zero + "A\r\n0123456789\r\n" + zero + LAST);
        }
        for (int size = 1; size <= 40; size++) {
            String data = "\r\n0\r\n\r\n".repeat(size).substring(0, size);
            add(CHUNKED + Integer.toHexString(size) + "\r\n" + data + "\r\n" + LAST);
        }
        Stream<String> plain = Bytes.text().filter(c -> !"\"\\".contains(c));
        add(plain, CHUNKED + "5;a=\"@\"\r\nhello\r\n" + LAST);
        add(Bytes.text(), CHUNKED + "5;a=\"\\@\";b\r\nhello\r\n" + LAST);
    }

    private void sequences() {
        String[] requests = {
            GET + "\r\n",
            "\r\n" + GET + "\r\n",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            POST + "Content-Length: 5\r\n\r\nhello",
            POST + "Content-Length: 0\r\n\r\n",
            CHUNKED + "5\r\nhello\r\n0\r\na: b\r\n\r\n",
            CHUNKED + LAST
        };
        for (String first : requests) {
            for (String second : requests) {
                add(first + second, first + second + first);
            }
        }
    }
}
