package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.weft.codec.LimitExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads whole tags, and keeps the elements that are open and their namespaces.
final class XmlTags {
    /// Length of values that are kept for the next tag.
    private static final int SHORT = 32;

    private static final XmlName UNBOUND = XmlName.of("unbound");

    private final XmlLimits limits;
    private final XmlNames names;
    private final StringBuilder value = new StringBuilder();

    // Of the elements that are open.
    private XmlNames.Tag[] tags = new XmlNames.Tag[4];
    private XmlNames.Bound[] bounds = new XmlNames.Bound[4];
    private int[] declared = new int[4];
    private int depth;

    /// Prefixes that were declared, outermost first, and what they stood for before.
    private XmlNames.Prefix[] prefixes = new XmlNames.Prefix[4];

    private @Nullable String[] before = new @Nullable String[4];
    private int declarations;

    // Of the tag that is read.
    private XmlNames.@Nullable Tag element;
    private XmlNames.Tag[] attributes = new XmlNames.Tag[4];
    private XmlAttribute[] read = new XmlAttribute[4];
    private int count;
    private final ArrayList<XmlNamespace> namespaces = new ArrayList<>(1);

    /// Number of this tag.
    private long serial;

    /// Counted for the stanza since the last tag.
    private long counted;

    XmlTags(XmlLimits limits, XmlNames names) {
        this.limits = limits;
        this.names = names;
    }

    int depth() {
        return depth;
    }

    /// Characters and overhead of the last tag.
    long counted() {
        return counted;
    }

    private static XmlException malformed(String what, String expected) {
        return new XmlException(what + " (expected: " + expected + ")");
    }

    private static int skipSpaces(byte[] in, int from, int to) {
        int i = from;
        while (i < to && XmlBytes.isSpace(in[i])) {
            i++;
        }
        return i;
    }

    private static int endOfName(byte[] in, int from, int to) {
        int i = from;
        while (i < to && XmlBytes.isName(in[i])) {
            i++;
        }
        if (i == from) {
            throw malformed("tag: no name", "a name");
        }
        return i;
    }

    /// Reads the start tag in [from, to), which is what stands between `<` and `>` or `/>`.
    XmlEvent.StartElement start(byte[] in, int from, int to) {
        begin();
        int end = endOfName(in, from, to);
        element = names.tag(in, from, end);
        attributes(in, end, to);
        return start();
    }

    private void begin() {
        serial++;
        count = 0;
        counted = 0;
        if (!namespaces.isEmpty()) {
            namespaces.clear();
        }
    }

    /// Reads the start tag behind the `<` at `from`, if it is whole and plain: of names that were
    /// seen, and values without references. That takes one pass. What it reads counts for nothing
    /// until [#start()].
    ///
    /// @return the index of its `>`, or -1 if it has to be read in two passes
    int readPlain(byte[] in, int from, int to) {
        begin();
        int i = XmlBytes.endOfPlainName(in, from, to);
        XmlNames.Tag tag = i == from ? null : names.known(in, from, i);
        if (tag == null) {
            return -1;
        }
        element = tag;
        while (true) {
            int start = skipSpaces(in, i, to);
            int next = to - start < 2 ? 0 : in[start];
            if (next == '>') {
                return start;
            }
            if (next == '/') {
                return in[start + 1] == '>' ? start + 1 : -1;
            }
            int end = start == i ? start : XmlBytes.endOfPlainName(in, start, to);
            tag = end == start || to - end < 3 ? null : names.known(in, start, end);
            byte quote = tag == null || in[end] != '=' ? 0 : in[end + 1];
            if (tag == null || tag.seen == serial || (quote != '"' && quote != '\'')) {
                return -1;
            }
            int close = XmlBytes.endOfPlainValue(in, end + 2, to);
            if (close == to || in[close] != quote) {
                return -1;
            }
            if (count + namespaces.size() == limits.attributes()) {
                return -1;
            }
            tag.seen = serial;
            if (tag.declares) {
                XmlNamespace known = tag.declared;
                if (known == null || !XmlBytes.is(in, end + 2, close, known.uri())) {
                    return -1;
                }
                namespaces.add(known);
            } else {
                add(tag, attribute(tag, in, end + 2, close, close));
            }
            i = close + 1;
        }
    }

