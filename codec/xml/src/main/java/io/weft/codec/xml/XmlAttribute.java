package io.weft.codec.xml;

/// An attribute, without its references.
public record XmlAttribute(XmlName name, String value) {
    /// @throws IllegalArgumentException when the value holds a character that XML does not have
    public XmlAttribute {
        XmlText.requireChars("value", value);
    }

    /// An attribute without a namespace.
    public static XmlAttribute of(String name, String value) {
        return new XmlAttribute(XmlName.of(name), value);
    }
}
