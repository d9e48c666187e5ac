package io.weft.http.rtsp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Messages as text, and text as messages.
final class Messages {
    private Messages() {}

    static Buffer buffer(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    @SafeVarargs
    static byte[] bytes(Supplier<RtspMessage>... messages) {
        RtspEncoder encoder = new RtspEncoder();
        try (Output out = new Output()) {
            for (Supplier<RtspMessage> message : messages) {
                encoder.encode(message.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static String encode(RtspMessage message) {
        return new String(bytes(() -> message), ISO_8859_1);
    }

    static List<RtspMessage> decode(String text) {
        List<RtspMessage> messages = new ArrayList<>();
        RtspDecoder decoder = new RtspDecoder();
        try (Buffer in = buffer(text)) {
            decoder.decode(in, messages::add);
            decoder.end(messages::add);
        }
        return messages;
    }

    /// Writes a message down with its values, and releases it.
    static String describe(Object message) {
        return switch ((RtspMessage) message) {
            case RtspRequest r ->
                    r.method()
                            + " "
                            + r.uri()
                            + " "
                            + r.version()
                            + " "
                            + r.cseq()
                            + fields(r.headers(), r.body());
            case RtspResponse r ->
                    r.version()
                            + " "
                            + r.status().code()
                            + " "
                            + r.cseq()
                            + fields(r.headers(), r.body());
            case RtspData data -> {
                try (data) {
                    yield "$" + data.channel() + " " + data.payload().readString(ISO_8859_1);
                }
            }
        };
    }

    private static String fields(Headers headers, Body body) {
        List<String> fields = new ArrayList<>();
        headers.forEach(field -> fields.add(field.name() + "=" + field.value()));
        return " " + fields + " " + body.asString(ISO_8859_1);
    }
}
