package io.weft.codec.xml;

/// Limits of the resources that a peer may use by its XML.
///
/// @param depth of elements in each other
/// @param attributes of an element, declarations of namespaces included
/// @param name characters of a name, or of a namespace
/// @param names different names of elements, attributes, prefixes and instructions in a document
/// @param token bytes of a tag, a comment or an instruction
/// @param text characters of a text, a comment or an instruction
/// @param stanza characters of names, values and texts in one child of the root, 16 for each of its
///     events and attributes included
/// @param total bytes of a document or stream
public record XmlLimits(
        int depth,
        int attributes,
        int name,
        int names,
        int token,
        int text,
        long stanza,
        long total) {
    /// Counted for each event and attribute, which take memory however short they are.
    static final int OVERHEAD = 16;

    public static final XmlLimits DEFAULT =
            new XmlLimits(64, 64, 1_024, 1_024, 65_536, 1_048_576, 4_194_304, 1L << 34);

    /// @throws IllegalArgumentException when one is not positive
    public XmlLimits {
        if (depth < 1 || attributes < 1 || name < 1 || names < 1 || token < 1 || text < 1) {
            throw new IllegalArgumentException(
                    "depth, attributes, name, names, token, text: "
                            + depth
                            + ", "
                            + attributes
                            + ", "
                            + name
                            + ", "
                            + names
                            + ", "
                            + token
                            + ", "
                            + text
                            + " (expected: each > 0)");
        }
        if (stanza < 1 || total < 1) {
            throw new IllegalArgumentException(
                    "stanza, total: " + stanza + ", " + total + " (expected: each > 0)");
        }
    }
}
