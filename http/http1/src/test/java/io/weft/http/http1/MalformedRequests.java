package io.weft.http.http1;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Malformed requests, made systematically: each rule of the grammar, broken by each byte that
/// breaks it, at each place where it holds. The `@` of a template is where the byte stands.
final class MalformedRequests {
    /// @param rule that the request breaks
    /// @param status that it is refused with
    record Vector(String rule, int status, String input) {}

    private static final String H = "Host: a\r\n";
    private static final String GET = "GET / HTTP/1.1\r\n" + H;
    private static final String POST = "POST / HTTP/1.1\r\n" + H;
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LAST = "0\r\n\r\n";

    private final Map<String, Vector> vectors = new LinkedHashMap<>();

    private MalformedRequests() {}

    static List<Vector> all() {
        MalformedRequests all = new MalformedRequests();
        all.tokens();
        all.controls();
        all.targets();
        all.versions();
        all.blanks();
        all.lineEnds();
        all.hosts();
        all.lengths();
        all.codings();
        all.chunks();
        all.trailers();
        all.cuts();
        return new ArrayList<>(all.vectors.values());
    }

    private void add(String rule, int status, String input) {
        vectors.putIfAbsent(input, new Vector(rule, status, input));
    }

    private void add(String rule, Stream<String> bytes, String... templates) {
        bytes.forEach(
                b -> {
                    for (String template : templates) {
                        add(rule, 400, template.replace("@", b));
                    }
                });
    }

    private void tokens() {
        String line = " / HTTP/1.1\r\n" + H + "\r\n";
        add("RFC 9110, 9.1: method = token", Bytes.notToken(), "@GET" + line, "G@T" + line);
        add("RFC 9110, 9.1: method = token", Bytes.notToken(), "GET@" + line);
        String name = "RFC 9110, 5.1: field-name = token";
        add(name, Bytes.notToken(), GET + "@name: x\r\n\r\n");
        // A colon ends the name where a name has begun.
        Stream<String> within = Bytes.notToken().filter(c -> !c.equals(":"));
        add(name, within, GET + "na@me: x\r\n\r\n", GET + "name@: x\r\n\r\n");
        within = Bytes.notToken().filter(c -> !c.equals(":"));
        add(name, within, CHUNKED + "0\r\nna@me: x\r\n\r\n");
        add("RFC 9110, 5.1: a name is not empty", 400, GET + ": x\r\n\r\n");
        add("RFC 9112, 5: a field line has a colon", 400, GET + "name\r\n\r\n");
    }

    private void controls() {
        add(
                "RFC 9110, 5.5: no controls in field values",
                Bytes.controls(),
                GET + "a: @\r\n\r\n",
                GET + "a: @b\r\n\r\n",
                GET + "a: b@c\r\n\r\n",
                GET + "a: b@ \r\n\r\n",
                GET + "Cookie: a=b@\r\n\r\n",
                CHUNKED + "0\r\na: b@c\r\n\r\n");
        add(
                "RFC 9110, 5.6.4: no controls in quoted strings",
                Bytes.controls(),
                CHUNKED + "5;a=\"b@c\"\r\nhello\r\n" + LAST,
                CHUNKED + "5;a=\"b\\@c\"\r\nhello\r\n" + LAST);
    }

