package io.weft.http.http1;

import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import java.util.List;

/// A decoder of requests in a [Feed].
final class Trace implements AutoCloseable {
    final RequestDecoder decoder;
    final Feed<RequestPart> feed;
    final List<String> events;

    Trace(Http1Limits limits) {
        decoder = new RequestDecoder(limits);
        feed = new Feed<>(decoder, Trace::describe, e -> String.valueOf(e.status().code()));
        events = feed.events;
    }

    /// The whole input at once, then its end.
    static List<String> of(String input) {
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            return trace.feed(input).end();
        }
    }

    /// The segments one after the other, then the end.
    static List<String> ofSegments(String... segments) {
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            for (String segment : segments) {
                trace.feed(segment);
            }
            return trace.end();
        }
    }

    static List<String> ofSingleBytes(String input) {
        String[] bytes = new String[input.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = input.substring(i, i + 1);
        }
        return ofSegments(bytes);
    }

    Trace feed(String bytes) {
        feed.feed(bytes);
        return this;
    }

    List<String> end() {
        feed.end();
        return events;
    }

    private static String describe(RequestPart part) {
        return switch (part) {
            case RequestHead head ->
                    "head "
                            + head.method()
                            + " "
                            + head.target()
                            + " "
                            + head.version()
                            + " "
                            + Feed.text(head.headers())
                            + " "
                            + head.framing()
                            + " "
                            + head.contentLength()
                            + (head.keepAlive() ? " keep-alive" : " close")
                            + (head.expectContinue() ? " expect" : "");
            case BodyPart body -> Feed.body(body.data());
            case EndOfRequest end -> "end " + Feed.text(end.trailers());
        };
    }

    @Override
    public void close() {
        feed.close();
    }
}
