package io.weft.codec.dns;

import java.net.IDN;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A domain name, absolute: labels of 1 to 63 octets, 255 octets at most with their lengths and the
/// root's. Immutable.
///
/// Names are equal as RFC 4343 has it, without regard to the case of ASCII letters; what was
/// written is kept, see [#equalsExactly]. The order is the canonical one of RFC 4034, 6.1.
public final class DnsName implements Comparable<DnsName> {
    /// Octets of a name, with the length of each label and of the root.
    public static final int MAX_LENGTH = 255;

    /// Octets of a label.
    public static final int MAX_LABEL = 63;

    /// The name without labels.
    public static final DnsName ROOT = new DnsName(new byte[1], 0, 1);

    private final byte[] array;
    private final int offset;
    private final int length;

    /// 0: not computed yet.
    private int hash;

    /// Shares `length` octets of `array` that are a name without pointers; they must not be written
    /// to from now on.
    DnsName(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /// Reads a name as master files have it: labels with a dot between them and perhaps behind the
    /// last, `\.` and the like for a character without its meaning, `\DDD` for any octet.
    ///
    /// @throws IllegalArgumentException unless it is a name in ASCII
    public static DnsName parse(String text) {
        return NameText.parse(text, ROOT);
    }

    /// As above; a name without a dot at its end goes on with `origin`, and `@` is `origin`.
    ///
    /// @throws IllegalArgumentException unless it is a name in ASCII
    public static DnsName parse(String text, DnsName origin) {
        return text.equals("@") ? origin : NameText.parse(text, origin);
    }

    /// A name with letters of any script, which become ASCII as IDNA 2003 has it for queries (RFC
    /// 3490, by [IDN]): letters that are younger are taken as they are.
    ///
    /// @throws IllegalArgumentException unless it is such a name
    public static DnsName ofUnicode(String text) {
        return parse(isAscii(text) ? text : ascii(text));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /// By [IDN], whose messages do not tell the name. They follow it here.
    private static String ascii(String text) {
        try {
            return IDN.toASCII(text, IDN.ALLOW_UNASSIGNED);
        } catch (IllegalArgumentException e) {
            String start = text.length() > 60 ? text.substring(0, 60) + "..." : text;
            throw new IllegalArgumentException(
                    "name: "
                            + start.replaceAll("\\p{Cntrl}", "?")
                            + ": "
                            + e.getMessage()
                            + " (expected: a name of IDNA)",
                    e);
        }
    }

    /// The name of these labels, the leftmost first.
    ///
    /// @throws IllegalArgumentException when one has no octets or more than 63, or all are too many
    public static DnsName of(List<Octets> labels) {
        byte[] wire = new byte[MAX_LENGTH];
        int at = 0;
        for (Octets label : labels) {
            int n = label.length();
            if (n == 0 || n > MAX_LABEL) {
                throw new IllegalArgumentException(
                        "label octets: " + n + " (expected: 1 to " + MAX_LABEL + ")");
            }
            requireLength(at + n + 2);
            wire[at] = (byte) n;
            label.copyTo(wire, at + 1);
            at += n + 1;
        }
        return at == 0 ? ROOT : new DnsName(Arrays.copyOf(wire, at + 1), 0, at + 1);
    }

    static void requireLength(int octets) {
        if (octets > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "name octets: " + octets + " (expected: at most " + MAX_LENGTH + ")");
        }
    }

    /// Octets of this name on the wire, uncompressed: 1 to 255.
    public int length() {
        return length;
    }

    public boolean isRoot() {
        return length == 1;
    }

    /// Tells if the leftmost label is `*`.
    public boolean isWildcard() {
        return length > 2 && array[offset] == 1 && array[offset + 1] == '*';
    }

    /// The labels, the leftmost first, without the root's.
    public List<Octets> labels() {
        List<Octets> labels = new ArrayList<>();
        for (int at = offset; array[at] != 0; at += array[at] + 1) {
            labels.add(new Octets(array, at + 1, array[at]));
        }
        return List.copyOf(labels);
    }

    /// Returns the number of labels, without the root's: 0 to 127.
    public int labelCount() {
        int count = 0;
        for (int at = offset; array[at] != 0; at += array[at] + 1) {
            count++;
        }
        return count;
    }

    /// This name without its leftmost label; null for the root.
    public @Nullable DnsName parent() {
        if (isRoot()) {
            return null;
        }
        int label = array[offset] + 1;
        return new DnsName(array, offset + label, length - label);
    }

    /// Tells if this name is `other`, or below it.
    public boolean isWithin(DnsName other) {
        int skip = length - other.length;
        if (skip < 0) {
            return false;
        }
        int at = offset;
        while (at - offset < skip) {
            at += array[at] + 1;
        }
        return at - offset == skip
                && sameLetters(array, at, other.array, other.offset, other.length);
    }

    /// This name in front of `suffix`.
    ///
    /// @throws IllegalArgumentException when that is too long
    public DnsName append(DnsName suffix) {
        int all = length - 1 + suffix.length;
        requireLength(all);
        byte[] wire = Arrays.copyOfRange(array, offset, offset + all);
        System.arraycopy(array, offset, wire, 0, length - 1);
        suffix.copyTo(wire, length - 1);
        return new DnsName(wire, 0, all);
    }

    /// This name with ASCII letters in lower case.
    public DnsName toLowerCase() {
        byte[] wire = new byte[length];
        for (int i = 0; i < length; i++) {
            wire[i] = lower(array[offset + i]);
        }
        return new DnsName(wire, 0, length);
    }

    /// This name with the case of each ASCII letter chosen anew, from the left to the right: the
    /// spellings of RFC 4343 that a resolver tells its responses by (0x20).
    ///
    /// @param upper tells if the next letter is in upper case
    public DnsName withCase(BooleanSupplier upper) {
        byte[] wire = Arrays.copyOfRange(array, offset, offset + length);
        for (int i = 0; i < length; i++) {
            int letter = wire[i] | 0x20; // lengths of labels are below the letters
            if (letter >= 'a' && letter <= 'z') {
                wire[i] = (byte) (upper.getAsBoolean() ? letter & ~0x20 : letter);
            }
        }
        return new DnsName(wire, 0, length);
    }

    /// The octets of this name on the wire, uncompressed.
    public Octets octets() {
        return new Octets(array, offset, length);
    }

    byte[] array() {
        return array;
    }

    int offset() {
        return offset;
    }

    void copyTo(byte[] to, int at) {
        System.arraycopy(array, offset, to, at, length);
    }

    /// Label lengths are below the letters, so octets need not be told apart.
    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    private static boolean sameLetters(byte[] a, int at, byte[] b, int bt, int length) {
        if (Arrays.equals(a, at, at + length, b, bt, bt + length)) {
            return true;
        }
        for (int i = 0; i < length; i++) {
            if (lower(a[at + i]) != lower(b[bt + i])) {
                return false;
            }
        }
        return true;
    }

    /// Tells if both are the same octets, letters in the same case.
    public boolean equalsExactly(DnsName other) {
        return Arrays.equals(
                array,
                offset,
                offset + length,
                other.array,
                other.offset,
                other.offset + other.length);
    }

    @Override
    public boolean equals(Object o) {
        return o == this
                || (o instanceof DnsName other
                        && length == other.length
                        && sameLetters(array, offset, other.array, other.offset, length));
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            for (int i = offset; i < offset + length; i++) {
                h = 31 * h + lower(array[i]);
            }
            hash = h;
        }
        return h;
    }

