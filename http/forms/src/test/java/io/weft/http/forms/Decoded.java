package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.forms.FormEvent.PartData;
import io.weft.http.forms.FormEvent.PartEnd;
import io.weft.http.forms.FormEvent.PartStart;
import io.weft.testkit.Subject;

/// Forms decoded and written down, for assertions.
final class Decoded {
    static final String TYPE = "multipart/form-data; boundary=B";

    private Decoded() {}

    static String describe(Object event) {
        return switch ((FormEvent) event) {
            case PartStart start ->
                    start.name()
                            + (start.fileName() == null ? "" : "|" + start.fileName())
                            + (start.contentType() == null ? "" : "|" + start.contentType())
                            + "=";
            case PartData data -> {
                try (Buffer bytes = data.bytes()) {
                    yield Subject.PIECE + bytes.readString(ISO_8859_1);
                }
            }
            case PartEnd _ -> ";";
        };
    }

    /// All parts as `name|file|type=content;`.
    static String of(String contentType, String body) {
        return of(FormDecoder.of(contentType, FormLimits.DEFAULT), body);
    }

    static String of(FormDecoder decoder, String body) {
        StringBuilder said = new StringBuilder();
        byte[] bytes = body.getBytes(ISO_8859_1);
        try (decoder;
                Buffer in = BufferAllocator.pooled().allocate(Math.max(1, bytes.length))) {
            in.writeBytes(bytes);
            decoder.decode(in, event -> append(said, event));
            decoder.end(event -> append(said, event));
        }
        return said.toString();
    }

    private static void append(StringBuilder said, FormEvent event) {
        String text = describe(event);
        said.append(event instanceof PartData ? text.substring(Subject.PIECE.length()) : text);
    }
}
