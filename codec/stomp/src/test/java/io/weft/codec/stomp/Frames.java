package io.weft.codec.stomp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Frames as text, and text as frames.
final class Frames {
    private Frames() {}

    static Buffer buffer(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static StompFrame send(String body, String... headers) {
        return new StompFrame(StompCommand.SEND, StompHeaders.of(headers), buffer(body));
    }

    @SafeVarargs
    static String encode(StompEncoder encoder, Supplier<StompMessage>... messages) {
        return new String(bytes(encoder, messages), UTF_8);
    }

    @SafeVarargs
    static byte[] bytes(StompEncoder encoder, Supplier<StompMessage>... messages) {
        try (Output out = new Output()) {
            for (Supplier<StompMessage> message : messages) {
                encoder.encode(message.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static List<String> decode(StompDecoder decoder, String text) {
        List<String> messages = new ArrayList<>();
        try (Buffer in = buffer(text)) {
            decoder.decode(in, m -> messages.add(describe(m)));
            decoder.end(m -> messages.add(describe(m)));
        }
        return messages;
    }

    /// Writes a message down with its values, and releases it.
    static String describe(Object message) {
        return switch (message) {
            case StompFrame f -> {
                try (f) {
                    yield f.command() + pairs(f.headers()) + " " + f.body().readString(ISO_8859_1);
                }
            }
            case StompFrameStart s -> "start " + s.command() + pairs(s.headers());
            case StompBodyPart p -> {
                try (p) {
                    yield "piece " + p.bytes().readString(ISO_8859_1);
                }
            }
            default -> "beat";
        };
    }

    private static String pairs(StompHeaders headers) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < headers.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append(headers.name(i))
                    .append('=')
                    .append(headers.value(i));
        }
        return text.append('}').toString();
    }
}