    /// Compares in canonical order (RFC 4034, 6.1): label by label from the right, as octets in
    /// lower case.
    @Override
    public int compareTo(DnsName other) {
        int[] mine = starts();
        int[] others = other.starts();
        int common = Math.min(mine.length, others.length);
        for (int i = 1; i <= common; i++) {
            int c = compareLabels(mine[mine.length - i], other, others[others.length - i]);
            if (c != 0) {
                return c;
            }
        }
        return Integer.compare(mine.length, others.length);
    }

    private int[] starts() {
        int[] starts = new int[labelCount()];
        int at = offset;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = at;
            at += array[at] + 1;
        }
        return starts;
    }

    private int compareLabels(int at, DnsName other, int bt) {
        int n = Math.min(array[at], other.array[bt]);
        for (int i = 1; i <= n; i++) {
            int c = (lower(array[at + i]) & 0xFF) - (lower(other.array[bt + i]) & 0xFF);
            if (c != 0) {
                return c;
            }
        }
        return array[at] - other.array[bt];
    }

    /// The name with letters of all scripts; labels that are no IDNA stay as [#toString()] has
    /// them.
    public String toUnicode() {
        return IDN.toUnicode(toString(), IDN.ALLOW_UNASSIGNED);
    }

    /// As master files have it, with a dot at its end.
    @Override
    public String toString() {
        return NameText.print(array, offset);
    }
}
