package io.weft.codec.xml;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The names that a document has used so far, each made and checked once: found by their bytes, so
/// that a name that was seen costs no memory. Their number is limited, and the hash is one that a
/// peer cannot know.
final class XmlNames {
    /// A prefix, and the namespace that it stands for at this place of the document.
    static final class Prefix {
        final String name;
        @Nullable String uri;

        private Prefix(String name, @Nullable String uri) {
            this.name = name;
            this.uri = uri;
        }
    }

    /// A name as it stands in tags.
    static final class Tag {
        final Prefix prefix;
        final String local;
        private final byte[] bytes;
        private final int hash;
        private @Nullable Tag next;
        private @Nullable Bound bound;

        /// Its last declaration, if it declares a namespace.
        @Nullable XmlNamespace declared;

        /// Number of the last start tag that has it as an attribute.
        long seen;

        private Tag(Prefix prefix, String local, byte[] bytes, int hash, @Nullable Tag next) {
            this.prefix = prefix;
            this.local = local;
            this.bytes = bytes;
            this.hash = hash;
            this.next = next;
        }

        boolean is(Buffer in, int from, int to) {
            boolean same = to - from == bytes.length;
            for (int i = 0; same && i < bytes.length; i++) {
                same = in.getByte(from + i) == bytes[i];
            }
            return same;
        }

        /// `xmlns` alone, which declares the default namespace.
        boolean declaresDefault() {
            return prefix.name.isEmpty() && local.equals("xmlns");
        }
    }

    /// A name in its namespace, and the events that are nothing but that name.
    static final class Bound {
        final XmlName name;
        final XmlEvent.StartElement start;
        final XmlEvent.EndElement end;
        private final @Nullable Bound next;

        private Bound(XmlName name, @Nullable Bound next) {
            this.name = name;
            this.next = next;
            start = new XmlEvent.StartElement(name, List.of(), List.of());
            end = new XmlEvent.EndElement(name);
        }
    }

    static final String XML = "http://www.w3.org/XML/1998/namespace";
    static final String XMLNS = "http://www.w3.org/2000/xmlns/";

    private static final int FIRST_SIZE = 16;

    private final XmlLimits limits;
    private final Map<String, Prefix> prefixes = new HashMap<>();
    private final long factor = ThreadLocalRandom.current().nextLong() | 1;
    private @Nullable Tag[] table = new @Nullable Tag[FIRST_SIZE];
    private int tags;
    private int names;

    final Prefix none = new Prefix("", "");
    final Prefix xmlns = new Prefix("xmlns", XMLNS);

    XmlNames(XmlLimits limits) {
        this.limits = limits;
        prefixes.put("", none);
        prefixes.put("xmlns", xmlns);
        prefixes.put("xml", new Prefix("xml", XML));
    }

    /// The name of the bytes [from, to).
    ///
    /// @throws XmlException if they are none
    Tag tag(Buffer in, int from, int to) {
        long hash = 0;
        for (int i = from; i < to; i++) {
            hash = (hash + in.getByte(i)) * factor;
        }
        int high = (int) (hash >>> 32);
        for (Tag t = table[high & (table.length - 1)]; t != null; t = t.next) {
            if (t.hash == high && t.is(in, from, to)) {
                return t;
            }
        }
        return add(in, from, to, high);
    }

    private Tag add(Buffer in, int from, int to, int hash) {
        if (to - from > 4L * limits.name()) {
            requireLength(to - from);
        }
        if (XmlBytes.endOfName(in, from, to) != to) {
            throw new XmlException("name: cut within a character (expected: UTF-8)");
        }
        String text = in.getString(from, to - from, StandardCharsets.UTF_8);
        requireLength(text.length());
        int colon = text.indexOf(':');
        if (colon == 0) {
            throw new XmlException("name: begins with ':' (expected: a prefix before it)");
        }
        Prefix prefix = colon < 0 ? none : prefix(text.substring(0, colon));
        String local = text.substring(colon + 1);
        requireName(local);
        count(tags + 1L);
        if (tags == table.length) {
            grow();
        }
        tags++;
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        int at = hash & (table.length - 1);
        Tag tag = new Tag(prefix, local, bytes, hash, table[at]);
        table[at] = tag;
        return tag;
    }

    private void grow() {
        @Nullable Tag[] larger = new @Nullable Tag[2 * table.length];
        for (Tag first : table) {
            Tag next;
            for (Tag t = first; t != null; t = next) {
                next = t.next;
                int at = t.hash & (larger.length - 1);
                t.next = larger[at];
                larger[at] = t;
            }
        }
        table = larger;
    }

    private static void requireName(String name) {
        try {
            XmlText.requireName("name", name);
        } catch (IllegalArgumentException e) {
            throw XmlException.malformed(e);
        }
    }

    /// The prefix of this name.
    Prefix prefix(String name) {
        Prefix known = prefixes.get(name);
        if (known == null) {
            requireName(name);
            count(prefixes.size() + 1L);
            known = new Prefix(name, null);
            prefixes.put(name, known);
        }
        return known;
    }

    /// A name in a namespace.
    Bound bound(Tag tag, String uri) {
        for (Bound b = tag.bound; b != null; b = b.next) {
            if (b.name.namespace().equals(uri)) {
                return b;
            }
        }
        count(++names);
        Bound made = new Bound(new XmlName(uri, tag.prefix.name, tag.local), tag.bound);
        tag.bound = made;
        return made;
    }

    private void count(long number) {
        if (number > limits.names()) {
            throw new LimitExceededException("different names", number, limits.names());
        }
    }

    /// Requires that a name, or the name of a namespace, is no longer than is allowed.
    void requireLength(int length) {
        if (length > limits.name()) {
            throw new LimitExceededException("characters of a name", length, limits.name());
        }
    }
}
