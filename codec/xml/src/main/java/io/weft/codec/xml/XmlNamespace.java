package io.weft.codec.xml;

/// A declaration of a namespace.
///
/// @param prefix empty for the default namespace
/// @param uri empty to undeclare the default namespace
public record XmlNamespace(String prefix, String uri) {
    /// @throws IllegalArgumentException when the prefix is no name
    public XmlNamespace {
        if (!prefix.isEmpty()) {
            XmlText.requireName("prefix", prefix);
        }
        XmlText.requireChars("uri", uri);
    }
}