    private void targets() {
        String rest = " HTTP/1.1\r\n" + H + "\r\n";
        add("RFC 3986, 3.3: pchar", Bytes.notPath(), "GET /a@b" + rest, "GET http://a/@" + rest);
        add("RFC 3986, 3.4: query", Bytes.notQuery(), "GET /?a@b" + rest);
        add("RFC 3986, 2.1: pct-encoded", Bytes.notHex(), "GET /%@0" + rest, "GET /%0@" + rest);
        String host = "RFC 3986, 3.2.2: host";
        // These end the authority, or begin its port.
        Stream<String> inHost = Bytes.notHost().filter(c -> !"/?:".contains(c));
        add(host, inHost, "GET http://a@b/" + rest, "CONNECT a@b:80" + rest);
        String form = "RFC 9112, 3.2: request-target";
        for (String target : new String[] {"a", "a/b", "?a", "*/", "http:", "http:/", "http://"}) {
            add(form, 400, "GET " + target + rest);
            add(form, 400, "POST " + target + rest);
        }
        for (String method : new String[] {"GET", "POST", "HEAD", "PUT", "get", "X"}) {
            add("RFC 9112, 3.2.4: asterisk-form is for OPTIONS", 400, method + " *" + rest);
            add("RFC 9112, 3.2.3: authority-form is for CONNECT", 400, method + " a:80" + rest);
        }
        for (String target :
                new String[] {"/", "*", "http://a/", "a", "a:", ":80", "a:b", "[::1]"}) {
            add("RFC 9112, 3.2.3: CONNECT has host and port", 400, "CONNECT " + target + rest);
        }
    }

    private void versions() {
        String version = "RFC 9112, 2.3: HTTP-version";
        String right = "HTTP/1.1";
        for (int i = 0; i < right.length(); i++) {
            boolean digit = Character.isDigit(right.charAt(i));
            for (char c : "hX/.: \t\0".toCharArray()) {
                if (c != right.charAt(i)) {
                    String wrong = right.substring(0, i) + c + right.substring(i + 1);
                    add(version, 400, "GET / " + wrong + "\r\n" + H + "\r\n");
                }
            }
            for (char c = '2'; digit && c <= '9'; c++) {
                String other = right.substring(0, i) + c + right.substring(i + 1);
                add(version, 505, "GET / " + other + "\r\n" + H + "\r\n");
            }
            add(version, 400, "GET / " + right.substring(0, i) + "\r\n" + H + "\r\n");
            add(version, 400, "GET / " + right.substring(i + 1) + "\r\n" + H + "\r\n");
        }
        add(version, 400, "GET /\r\n" + H + "\r\n");
        add(version, 400, "GET / HTTP/1.10\r\n" + H + "\r\n");
        add(version, 400, "GET / HTTP/01.1\r\n" + H + "\r\n");
    }

    private void blanks() {
        for (String blank : new String[] {" ", "\t", "  ", " \t", "\u00a0", "\u000b", "\f"}) {
            String between = "RFC 9112, 3: one space between the parts of a request line";
            add(between, 400, blank + "GET / HTTP/1.1\r\n" + H + "\r\n");
            add(between, 400, "GET / HTTP/1.1" + blank + "\r\n" + H + "\r\n");
            if (!blank.equals(" ")) {
                add(between, 400, "GET" + blank + "/ HTTP/1.1\r\n" + H + "\r\n");
                add(between, 400, "GET /" + blank + "HTTP/1.1\r\n" + H + "\r\n");
            }
            for (String name : new String[] {"a", "Host", "Content-Length", "Transfer-Encoding"}) {
                String colon = "RFC 9112, 5.1: no blank before the colon";
                add(colon, 400, "GET / HTTP/1.1\r\n" + H + name + blank + ": 5\r\n\r\n");
                String fold = "RFC 9112, 5.2: no folded lines";
                add(fold, 400, "GET / HTTP/1.1\r\n" + H + blank + name + ": 5\r\n\r\n");
                add(fold, 400, "GET / HTTP/1.1\r\n" + blank + name + ": 5\r\n" + H + "\r\n");
                add(fold, 400, "GET / HTTP/1.1\r\n" + H + name + ":\r\n" + blank + "5\r\n\r\n");
            }
            String chunk = "RFC 9112, 7.1: no blank around a chunk size";
            add(chunk, 400, CHUNKED + blank + "5\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5" + blank + "\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5" + blank + ";a\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5;" + blank + "a\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5;a" + blank + "=b\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5;a=" + blank + "b\r\nhello\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5\r\nhello" + blank + "\r\n" + LAST);
            add(chunk, 400, CHUNKED + "5\r\nhello\r\n" + blank + LAST);
        }
    }

