package io.weft.codec.xml;

/// A name of an element or an attribute.
///
/// @param namespace its URI, empty for none
/// @param prefix empty for none
/// @param local the name behind the prefix
public record XmlName(String namespace, String prefix, String local) {
    /// @throws IllegalArgumentException when a part is no name, or the namespace holds a control
    public XmlName {
        XmlText.requireChars("namespace", namespace);
        if (!prefix.isEmpty()) {
            XmlText.requireName("prefix", prefix);
        }
        XmlText.requireName("name", local);
    }

    /// A name without namespace and prefix.
    public static XmlName of(String local) {
        return new XmlName("", "", local);
    }

    /// A name in a namespace, without a prefix.
    public static XmlName of(String namespace, String local) {
        return new XmlName(namespace, "", local);
    }

    /// Tells if it is this name, whatever its prefix.
    public boolean is(String otherNamespace, String otherLocal) {
        return namespace.equals(otherNamespace) && local.equals(otherLocal);
    }

    /// As in a tag.
    String tag() {
        return prefix.isEmpty() ? local : prefix + ":" + local;
    }
}
