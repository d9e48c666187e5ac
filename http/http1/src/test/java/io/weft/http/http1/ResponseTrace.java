package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.EndOfResponse;
import io.weft.http.http1.ResponsePart.InterimResponse;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.Method;
import java.util.List;

/// A decoder of responses in a [Feed].
final class ResponseTrace implements AutoCloseable {
    final ResponseDecoder decoder;
    final Feed<ResponsePart> feed;
    final List<String> events;

    ResponseTrace(Http1Limits limits) {
        decoder = new ResponseDecoder(limits);
        feed =
                new Feed<>(
                        decoder,
                        ResponseTrace::describe,
                        e -> e.status().code() + " " + e.getMessage());
        events = feed.events;
    }

    /// Decodes the segments, and then the end of the input.
    ///
    /// @param methods of the requests, separated by blanks; one that ends with `+` offers an upgrade
    static List<String> of(String methods, String... segments) {
        try (ResponseTrace trace = new ResponseTrace(Http1Limits.DEFAULT).expect(methods)) {
            for (String segment : segments) {
                trace.feed(segment);
            }
            return trace.end();
        }
    }

    ResponseTrace expect(String methods) {
        for (String method : methods.split(" ", -1)) {
            boolean upgrade = method.endsWith("+");
            decoder.expect(Method.of(method.replace("+", "")), upgrade);
        }
        return this;
    }

    ResponseTrace feed(String bytes) {
        feed.feed(bytes);
        return this;
    }

    List<String> end() {
        if (feed.end() && decoder.isTunnel()) {
            events.add("tunnel " + feed.in.readString(ISO_8859_1));
        }
        return events;
    }

    static String describe(ResponsePart part) {
        return switch (part) {
            case InterimResponse interim ->
                    "interim " + interim.status().code() + " " + Feed.text(interim.headers());
            case ResponseHead head ->
                    "head "
                            + head.status().code()
                            + " "
                            + head.version()
                            + " "
                            + Feed.text(head.headers())
                            + " "
                            + head.framing()
                            + " "
                            + head.contentLength()
                            + (head.keepAlive() ? " keep-alive" : " close");
            case BodyPart body -> Feed.body(body.data());
            case EndOfResponse end -> "end " + Feed.text(end.trailers());
        };
    }

    @Override
    public void close() {
        feed.close();
    }
}