    /// Each CR LF of a request with everything, one after the other.
    private void lineEnds() {
        String fields = "Host: a\r\nTransfer-Encoding: chunked\r\nA: b";
        String chunks = "5;a=\"b\"\r\nhello\r\n2\r\nhi\r\n0;c\r\nE: f\r\nG: h\r\n\r\n";
        String whole = "POST / HTTP/1.1\r\n" + fields + "\r\n\r\n" + chunks;
        String[] ends = {
            "\n",
            "\r",
            "\r\r\n",
            "\n\n",
            "\n\r",
            "\r\0\n",
            "\0\r\n",
            "\r \n",
            "\u000b\r\n",
            "\r\u0085",
            "\r\t\n",
            "\n\r\n",
            "\r\n\n",
            "\r\n\r"
        };
        for (int at = whole.indexOf("\r\n"); at >= 0; at = whole.indexOf("\r\n", at + 2)) {
            for (String end : ends) {
                String input = whole.substring(0, at) + end + whole.substring(at + 2);
                add("RFC 9112, 2.2: lines end with CR LF", 400, input);
            }
        }
        add("RFC 9112, 2.2: lines end with CR LF", 400, "\n" + GET + "\r\n");
        add("RFC 9112, 2.2: lines end with CR LF", 400, "\r" + GET + "\r\n");
    }

    private void hosts() {
        String get = "GET / HTTP/1.1\r\n";
        String host = "RFC 9110, 7.2: Host = uri-host [ \":\" port ]";
        Stream<String> inner = Bytes.notHost().filter(c -> !c.equals(":"));
        add(host, inner, get + "Host: a@b\r\n\r\n");
        inner = Bytes.notHost().filter(c -> !" \t".contains(c));
        add(
                host,
                inner,
                get + "Host: @\r\n\r\n",
                get + "Host: a@\r\n\r\n",
                get + "Host: a:8@\r\n\r\n");
        String one = "RFC 9112, 3.2: exactly one Host";
        add(one, 400, get + "\r\n");
        for (String between : new String[] {"", "A: b\r\n", "Connection: close\r\n"}) {
            for (String second :
                    new String[] {"Host: a", "host: a", "HOST:a", "Host: b", "hOST:"}) {
                add(one, 400, get + H + between + second + "\r\n\r\n");
                add(one, 400, get + second + "\r\n" + between + H + "\r\n");
                add(one, 400, "GET / HTTP/1.0\r\n" + H + between + second + "\r\n\r\n");
            }
        }
    }

    private void lengths() {
        String rule = "RFC 9110, 8.6: Content-Length = 1*DIGIT";
        Stream<String> wrong = Bytes.text().filter(c -> !c.matches("[0-9]"));
        wrong.forEach(
                c -> {
                    if (!c.isBlank()) {
                        add(rule, 400, POST + "Content-Length: " + c + "5\r\n\r\nhello");
                        add(rule, 400, POST + "Content-Length: 5" + c + "\r\n\r\nhello");
                    }
                    add(rule, 400, POST + "Content-Length: 1" + c + "5\r\n\r\nhello");
                });
        String one = "RFC 9112, 6.3: one Content-Length";
        for (String method : new String[] {"GET", "POST", "PUT", "DELETE"}) {
            for (String version : new String[] {"1.0", "1.1"}) {
                String head = method + " / HTTP/" + version + "\r\n" + H;
                for (String length : MessageCorpus.LENGTHS) {
                    add(one, 400, head + length + "\r\n\r\nhello");
                    add(one, 400, head + "A: b\r\n" + length + "\r\nC: d\r\n\r\nhello");
                }
            }
        }
    }

