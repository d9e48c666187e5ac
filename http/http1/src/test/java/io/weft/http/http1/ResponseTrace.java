package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.EndOfResponse;
import io.weft.http.http1.ResponsePart.InterimResponse;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import java.util.ArrayList;
import java.util.List;

/// Feeds a decoder of responses the way a connection does, keeping what it leaves unread, and writes
/// down what comes out. Adjacent pieces of a body are written as one.
final class ResponseTrace implements AutoCloseable {
    final List<String> events = new ArrayList<>();
    final ResponseDecoder decoder;
    final Buffer in = BufferAllocator.pooled().allocate(64);
    private boolean dead;

    ResponseTrace(Http1Limits limits) {
        decoder = new ResponseDecoder(limits);
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
            if (decoder.isTunnel()) {
                events.add("tunnel " + in.readString(ISO_8859_1));
            }
        }
        return events;
    }

    private void failed(HttpDecodeException e) {
        dead = true;
        events.add("error " + e.status().code() + " " + e.getMessage());
    }

    private void add(ResponsePart part) {
        String text = describe(part);
        int last = events.size() - 1;
        if (part instanceof BodyPart && last >= 0 && events.get(last).startsWith("body ")) {
            events.set(last, events.get(last) + text.substring("body ".length()));
        } else {
            events.add(text);
        }
    }

    static String describe(ResponsePart part) {
        return switch (part) {
            case InterimResponse interim ->
                    "interim " + interim.status().code() + " " + text(interim.headers());
            case ResponseHead head ->
                    "head "
                            + head.status().code()
                            + " "
                            + head.version()
                            + " "
                            + text(head.headers())
                            + " "
                            + head.framing()
                            + " "
                            + head.contentLength()
                            + (head.keepAlive() ? " keep-alive" : " close");
            case BodyPart body -> {
                try (Buffer data = body.data()) {
                    yield "body " + data.readString(ISO_8859_1);
                }
            }
            case EndOfResponse end -> "end " + text(end.trailers());
        };
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
