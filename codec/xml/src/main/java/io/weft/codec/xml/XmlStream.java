package io.weft.codec.xml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a stream that is one long document, as that of XMPP (RFC 6120, 4.1): its root, the
/// root's children whole, and its end.
public sealed interface XmlStream {
    /// The beginning of the root.
    record Opened(XmlEvent.StartElement root) implements XmlStream {}

    /// A child of the root.
    ///
    /// @param events from its beginning to its end
    record Stanza(List<XmlEvent> events) implements XmlStream {
        /// @throws IllegalArgumentException unless the first event begins an element
        public Stanza {
            events = List.copyOf(events);
            if (events.isEmpty() || !(events.getFirst() instanceof XmlEvent.StartElement)) {
                throw new IllegalArgumentException(
                        "events: no element (expected: a whole element)");
            }
        }

        /// Its first event.
        public XmlEvent.StartElement element() {
            return (XmlEvent.StartElement) events.getFirst();
        }

        /// The text of its first child of this name, without that of children in it; null if there
        /// is no such child.
        public @Nullable String childText(String local) {
            StringBuilder text = null;
            int depth = 0;
            for (XmlEvent event : events) {
                switch (event) {
                    case XmlEvent.StartElement start -> {
                        if (++depth == 2 && start.name().local().equals(local)) {
                            text = new StringBuilder();
                        }
                    }
                    case XmlEvent.EndElement _ -> {
                        if (depth-- == 2 && text != null) {
                            return text.toString();
                        }
                    }
                    case XmlEvent.Text t -> {
                        if (text != null && depth == 2) {
                            text.append(t.text());
                        }
                    }
                    default -> {}
                }
            }
            return null;
        }
    }

    /// The end of the root.
    record Closed() implements XmlStream {}
}
