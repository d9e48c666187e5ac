package io.weft.bench.http2;

import java.util.ArrayList;
import java.util.List;

/// Header fields of the sizes that messages have: of a plain request, of gRPC, of an API, of a
/// page.
public enum HeaderSet {
    THREE,
    FIVE,
    SIX,
    EIGHT,
    ELEVEN,
    TWENTYTWO,
    THIRTY;

    /// Returns names and values by turns, pseudo-header fields first.
    List<String> fields() {
        return switch (this) {
            case THREE -> response("date", "Mon, 23 Nov 2026 05:00:00 GMT", "content-length", "15");
            case FIVE -> request("/", "accept", "*/*");
            case SIX ->
                    request(
                            "/grpc.testing.TestService/UnaryCall",
                            "content-type",
                            "application/grpc",
                            "te",
                            "trailers");
            case EIGHT ->
                    request(
                            "/v1/projects/weft/topics/bench:publish",
                            "content-type",
                            "application/grpc",
                            "te",
                            "trailers",
                            "grpc-timeout",
                            "59999828u",
                            "authorization",
                            "Bearer " + "a1B2c3D4".repeat(16));
            case ELEVEN -> request("/index.html?q=1", browser());
            case TWENTYTWO -> page();
            case THIRTY -> {
                List<String> fields = new ArrayList<>(page());
                for (int i = 0; i < 8; i++) {
                    fields.addAll(List.of("x-backend-timing-" + i, "cache;desc=hit;dur=" + i * 7));
                }
                yield List.copyOf(fields);
            }
        };
    }

    private static List<String> request(String path, String... more) {
        List<String> fields =
                new ArrayList<>(
                        List.of(
                                ":method",
                                "GET",
                                ":scheme",
                                "https",
                                ":authority",
                                "www.example.com",
                                ":path",
                                path));
        fields.addAll(List.of(more));
        return List.copyOf(fields);
    }

    private static List<String> response(String... more) {
        List<String> fields = new ArrayList<>(List.of(":status", "200"));
        fields.addAll(List.of(more));
        return List.copyOf(fields);
    }

    private static String[] browser() {
        return new String[] {
            "user-agent",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0",
            "accept",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
            "accept-encoding",
            "gzip, deflate, br",
            "accept-language",
            "en-GB,en;q=0.9,de;q=0.8",
            "cache-control",
            "max-age=0",
            "cookie",
            "session=0123456789abcdef0123456789abcdef; theme=dark",
            "upgrade-insecure-requests",
            "1"
        };
    }

    private static List<String> page() {
        return response(
                "server",
                "weft",
                "date",
                "Mon, 23 Nov 2026 05:00:00 GMT",
                "content-type",
                "text/html; charset=utf-8",
                "content-length",
                "48213",
                "cache-control",
                "no-cache, no-store, must-revalidate, pre-check=0, post-check=0",
                "content-security-policy",
                "default-src 'self'; img-src * data:; script-src 'self' 'nonce-0123456789abcdef'",
                "etag",
                "W/\"bc35-aGVsbG8gd29ybGQ\"",
                "expires",
                "Tue, 31 Mar 1981 05:00:00 GMT",
                "last-modified",
                "Sun, 22 Nov 2026 05:00:00 GMT",
                "pragma",
                "no-cache",
                "set-cookie",
                "guest_id=v1%3A144768; Domain=.example.com; Path=/; Secure; HttpOnly",
                "status",
                "200 OK",
                "strict-transport-security",
                "max-age=631138519; includeSubdomains; preload",
                "vary",
                "accept-encoding, cookie",
                "x-connection-hash",
                "e176fe40accc1e2c613a34bc1941aa98",
                "x-content-type-options",
                "nosniff",
                "x-frame-options",
                "SAMEORIGIN",
                "x-response-time",
                "22",
                "x-transaction",
                "a54142ede693444d9",
                "x-ua-compatible",
                "IE=edge,chrome=1",
                "x-xss-protection",
                "1; mode=block");
    }
}
