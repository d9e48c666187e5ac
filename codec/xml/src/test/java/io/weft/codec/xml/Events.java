package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.List;

/// Events as text.
final class Events {
    private Events() {}

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static String describe(Object event) {
        return switch (event) {
            case XmlEvent.Declaration d -> "xml " + d.version() + " " + d.encoding();
            case XmlEvent.StartElement s -> {
                StringBuilder text = new StringBuilder("<" + name(s.name()));
                s.namespaces()
                        .forEach(
                                n ->
                                        text.append(" ns:")
                                                .append(n.prefix())
                                                .append('=')
                                                .append(n.uri()));
                s.attributes()
                        .forEach(
                                a ->
                                        text.append(' ')
                                                .append(name(a.name()))
                                                .append('=')
                                                .append(a.value()));
                yield text.toString();
            }
            case XmlEvent.EndElement e -> "/" + name(e.name());
            case XmlEvent.Text t -> "text " + t.text();
            case XmlEvent.Comment c -> "comment " + c.text();
            case XmlEvent.Instruction i -> "pi " + i.target() + " " + i.data();
            default -> throw new AssertionError(event);
        };
    }

    private static String name(XmlName name) {
        return (name.namespace().isEmpty() ? "" : "{" + name.namespace() + "}") + name.tag();
    }

    /// Events of a whole document, with an error's message at the end.
    static List<String> decode(XmlLimits limits, String document) {
        List<String> all = new ArrayList<>();
        try (XmlDecoder decoder = new XmlDecoder(limits);
                Buffer in = buffer(document.getBytes(UTF_8))) {
            decoder.decode(in, e -> all.add(describe(e)));
            decoder.end(e -> all.add(describe(e)));
        } catch (DecoderException e) {
            all.add("! " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        return all;
    }

    static byte[] encode(XmlEvent... events) {
        try (Output out = new Output()) {
            for (XmlEvent event : events) {
                new XmlEncoder().encode(event, out);
            }
            return Gathered.bytes(out::drain);
        }
    }
}
