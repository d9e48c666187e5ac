package io.weft.conformance.http;

import java.util.ArrayList;
import java.util.List;

/// Requests that recipients are known to read in different ways. Where a body can end in two places
/// there is a request to `/smuggled` between them.
final class AmbiguousRequests {
    record Message(String name, String bytes) {}

    private static final String H = "Host: a\r\n";
    private static final String POST = "POST / HTTP/1.1\r\n" + H;
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\n" + H + "\r\n";

    private final List<Message> messages = new ArrayList<>();

    private AmbiguousRequests() {}

    static List<Message> all() {
        AmbiguousRequests all = new AmbiguousRequests();
        all.lengths();
        all.codings();
        all.chunks();
        all.lines();
        all.targets();
        return all.messages;
    }

    private void add(String name, String bytes) {
        messages.add(new Message(name, bytes));
    }

    /// A body that is chunked for some, and has the length of all that follows for others.
    private void both(String name, String fields) {
        String body = "0\r\n\r\n" + SMUGGLED;
        add(name, POST + fields.replace("#", "" + body.length()) + "\r\n" + body);
    }

    private void lengths() {
        both("length and chunked", "Content-Length: #\r\nTransfer-Encoding: chunked\r\n");
        both("chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: #\r\n");
        String two = "Content-Length: 0\r\nContent-Length: #\r\n";
        add("two lengths", POST + two.replace("#", "" + SMUGGLED.length()) + "\r\n" + SMUGGLED);
        add("equal lengths", POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello");
        add("list of lengths", POST + "Content-Length: 5, 5\r\n\r\nhello");
        add("length with sign", POST + "Content-Length: +5\r\n\r\nhello");
        add("negative length", POST + "Content-Length: -1\r\n\r\n" + SMUGGLED);
        add("hexadecimal length", POST + "Content-Length: 0x0\r\n\r\n" + SMUGGLED);
        add("empty length", POST + "Content-Length:\r\n\r\n" + SMUGGLED);
        add("length with zeros", POST + "Content-Length: 0005\r\n\r\nhello");
        add(
                "length over 64 bits",
                POST + "Content-Length: 18446744073709551616\r\n\r\n" + SMUGGLED);
        add("length, blank before colon", POST + "Content-Length : 5\r\n\r\nhello");
        add("length behind a control", POST + "Content-Length: \u000b5\r\n\r\nhello");
        add("body of GET", "GET / HTTP/1.1\r\n" + H + "Content-Length: 5\r\n\r\nhello");
    }

    private void codings() {
        both("chunked, blank before colon", "Transfer-Encoding : chunked\r\nContent-Length: #\r\n");
        both("chunked behind HTAB", "Transfer-Encoding:\tchunked\r\nContent-Length: #\r\n");
        both("chunked behind VT", "Transfer-Encoding: \u000bchunked\r\nContent-Length: #\r\n");
        both("folded chunked", "Transfer-Encoding:\r\n chunked\r\nContent-Length: #\r\n");
        both("xchunked", "Transfer-Encoding: xchunked\r\nContent-Length: #\r\n");
        both("chunked with parameter", "Transfer-Encoding: chunked;a=b\r\nContent-Length: #\r\n");
        both("quoted chunked", "Transfer-Encoding: \"chunked\"\r\nContent-Length: #\r\n");
        both("chunked and NUL", "Transfer-Encoding: chunked\0\r\nContent-Length: #\r\n");
        both("name with underscore", "Transfer_Encoding: chunked\r\nContent-Length: #\r\n");
        both("name behind LF", "A: b\nTransfer-Encoding: chunked\r\nContent-Length: #\r\n");
        both("name behind CR", "A: b\rTransfer-Encoding: chunked\r\nContent-Length: #\r\n");
        for (String coding :
                new String[] {
                    "chunked, chunked",
                    "chunked, identity",
                    "identity, chunked",
                    "identity",
                    "gzip, chunked",
                    ",chunked",
                    "chunked,",
                    "CHUNKED",
                    ""
                }) {
            add("coding \"" + coding + "\"", coding(coding));
        }
        String two = "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n";
        add("chunked, then identity", POST + two + "0\r\n\r\n" + SMUGGLED);
        String old = "POST / HTTP/1.0\r\n" + H + "Connection: keep-alive\r\n";
        add("chunked in HTTP/1.0", old + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED);
    }

    private static String coding(String coding) {
        return POST + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n" + SMUGGLED;
    }

    private void chunk(String name, String body) {
        add(name, CHUNKED + body + SMUGGLED);
    }

    private void chunks() {
        chunk("chunk size ends with LF", "5\nhello\r\n0\r\n\r\n");
        chunk("chunk ends with LF", "5\r\nhello\n0\r\n\r\n");
        chunk("chunk without an end", "5\r\nhello0\r\n\r\n");
        chunk("chunk size with prefix", "0x5\r\nhello\r\n0\r\n\r\n");
        chunk("chunk size with sign", "+5\r\nhello\r\n0\r\n\r\n");
        chunk("chunk size behind blank", " 5\r\nhello\r\n0\r\n\r\n");
        chunk("chunk size before blank", "5 \r\nhello\r\n0\r\n\r\n");
        chunk("chunk size with underscore", "0_5\r\nhello\r\n0\r\n\r\n");
        chunk("chunk size over 64 bits", "10000000000000005\r\nhello\r\n0\r\n\r\n");
        chunk("chunk size with 20 digits", "00000000000000000005\r\nhello\r\n0\r\n\r\n");
        chunk("empty chunk size", "\r\n\r\n");
        chunk("LF in an extension", "5;a\nb\r\nhello\r\n0\r\n\r\n");
        chunk("LF in a quoted extension", "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n");
        chunk("extension with blanks", "5 ; a = b\r\nhello\r\n0\r\n\r\n");
        chunk("extension", "5;a=b\r\nhello\r\n0\r\n\r\n");
        chunk("open quote in an extension", "5;a=\"\r\nhello\r\n0\r\n\r\n");
        chunk("length as trailer", "0\r\nContent-Length: 50\r\n\r\n");
        chunk("trailer section ends with LF", "0\r\na: b\r\n\n");
        chunk("LF behind the last chunk", "0\r\n\n");
        chunk("CR CR LF behind the last chunk", "0\r\n\r\r\n");
    }

    private void lines() {
        String get = "GET / HTTP/1.1\r\n";
        add("lines end with LF", "GET / HTTP/1.1\nHost: a\n\n" + SMUGGLED);
        add("request line ends with LF", "GET / HTTP/1.1\n" + H + "\r\n");
        add("section ends with LF", get + H + "\n" + SMUGGLED);
        add("CR alone ends a line", get + "Host: a\rB: c\r\n\r\n");
        add("CR CR LF", get + "Host: a\r\r\nB: c\r\n\r\n");
        add("NUL in a value", get + H + "B: c\0d\r\n\r\n");
        add("blank before the first field", get + " B: c\r\n" + H + "\r\n");
        add("folded line", get + H + "B: c\r\n d\r\n\r\n");
        add("empty name", get + H + ": c\r\n\r\n");
        add("no colon", get + H + "B\r\n\r\n");
        add("three empty lines first", "\r\n\r\n\r\n" + get + H + "\r\n");
        add("two blanks", "GET  / HTTP/1.1\r\n" + H + "\r\n");
        add("blank behind the version", "GET / HTTP/1.1 \r\n" + H + "\r\n");
        add("HTAB for a blank", "GET\t/ HTTP/1.1\r\n" + H + "\r\n");
        add("HTTP/1.2", "GET / HTTP/1.2\r\n" + H + "\r\n");
        add("HTTP/0.9", "GET /\r\n" + SMUGGLED);
        add("lower-case version", "GET / http/1.1\r\n" + H + "\r\n");
    }

    private void targets() {
        add("no host", "GET / HTTP/1.1\r\n\r\n");
        add("two hosts", "GET / HTTP/1.1\r\n" + H + "Host: b\r\n\r\n");
        add("host with comma", "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n");
        add("host with path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n");
        add("host with user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n");
        add("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n");
        add("other host in the target", "GET http://b/ HTTP/1.1\r\n" + H + "\r\n");
        add("fragment", "GET /#a HTTP/1.1\r\n" + H + "\r\n");
        add("percent without digits", "GET /%zz HTTP/1.1\r\n" + H + "\r\n");
        add("backslash", "GET /\\a HTTP/1.1\r\n" + H + "\r\n");
        add("bytes above 127", "GET /\u00e9 HTTP/1.1\r\n" + H + "\r\n");
        add("path without slash", "GET a HTTP/1.1\r\n" + H + "\r\n");
        add("asterisk for GET", "GET * HTTP/1.1\r\n" + H + "\r\n");
    }
}