    private void codings() {
        String rule = "RFC 9112, 6.1: Transfer-Encoding is chunked, once and last";
        for (String method : new String[] {"GET", "POST", "PUT"}) {
            String head = method + " / HTTP/1.1\r\n" + H;
            for (String coding : MessageCorpus.CODINGS) {
                add(rule, 400, head + coding + "\r\n\r\n" + LAST);
                add(rule, 400, head + "A: b\r\n" + coding + "\r\nC: d\r\n\r\n" + LAST);
            }
            for (String coding : MessageCorpus.UNSUPPORTED_CODINGS) {
                add(
                        "RFC 9112, 6.1: codings that are implemented",
                        501,
                        head + coding + "\r\n\r\n" + LAST);
            }
            String old = method + " / HTTP/1.0\r\n" + H;
            add(rule, 400, old + "Transfer-Encoding: chunked\r\n\r\n" + LAST);
        }
        // A blank around the name is none of its value.
        Stream<String> junk = Bytes.text().filter(c -> !" \t".contains(c));
        add(rule, junk, POST + "Transfer-Encoding: @chunked\r\n\r\n" + LAST);
        junk = Bytes.text().filter(c -> !" \t".contains(c));
        add(rule, junk, POST + "Transfer-Encoding: chunked@\r\n\r\n" + LAST);
        add(rule, Bytes.text(), POST + "Transfer-Encoding: chun@ked\r\n\r\n" + LAST);
        for (String method : new String[] {"CONNECT a:1", "TRACE /"}) {
            String head = method + " HTTP/1.1\r\n" + H;
            String none = "RFC 9110, 9.3.6 and 9.3.8: no content";
            add(none, 400, head + "Content-Length: 1\r\n\r\nx");
            add(none, 400, head + "Transfer-Encoding: chunked\r\n\r\n" + LAST);
        }
    }

    private void chunks() {
        String size = "RFC 9112, 7.1: chunk-size = 1*HEXDIG";
        add(
                size,
                Bytes.notHex(),
                CHUNKED + "@5\r\nhello\r\n" + LAST,
                CHUNKED + "5@\r\nhello\r\n" + LAST);
        Stream<String> notData = Bytes.notHex().filter(c -> !c.equals("\r"));
        add("RFC 9112, 7.1: CRLF behind a chunk", notData, CHUNKED + "5\r\nhello@\n" + LAST);
        String ext = "RFC 9112, 7.1.1: chunk-ext-name = token";
        Stream<String> notName = Bytes.notToken().filter(c -> !";=".contains(c));
        add(ext, notName, CHUNKED + "5;a@b\r\nhello\r\n" + LAST);
        add(ext, Bytes.notToken(), CHUNKED + "5;@\r\nhello\r\n" + LAST);
        Stream<String> notValue = Bytes.notToken().filter(c -> !c.equals("\""));
        add(ext, notValue, CHUNKED + "5;a=@\r\nhello\r\n" + LAST);
        for (String body : MessageCorpus.CHUNK_LINES) {
            add(size, 400, CHUNKED + body);
        }
        for (String body : MessageCorpus.CHUNK_ENDS) {
            add("RFC 9112, 7.1: CRLF", 400, CHUNKED + body);
        }
    }

    private void trailers() {
        for (String name :
                ("Transfer-Encoding Content-Length Host Connection Keep-Alive Upgrade TE Trailer Expect"
                                + " Cache-Control Range If-Match Authorization Cookie Set-Cookie"
                                + " Content-Encoding Content-Type Content-Range Location Date Vary Age")
                        .split(" ", -1)) {
            String rule = "RFC 9110, 6.5.1: fields that are no trailers";
            add(rule, 400, CHUNKED + "0\r\n" + name + ": x\r\n\r\n");
            add(rule, 400, CHUNKED + "0\r\na: b\r\n" + name.toLowerCase(ROOT) + ":\r\n\r\n");
        }
    }

    /// All that ends before the request does.
    private void cuts() {
        for (String whole :
                new String[] {
                    GET + "Connection: close\r\n\r\n",
                    POST + "Content-Length: 5\r\n\r\nhello",
                    CHUNKED + "5;a=\"b\"\r\nhello\r\n0\r\nc: d\r\n\r\n"
                }) {
            for (int end = 1; end < whole.length(); end++) {
                add("RFC 9112, 8: a message is whole", 400, whole.substring(0, end));
            }
        }
    }
}
