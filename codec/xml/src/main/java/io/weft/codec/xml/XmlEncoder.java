package io.weft.codec.xml;

import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.util.HashSet;
import java.util.Set;

/// Writes events, escaped, in UTF-8; has no state, so tags are the application's to pair.
///
/// A prefix of a name has to be declared by an event: [XmlEvent.StartElement#namespaces]. An
/// element whose name has a namespace without a prefix is in the default namespace, which is to be
/// declared where it changes.
///
/// Characters that XML does not have, and attributes of one name in a tag, are an
/// [IllegalArgumentException].
public final class XmlEncoder implements Encoder<XmlEvent> {
    public XmlEncoder() {}

    @Override
    public void encode(XmlEvent event, Output out) {
        StringBuilder text = new StringBuilder(64);
        switch (event) {
            case XmlEvent.Declaration d ->
                    text.append("<?xml version=\"")
                            .append(d.version())
                            .append(d.encoding() == null ? "\"?>" : "\" encoding=\"UTF-8\"?>");
            case XmlEvent.StartElement start -> start(start, text);
            case XmlEvent.EndElement end -> text.append("</").append(end.name().tag()).append('>');
            case XmlEvent.Text t -> {
                XmlText.requireChars("text", t.text());
                XmlText.escape(t.text(), false, text);
            }
            case XmlEvent.Comment c -> text.append("<!--").append(c.text()).append("-->");
            case XmlEvent.Instruction i ->
                    text.append("<?").append(i.target()).append(' ').append(i.data()).append("?>");
        }
        out.buffer(3 * text.length()).writeUtf8(text);
    }

    private static void start(XmlEvent.StartElement start, StringBuilder to) {
        to.append('<').append(start.name().tag());
        Set<String> seen = new HashSet<>();
        for (XmlNamespace n : start.namespaces()) {
            attribute(n.prefix().isEmpty() ? "xmlns" : "xmlns:" + n.prefix(), n.uri(), seen, to);
        }
        for (XmlAttribute a : start.attributes()) {
            attribute(a.name().tag(), a.value(), seen, to);
        }
        to.append('>');
    }

    private static void attribute(String name, String value, Set<String> seen, StringBuilder to) {
        if (!seen.add(name)) {
            throw new IllegalArgumentException("attribute: " + name + " twice (expected: once)");
        }
        XmlText.requireChars("value", value);
        to.append(' ').append(name).append("=\"");
        XmlText.escape(value, true, to);
        to.append('"');
    }
}
