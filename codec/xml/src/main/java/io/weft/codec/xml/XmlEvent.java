package io.weft.codec.xml;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a document. Each is valid by its type, so that no text becomes a tag.
public sealed interface XmlEvent {
    /// The declaration at the beginning, which need not be there.
    ///
    /// @param encoding null, or UTF-8 or US-ASCII: others are refused
    record Declaration(String version, @Nullable String encoding) implements XmlEvent {
        public Declaration {
            if (!version.equals("1.0") && !version.equals("1.1")) {
                throw new IllegalArgumentException(
                        "version: " + XmlText.quote(version) + " (expected: 1.0 or 1.1)");
            }
            if (encoding != null && !isKnown(encoding)) {
                throw new IllegalArgumentException(
                        "encoding: " + XmlText.quote(encoding) + " (expected: UTF-8 or US-ASCII)");
            }
        }

        private static boolean isKnown(String encoding) {
            return encoding.equalsIgnoreCase("UTF-8") || encoding.equalsIgnoreCase("US-ASCII");
        }
    }

    /// The beginning of an element; an empty one is followed by its end too.
    ///
    /// @param namespaces declared by it, see [XmlEncoder] for those of names
    record StartElement(XmlName name, List<XmlAttribute> attributes, List<XmlNamespace> namespaces)
            implements XmlEvent {
        public StartElement {
            attributes = List.copyOf(attributes);
            namespaces = List.copyOf(namespaces);
        }

        /// An element without declarations.
        public static StartElement of(XmlName name, XmlAttribute... attributes) {
            return new StartElement(name, List.of(attributes), List.of());
        }

        /// The value of an attribute without a namespace; null if there is none.
        public @Nullable String attribute(String local) {
            for (XmlAttribute attribute : attributes) {
                if (attribute.name().is("", local)) {
                    return attribute.value();
                }
            }
            return null;
        }
    }

    /// The end of an element.
    record EndElement(XmlName name) implements XmlEvent {}

    /// Text between tags, whole, with CDATA sections in it. [XmlEncoder] refuses characters that
    /// XML does not have.
    record Text(String text) implements XmlEvent {
        public Text {
            requireNonNull(text);
        }
    }

    /// A comment.
    record Comment(String text) implements XmlEvent {
        public Comment {
            XmlText.requireChars("comment", text);
            if (text.contains("--") || text.endsWith("-")) {
                throw new IllegalArgumentException("comment: '--' (expected: none)");
            }
        }
    }

    /// A processing instruction.
    record Instruction(String target, String data) implements XmlEvent {
        public Instruction {
            XmlText.requireName("target", target);
            XmlText.requireChars("data", data);
            if (data.contains("?>") || target.equalsIgnoreCase("xml")) {
                throw new IllegalArgumentException("instruction: '?>', or xml (expected: another)");
            }
        }
    }
}