    /// Begins the element that was read.
    XmlEvent.StartElement start() {
        if (depth == limits.depth()) {
            throw new LimitExceededException("depth", depth + 1L, limits.depth());
        }
        int first = declarations;
        for (int i = 0; i < namespaces.size(); i++) {
            declare(namespaces.get(i));
        }
        XmlNames.Tag tag = requireNonNull(element);
        XmlNames.Bound bound = bind(tag, tag.prefix);
        counted = bound.counted;
        XmlEvent.StartElement event =
                count == 0 && namespaces.isEmpty()
                        ? bound.start
                        : new XmlEvent.StartElement(
                                bound.name, listOfAttributes(), listOfNamespaces());
        if (counted > limits.stanza()) {
            throw new LimitExceededException(
                    "characters of a stanza", limits.stanza() + 1, limits.stanza());
        }
        push(tag, bound, first);
        return event;
    }

    private void push(XmlNames.Tag tag, XmlNames.Bound bound, int firstDeclaration) {
        if (depth == tags.length) {
            tags = Arrays.copyOf(tags, 2 * depth);
            bounds = Arrays.copyOf(bounds, 2 * depth);
            declared = Arrays.copyOf(declared, 2 * depth);
        }
        tags[depth] = tag;
        bounds[depth] = bound;
        declared[depth] = firstDeclaration;
        depth++;
    }

    /// Reads the end tag in [from, to), which is what stands between `</` and `>`.
    XmlEvent.EndElement end(byte[] in, int from, int to) {
        int end = to;
        while (end > from && XmlBytes.isSpace(in[end - 1])) {
            end--;
        }
        if (depth == 0 || !tags[depth - 1].is(in, from, end)) {
            throw malformed("end tag: of another element", "of the last that is open");
        }
        return end();
    }

    /// Ends the innermost element.
    XmlEvent.EndElement end() {
        depth--;
        XmlNames.Bound bound = bounds[depth];
        counted = bound.counted;
        while (declarations > declared[depth]) {
            declarations--;
            prefixes[declarations].uri = before[declarations];
        }
        return bound.end;
    }

    private void attributes(byte[] in, int from, int to) {
        int i = from;
        while (i < to) {
            int start = skipSpaces(in, i, to);
            if (start == to) {
                return;
            }
            if (start == i) {
                throw malformed("tag: no space before an attribute", "white space");
            }
            int end = endOfName(in, start, to);
            XmlNames.Tag tag = names.tag(in, start, end);
            if (tag.seen == serial) {
                throw malformed("attribute: twice", "once");
            }
            tag.seen = serial;
            int equals = skipSpaces(in, end, to);
            if (equals == to || in[equals] != '=') {
                throw malformed("attribute: no value", "'=' and a value");
            }
            int quote = skipSpaces(in, equals + 1, to);
            byte q = quote == to ? 0 : in[quote];
            if (q != '"' && q != '\'') {
                throw malformed("attribute: no value", "a value in quotes");
            }
            int plain = XmlBytes.endOfPlainValue(in, quote + 1, to);
            int close = XmlBytes.indexOf(in, q, plain, to);
            if (close < 0) {
                throw malformed("attribute: no value", "a value in quotes");
            }
            if (count + namespaces.size() == limits.attributes()) {
                throw new LimitExceededException(
                        "attributes", limits.attributes() + 1L, limits.attributes());
            }
            if (tag.declares) {
                namespaces.add(declared(tag, in, quote + 1, close));
            } else {
                add(tag, attribute(tag, in, quote + 1, plain, close));
            }
            i = close + 1;
        }
    }

    /// The attribute whose value is in [from, to), plain up to `plain`. If its name has a prefix,
    /// the namespace may be declared later in the tag, so the name is none.
    private XmlAttribute attribute(XmlNames.Tag tag, byte[] in, int from, int plain, int to) {
        XmlAttribute last = tag.last;
        if (plain == to && last != null && XmlBytes.is(in, from, to, last.value())) {
            return last;
        }
        String text =
                plain == to ? new String(in, from, to - from, ISO_8859_1) : value(in, from, to);
        if (tag.prefix != names.none) {
            return new XmlAttribute(UNBOUND, text);
        }
        // An attribute without a prefix is in no namespace.
        XmlAttribute made = new XmlAttribute(names.bound(tag, "").name, text);
        tag.last = plain == to && to - from <= SHORT ? made : null;
        return made;
    }

    private void add(XmlNames.Tag tag, XmlAttribute attribute) {
        if (count == read.length) {
            attributes = Arrays.copyOf(attributes, 2 * count);
            read = Arrays.copyOf(read, 2 * count);
        }
        attributes[count] = tag;
        read[count] = attribute;
        count++;
    }

    private XmlNamespace declared(XmlNames.Tag tag, byte[] in, int from, int to) {
        XmlNamespace known = tag.declared;
        if (known == null || !XmlBytes.is(in, from, to, known.uri())) {
            known = declaration(tag, value(in, from, to));
            tag.declared = known;
        }
        return known;
    }

