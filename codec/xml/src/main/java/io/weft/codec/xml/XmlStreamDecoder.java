package io.weft.codec.xml;

import io.weft.codec.MessageDecoder;
import io.weft.codec.PrematureEndException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Collects events into the stanzas of a stream: `new XmlDecoder().then(new XmlStreamDecoder())`.
///
/// White space between stanzas keeps a connection alive and is dropped; other text there, comments
/// and processing instructions are refused, as RFC 6120, 11.1 has it. [XmlLimits#stanza] limits
/// the events that are held here.
public final class XmlStreamDecoder implements MessageDecoder<XmlEvent, XmlStream> {
    private List<XmlEvent> events = new ArrayList<>();
    private int depth;

    public XmlStreamDecoder() {}

    @Override
    public void decode(XmlEvent event, Consumer<? super XmlStream> out) {
        switch (event) {
            case XmlEvent.Declaration _ -> {}
            case XmlEvent.Comment _ -> throw XmlException.restricted("comment (expected: none)");
            case XmlEvent.Instruction _ ->
                    throw XmlException.restricted("instruction (expected: none)");
            case XmlEvent.Text text -> {
                if (depth > 1) {
                    events.add(text);
                } else if (!isSpace(text.text())) {
                    throw new XmlException("text between stanzas (expected: white space)");
                }
            }
            case XmlEvent.StartElement start -> {
                if (depth++ == 0) {
                    out.accept(new XmlStream.Opened(start));
                } else {
                    events.add(start);
                }
            }
            case XmlEvent.EndElement end -> end(end, out);
        }
    }

    /// Tells if `text` is white space of XML, which is not all that Unicode has.
    private static boolean isSpace(String text) {
        return text.chars().allMatch(c -> c < 0x80 && XmlBytes.isSpace((byte) c));
    }

    private void end(XmlEvent.EndElement end, Consumer<? super XmlStream> out) {
        depth--;
        if (depth == 0) {
            out.accept(new XmlStream.Closed());
            return;
        }
        events.add(end);
        if (depth == 1) {
            XmlStream.Stanza stanza = new XmlStream.Stanza(events);
            events = new ArrayList<>();
            out.accept(stanza);
        }
    }

    @Override
    public void end(Consumer<? super XmlStream> out) {
        if (depth > 0) {
            throw new PrematureEndException("a stream");
        }
    }
}
