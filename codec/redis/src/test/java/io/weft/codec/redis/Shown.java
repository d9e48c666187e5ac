package io.weft.codec.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Decoder;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Messages written down for comparisons, and released.
final class Shown {
    private Shown() {}

    static Buffer buffer(String latin1) {
        byte[] bytes = latin1.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static String content(Buffer content) {
        return content.getString(content.readOffset(), content.readableBytes(), ISO_8859_1);
    }

    static String of(Object message) {
        return switch (message) {
            case Command command -> {
                try (command) {
                    List<String> arguments = new ArrayList<>();
                    for (int i = 0; i < command.size(); i++) {
                        arguments.add(new String(command.bytes(i), ISO_8859_1));
                    }
                    yield "command " + arguments;
                }
            }
            case RespPart part -> {
                try (part) {
                    yield part(part);
                }
            }
            default -> throw new AssertionError(message);
        };
    }

    private static String part(RespPart part) {
        return switch (part) {
            case RespPart.BulkChunk chunk -> "piece " + content(chunk.content());
            case RespPart.AggregateStart start -> start.toString();
            case RespPart.AggregateEnd end -> end.toString();
            case RespPart.BulkStart start -> start.toString();
            case RespPart.BulkEnd end -> end.toString();
            case RespValue.Bulk bulk -> "Bulk[" + content(bulk.content()) + "]";
            case RespValue.BulkError error -> "BulkError[" + content(error.content()) + "]";
            case RespValue.Verbatim v ->
                    "Verbatim[" + v.format() + ", " + content(v.content()) + "]";
            case RespValue.Attributed a -> "|" + part(a.attributes()) + part(a.value());
            case RespValue.Null nothing -> "Null." + nothing;
            case RespValue.Bool bool -> "Bool." + bool;
            case RespValue value ->
                    value.type().isAggregate()
                            ? value.type()
                                    + value.elements().stream().map(Shown::part).toList().toString()
                            : value.toString();
        };
    }

    /// @param messages made one by one: what is not encoded is nobody's
    @SafeVarargs
    static <M> byte[] encoded(Encoder<? super M> encoder, Supplier<? extends M>... messages) {
        try (Output out = new Output()) {
            for (Supplier<? extends M> message : messages) {
                encoder.encode(message.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static byte[] encoded(Encoder<? super RespPart> encoder, RespPart... parts) {
        try (Output out = new Output()) {
            int done = 0;
            try {
                for (RespPart part : parts) {
                    done++;
                    encoder.encode(part, out);
                }
            } finally {
                for (; done < parts.length; done++) {
                    parts[done].close();
                }
            }
            return Gathered.bytes(out::drain);
        }
    }

    static String text(Encoder<? super RespPart> encoder, RespPart... parts) {
        return new String(encoded(encoder, parts), ISO_8859_1);
    }

    static List<String> decoded(Decoder<?> decoder, String wire) {
        List<String> messages = new ArrayList<>();
        try (Buffer in = buffer(wire)) {
            decoder.decode(in, message -> messages.add(of(message)));
            decoder.end(message -> messages.add(of(message)));
        }
        return messages;
    }
}
