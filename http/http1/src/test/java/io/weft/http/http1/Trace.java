package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Headers;
import java.util.ArrayList;
import java.util.List;

/// Feeds a decoder the way a connection does, keeping what it leaves unread, and writes down what
/// comes out. Adjacent pieces of a body are written as one, since where they are cut is all that
/// may depend on the segments.
final class Trace implements AutoCloseable {
    final List<String> events = new ArrayList<>();
    final RequestDecoder decoder;
    final Buffer in = BufferAllocator.pooled().allocate(64);
    private boolean dead;

    Trace(Http1Limits limits) {
        decoder = new RequestDecoder(limits);
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
        if (!dead) {
            in.writeBytes(bytes.getBytes(ISO_8859_1));
            try {
                decoder.decode(in, this::add);
            } catch (HttpDecodeException e) {
                failed(e);
            }
        }
        return this;
    }

    List<String> end() {
        if (!dead) {
            try {
                decoder.end(this::add);
            } catch (HttpDecodeException e) {
                failed(e);
            }
        }
        return events;
    }

    private void failed(HttpDecodeException e) {
        dead = true;
        events.add("error " + e.status().code());
    }

    private void add(RequestPart part) {
        switch (part) {
            case RequestHead head ->
                    events.add(
                            "head "
                                    + head.method()
                                    + " "
                                    + head.target()
                                    + " "
                                    + head.version()
                                    + " "
                                    + text(head.headers())
                                    + " "
                                    + head.framing()
                                    + " "
                                    + head.contentLength()
                                    + (head.keepAlive() ? " keep-alive" : " close")
                                    + (head.expectContinue() ? " expect" : ""));
            case BodyPart body -> {
                String text = body.data().readString(ISO_8859_1);
                body.data().release();
                int last = events.size() - 1;
                if (events.get(last).startsWith("body ")) {
                    events.set(last, events.get(last) + text);
                } else {
                    events.add("body " + text);
                }
            }
            case EndOfRequest end -> events.add("end " + text(end.trailers()));
        }
    }

    private static String text(Headers headers) {
        List<String> fields = new ArrayList<>();
        headers.forEach(field -> fields.add(field.name() + "=" + field.value()));
        return fields.toString();
    }

    @Override
    public void close() {
        in.release();
    }
}
