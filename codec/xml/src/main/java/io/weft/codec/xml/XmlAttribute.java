package io.weft.codec.xml;

import static java.util.Objects.requireNonNull;

/// An attribute, without its references. [XmlEncoder] refuses characters that XML does not have.
public record XmlAttribute(XmlName name, String value) {
    public XmlAttribute {
        requireNonNull(name);
        requireNonNull(value);
    }

    /// An attribute without a namespace.
    public static XmlAttribute of(String name, String value) {
        return new XmlAttribute(XmlName.of(name), value);
    }
}
