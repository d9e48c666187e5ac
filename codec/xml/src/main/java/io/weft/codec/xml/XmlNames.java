package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.LimitExceededException;
import java.util.Arrays;
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

        /// Declares a namespace, as an attribute.
        final boolean declares;

        /// The first eight bytes.
        private final long word;

        private final int hash;
        private @Nullable Tag next;

        /// In the namespace that it was in last.
        private @Nullable Bound bound;

        /// In each of its namespaces, if it has more than one.
        @Nullable Map<String, Bound> bounds;

        /// Its last declaration, if it declares a namespace.
        @Nullable XmlNamespace declared;

        /// The last attribute of this name, if it has no prefix and a short, plain value: most come
        /// again.
        @Nullable XmlAttribute last;

        /// Number of the last start tag that has it as an attribute.
        long seen;

        private Tag(
                Prefix prefix,
                String local,
                byte[] bytes,
                long word,
                int hash,
                @Nullable Tag next) {
            this.prefix = prefix;
            this.local = local;
            this.bytes = bytes;
            this.word = word;
            declares = prefix.name.isEmpty() ? local.equals("xmlns") : prefix.name.equals("xmlns");
            this.hash = hash;
            this.next = next;
        }

        /// Tells if the bytes [from, to) are this name. A word can be read behind them.
        boolean is(byte[] in, int from, int to) {
            return to - from == bytes.length && is(in, from, to, wordOf(in, from, to - from));
        }

        private boolean is(byte[] in, int from, int to, long first) {
            return first == word
                    && (bytes.length <= Long.BYTES
                            || Arrays.equals(
                                    in, from + Long.BYTES, to, bytes, Long.BYTES, bytes.length));
        }
    }

    /// A name in its namespace, and the events that are nothing but that name.
    static final class Bound {
        final XmlName name;
        final XmlEvent.StartElement start;
        final XmlEvent.EndElement end;

        /// Counted for a stanza wherever it stands.
        final int counted;

        private Bound(XmlName name) {
            this.name = name;
            counted =
                    XmlLimits.OVERHEAD
                            + name.namespace().length()
                            + name.prefix().length()
                            + name.local().length();
            start = new XmlEvent.StartElement(name, List.of(), List.of());
            end = new XmlEvent.EndElement(name);
        }
    }

    static final String XML = "http://www.w3.org/XML/1998/namespace";
    static final String XMLNS = "http://www.w3.org/2000/xmlns/";

    private static final int FIRST_SIZE = 16;

    /// Odd, and unknown to peers.
    private static final long[] FACTORS =
            ThreadLocalRandom.current().longs(128).map(f -> f | 1).toArray();

    private final XmlLimits limits;
    private final Map<String, Prefix> prefixes = new HashMap<>();
    private @Nullable Tag[] table = new @Nullable Tag[FIRST_SIZE];

    /// From a hash to the place in the table.
    private int shift = Integer.numberOfLeadingZeros(FIRST_SIZE - 1);

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

    /// The bytes from `from` on, eight at most.
    private static long wordOf(byte[] in, int from, int length) {
        long word = XmlWindow.word(in, from);
        return length >= Long.BYTES ? word : word & ((1L << (length << 3)) - 1);
    }

    /// The name of the bytes [from, to). A word can be read behind them.
    ///
    /// @throws XmlException if they are none
    Tag tag(byte[] in, int from, int to) {
        int length = to - from;
        long first = wordOf(in, from, length);
        int hash = (int) (hash(first, in, from, length) >>> 32);
        Tag known = find(in, from, to, first, hash);
        return known == null ? add(in, from, to, first, hash) : known;
    }

    /// As `tag`, but null for a name that has not been seen.
    @Nullable Tag known(byte[] in, int from, int to) {
        int length = to - from;
        long first = wordOf(in, from, length);
        return find(in, from, to, first, (int) (hash(first, in, from, length) >>> 32));
    }

    private @Nullable Tag find(byte[] in, int from, int to, long first, int hash) {
        int length = to - from;
        for (Tag t = table[hash >>> shift]; t != null; t = t.next) {
            if (t.hash == hash && t.bytes.length == length && t.is(in, from, to, first)) {
                return t;
            }
        }
        return null;
    }

    /// Sums words, each times a random factor of its place (Dietzfelbinger, "Universal hashing and
    /// k-wise independent random variables via integer arithmetic without primes", 1996). The upper
    /// bits are the good ones.
    private static long hash(long first, byte[] in, int from, int length) {
        long hash = first * FACTORS[0];
        for (int i = Long.BYTES; i < length; i += Long.BYTES) {
            long word = wordOf(in, from + i, length - i);
            hash += word * FACTORS[(i / Long.BYTES) & (FACTORS.length - 1)];
        }
        return hash;
    }

    private Tag add(byte[] in, int from, int to, long word, int hash) {
        if (to - from > 4L * limits.name()) {
            requireLength(to - from);
        }
        if (XmlBytes.endOfName(in, from, to) != to) {
            throw new XmlException("name: cut within a character (expected: UTF-8)");
        }
        String text = new String(in, from, to - from, UTF_8);
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
        byte[] bytes = Arrays.copyOfRange(in, from, to);
        int at = hash >>> shift;
        Tag tag = new Tag(prefix, local, bytes, word, hash, table[at]);
        table[at] = tag;
        return tag;
    }

    private void grow() {
        @Nullable Tag[] larger = new @Nullable Tag[2 * table.length];
        shift--;
        for (Tag first : table) {
            Tag next;
            for (Tag t = first; t != null; t = next) {
                next = t.next;
                int at = t.hash >>> shift;
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

    /// A name in a namespace. It is mostly the same one as before; a peer that changes it all the
    /// time does not make the search longer by each that it has used.
    Bound bound(Tag tag, String uri) {
        Bound last = tag.bound;
        if (last != null && last.name.namespace().equals(uri)) {
            return last;
        }
        Bound bound = tag.bounds == null ? null : tag.bounds.get(uri);
        if (bound == null) {
            count(++names);
            bound = new Bound(new XmlName(uri, tag.prefix.name, tag.local));
            if (last != null) {
                keep(tag, last, bound);
            }
        }
        tag.bound = bound;
        return bound;
    }

    private static void keep(Tag tag, Bound last, Bound bound) {
        Map<String, Bound> bounds = tag.bounds;
        if (bounds == null) {
            bounds = new HashMap<>();
            bounds.put(last.name.namespace(), last);
            tag.bounds = bounds;
        }
        bounds.put(bound.name.namespace(), bound);
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