    private void declare(XmlNamespace namespace) {
        XmlNames.Prefix prefix =
                namespace.prefix().isEmpty() ? names.none : names.prefix(namespace.prefix());
        if (declarations == prefixes.length) {
            prefixes = Arrays.copyOf(prefixes, 2 * declarations);
            before = Arrays.copyOf(before, 2 * declarations);
        }
        prefixes[declarations] = prefix;
        before[declarations] = prefix.uri;
        declarations++;
        prefix.uri = namespace.uri();
    }

    /// Namespaces in XML 1.0, sections 3 and 5.
    private XmlNamespace declaration(XmlNames.Tag tag, String uri) {
        names.requireLength(uri.length());
        String prefix = tag.prefix == names.none ? "" : tag.local;
        if (uri.isEmpty() && !prefix.isEmpty()) {
            throw malformed("namespace of a prefix: empty", "some");
        }
        boolean reserved = uri.equals(XmlNames.XMLNS) || prefix.equals("xmlns");
        if (reserved || uri.equals(XmlNames.XML) != prefix.equals("xml")) {
            throw malformed("namespace: reserved", "xml and xmlns as they are");
        }
        return new XmlNamespace(prefix, uri);
    }

    private XmlNames.Bound bind(XmlNames.Tag tag, XmlNames.Prefix prefix) {
        String uri = prefix.uri;
        if (uri == null || prefix == names.xmlns) {
            throw malformed("prefix: not declared", "a declared one");
        }
        return names.bound(tag, uri);
    }

    private List<XmlNamespace> listOfNamespaces() {
        for (int i = 0; i < namespaces.size(); i++) {
            XmlNamespace n = namespaces.get(i);
            counted += XmlLimits.OVERHEAD + n.prefix().length() + n.uri().length();
        }
        return switch (namespaces.size()) {
            case 0 -> List.of();
            case 1 -> List.of(namespaces.getFirst());
            default -> List.copyOf(namespaces);
        };
    }

    private List<XmlAttribute> listOfAttributes() {
        return switch (count) {
            case 0 -> List.of();
            case 1 -> List.of(attribute(0));
            case 2 -> distinct(List.of(attribute(0), attribute(1)));
            case 3 -> distinct(List.of(attribute(0), attribute(1), attribute(2)));
            default -> {
                XmlAttribute[] all = new XmlAttribute[count];
                for (int i = 0; i < count; i++) {
                    all[i] = attribute(i);
                }
                yield distinct(List.of(all));
            }
        };
    }

    private XmlAttribute attribute(int index) {
        XmlNames.Tag tag = attributes[index];
        XmlAttribute attribute = read[index];
        XmlNames.Bound bound =
                tag.prefix == names.none ? names.bound(tag, "") : bind(tag, tag.prefix);
        counted += (long) bound.counted + attribute.value().length();
        return attribute.name() == bound.name
                ? attribute
                : new XmlAttribute(bound.name, attribute.value());
    }

    /// Requires that no two attributes have one name by different prefixes.
    private List<XmlAttribute> distinct(List<XmlAttribute> all) {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i && attributes[i].prefix != names.none; j++) {
                if (attributes[j].prefix != names.none
                        && all.get(i)
                                .name()
                                .is(all.get(j).name().namespace(), all.get(j).name().local())) {
                    throw malformed("attribute: twice", "once");
                }
            }
        }
        return all;
    }

    /// The value in [from, to), normalized (XML 1.0, 3.3.3).
    private String value(byte[] in, int from, int to) {
        int i = from;
        while (i < to && in[i] >= ' ' && in[i] != '&') {
            i++;
        }
        if (i == to) {
            return new String(in, from, to - from, ISO_8859_1);
        }
        value.setLength(0);
        for (i = from; i < to; ) {
            byte b = in[i];
            if (b == '&') {
                int end = XmlBytes.indexOf(in, (byte) ';', i, to);
                if (end < 0) {
                    throw malformed("reference: no end", "';'");
                }
                value.appendCodePoint(XmlBytes.reference(in, i + 1, end));
                i = end + 1;
            } else if (b < 0) {
                int end = XmlBytes.endOfUnicode(in, i, to);
                if (end == i) {
                    throw malformed("value: a character that is cut", "UTF-8");
                }
                value.append(new String(in, i, end - i, UTF_8));
                i = end;
            } else if (b == '\r' && i + 1 < to && in[i + 1] == '\n') {
                i++;
            } else {
                value.append((char) requireSpaceOrMore(b));
                i++;
            }
        }
        return value.toString();
    }

    private static int requireSpaceOrMore(byte b) {
        if (b < ' ' && !XmlBytes.isSpace(b)) {
            throw malformed("byte 0x" + Integer.toHexString(b), "a character of XML");
        }
        return Math.max(b, ' ');
    }
}
