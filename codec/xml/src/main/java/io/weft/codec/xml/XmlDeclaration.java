package io.weft.codec.xml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The grammar of the declaration at the beginning of a document (XML 1.0, 2.8).
final class XmlDeclaration {
    private static final String EQUALS = "[ \t\r\n]*+=[ \t\r\n]*+";

    private static final Pattern GRAMMAR =
            Pattern.compile(
                    attribute("version", "1\\.[0-9]++")
                            + "(?:"
                            + attribute("encoding", "[A-Za-z][A-Za-z0-9._-]*+")
                            + ")?(?:"
                            + attribute("standalone", "yes|no")
                            + ")?[ \t\r\n]*+");

    private XmlDeclaration() {}

    private static String attribute(String name, String value) {
        return "[ \t\r\n]++" + name + EQUALS + "(?:'(" + value + ")'|\"(" + value + ")\")";
    }

    /// Reads what stands between `<?xml` and `?>`.
    static XmlEvent.Declaration parse(String text) {
        Matcher matcher = GRAMMAR.matcher(text);
        if (!matcher.matches()) {
            throw new XmlException("declaration: malformed (expected: version and encoding)");
        }
        String version = either(matcher, 1);
        try {
            return new XmlEvent.Declaration(version == null ? "" : version, either(matcher, 3));
        } catch (IllegalArgumentException e) {
            throw XmlException.malformed(e);
        }
    }

    private static @Nullable String either(Matcher matcher, int group) {
        String one = matcher.group(group);
        return one == null ? matcher.group(group + 1) : one;
    }
}
