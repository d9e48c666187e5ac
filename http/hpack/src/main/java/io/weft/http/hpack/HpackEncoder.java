package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Encodes the header blocks of one connection (RFC 7541), field by field; [#finish] writes a block
/// to the end of a buffer.
///
/// Fields go into the dynamic table unless their values seldom come again (a path, a length, a
/// date of change) or fill most of the table. Credentials are never indexed, on any hop (RFC 7541,
/// 7.1): `authorization`, `proxy-authorization`, cookies shorter than 20 bytes, which could be
/// guessed, and what the caller says is sensitive. Strings that go into the table are Huffman-coded
/// where that is shorter, others from a length on: [#huffmanFrom].
///
/// **Threads.** One at a time.
public final class HpackEncoder {
    private static final int SHORT_COOKIE = 20;
    private static final int HUFFMAN_FROM = 256;
    private static final int INDEX_LENGTH = 6;

    /// Length of values, up to which fields are remembered.
    private static final int MAX_MET = 128;

    /// Names, by their numbers, whose values differ from one message to the next and would push
    /// others out of the table.
    private static final boolean[] UNINDEXED = new boolean[128];

    static {
        for (HeaderName name :
                List.of(
                        HeaderName.CONTENT_LENGTH,
                        HeaderName.AGE,
                        HeaderName.ETAG,
                        HeaderName.IF_MODIFIED_SINCE,
                        HeaderName.IF_NONE_MATCH,
                        HeaderName.LAST_MODIFIED,
                        HeaderName.LOCATION,
                        HeaderName.CONTENT_RANGE,
                        HeaderName.RANGE,
                        HeaderName.SET_COOKIE,
                        HeaderName.TRACEPARENT,
                        HeaderName.X_REQUEST_ID)) {
            UNINDEXED[name.number()] = true;
        }
    }

    private static final int KEPT_BYTES = 4096;

    private final HpackLimits limits;
    private final EncoderTable table;

    /// The smallest size of the table since the last block (RFC 7541, 4.2).
    private int smallest;

    private boolean sizeChanged;

    /// Names that are not listed, and were encoded before.
    private final @Nullable HeaderName[] names = new HeaderName[32];

    private final MetFields met = new MetFields();

    /// Values of pseudo-header fields that were encoded, and where each is, as [MetFields] has it.
    private final @Nullable String[] pseudo = new String[PseudoHeader.values().length];

    private final long[] pseudoNumbers = new long[pseudo.length];

    /// The value being encoded.
    private byte[] value = new byte[128];

    /// Fields that are encoded and not written yet.
    private byte[] block = new byte[256];

    private int at;

    /// A field was refused within a block: the table has fields that the peer has not heard of.
    private boolean failed;

    private int huffmanFrom = HUFFMAN_FROM;

    public HpackEncoder(HpackLimits limits) {
        this.limits = limits;
        this.table = new EncoderTable(Math.min(HpackDecoder.INITIAL_TABLE, limits.encoderTable()));
        this.smallest = table.capacity();
        this.sizeChanged = smallest < HpackDecoder.INITIAL_TABLE;
    }

    /// Sets the size of the table that the peer allows: its SETTINGS_HEADER_TABLE_SIZE. Of that no
    /// more than [HpackLimits#encoderTable] is used. To be called between blocks; the next one
    /// begins with the size update.
    ///
    /// @param bytes at least 0; an unsigned setting beyond an int is `Integer.MAX_VALUE`
    public void tableSize(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("table size: " + bytes + " (expected: >= 0)");
        }
        int size = Math.min(bytes, limits.encoderTable());
        if (size != table.capacity()) {
            smallest = sizeChanged ? Math.min(smallest, size) : size;
            sizeChanged = true;
            table.capacity(size);
        }
    }

    /// Sets the length of strings, in bytes, from which those that go into no table are
    /// Huffman-coded where that is shorter. Coding saves a quarter of the bytes, and costs more
    /// time than all else. Default: 256.
    ///
    /// @param length 0 for all
    public void huffmanFrom(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length: " + length + " (expected: >= 0)");
        }
        huffmanFrom = length;
    }

    /// Encodes a pseudo-header field.
    ///
    /// @throws IllegalArgumentException when `text` has a character above U+00FF; behind another
    ///     field of its block that ends the encoder's use until [#discard]
    public void encode(PseudoHeader name, String text) {
        int slot = name.number;
        boolean met = text.equals(pseudo[slot]);
        int known = met ? index(pseudoNumbers[slot]) : 0;
        if (known != 0) {
            indexed(known);
            return;
        }
        if (met && isLiteral(name, text.length())) {
            literal(name, text);
            return;
        }
        int length = take(text);
        boolean index = name != PseudoHeader.PATH;
        int found = encode(name, name.field().length(), name.staticIndex, length, index, false);
        if (length <= MAX_MET) {
            pseudo[slot] = text;
            pseudoNumbers[slot] = found == 0 ? MetFields.NONE : number(found);
        }
    }

    /// Tells if a pseudo-header field that was met is certainly neither found in a table nor put
    /// there. It was in none before, so the static table does not have it.
    private boolean isLiteral(PseudoHeader name, int length) {
        return pseudoNumbers[name.number] == MetFields.NONE
                && length < huffmanFrom
                && !sizeChanged
                && name.staticIndex != 0
                && (name == PseudoHeader.PATH
                        || !fits(name.field().length() + length + HpackField.OVERHEAD));
    }

    /// Copies a pseudo-header field as it is.
    ///
    /// @param text that was met, so that it is known to have characters up to U+00FF only
    @SuppressWarnings("deprecation") // it drops the upper halves of characters, which are 0 here
    private void literal(PseudoHeader name, String text) {
        int length = text.length();
        more(length + HpackField.OVERHEAD);
        integer(0, 0x0F, name.staticIndex);
        integer(0, 0x7F, length);
        text.getBytes(0, length, block, at);
        at += length;
    }

    /// Writes a field of a table (RFC 7541, 6.1).
    private void indexed(int index) {
        more(INDEX_LENGTH);
        integer(0x80, 0x7F, index);
    }

    /// Encodes the pseudo-header field `:status`.
    public void status(int code) {
        int index =
                switch (code) {
                    case 200 -> 8;
                    case 204 -> 9;
                    case 206 -> 10;
                    case 304 -> 11;
                    case 400 -> 12;
                    case 404 -> 13;
                    case 500 -> 14;
                    default -> 0;
                };
        if (index == 0 || sizeChanged) {
            encode(PseudoHeader.STATUS, Integer.toString(code));
        } else {
            indexed(index);
        }
    }

    /// Encodes all fields of `headers`.
    public void encode(Headers headers) {
        int size = headers.size();
        for (int field = 0; field < size; field++) {
            encode(headers, field);
        }
    }

    /// Encodes one field of `headers`, without making text of it.
    ///
    /// @throws IndexOutOfBoundsException unless `field` is one of them
    public void encode(Headers headers, int field) {
        Headers.Field kept = headers.kept(field);
        if (kept != null) {
            encode(kept);
            return;
        }
        HeaderName name = headers.name(field, names);
        int length = headers.valueLength(field);
        int entry = StaticTable.indexOf(name);
        if (isCopied(name, entry, length)) {
            copied(name, entry, length);
            headers.copyValue(field, block, at);
            at += length;
            return;
        }
        room(length);
        headers.copyValue(field, value, 0);
        var _ = encode(name, entry, length, false);
    }

    /// Encodes a field that may come again as the same object.
    public void encode(Headers.Field field) {
        HeaderName name = field.name();
        int length = field.valueLength();
        // A table of no size remembers nothing but what the static table has, which is found at
        // once.
        boolean isMet = table.capacity() != 0 && length <= MAX_MET && isIndexed(name);
        int known = isMet ? index(met.number(field)) : 0;
        if (known != 0) {
            indexed(known);
            return;
        }
        int entry = StaticTable.indexOf(name);
        if (isCopied(name, entry, length)) {
            copied(name, entry, length);
            field.copyValue(block, at);
            at += length;
            return;
        }
        room(length);
        field.copyValue(value, 0);
        int index = encode(name, entry, length, false);
        if (isMet && index != 0) {
            met.put(field, number(index), table);
        }
    }

    private long number(int index) {
        return index <= StaticTable.LAST ? -index : table.number(index);
    }

    /// Returns the index of a field that was met and has this number, or 0.
    private int index(long number) {
        if (sizeChanged || number == MetFields.NONE) {
            return 0;
        }
        return number < 0 ? (int) -number : table.indexOf(number);
    }

    /// Tells if a field's value is written as it is: the field is secret, or certainly neither
    /// found in a table nor put there.
    ///
    /// @param entry of the name in the static table; 0 for none
    private boolean isCopied(HeaderName name, int entry, int length) {
        if (length >= huffmanFrom || sizeChanged) {
            return false;
        }
        boolean isLiteral =
                (!isIndexed(name) || !fits(name.length() + length + HpackField.OVERHEAD))
                        && (entry == 0 || StaticTable.get(entry).valueLength() != length);
        return isLiteral || isSecret(name, length);
    }

    private boolean fits(int size) {
        return size <= table.capacity() - (table.capacity() >> 2);
    }

    /// Begins a field whose value is then copied to [#block].
    private void copied(HeaderName name, int entry, int length) {
        more(name.length() + length + HpackField.OVERHEAD);
        int index = nameIndex(name, entry);
        integer(isSecret(name, length) ? 0x10 : 0, 0x0F, index);
        if (index == 0) {
            name(name, huffmanFrom);
        }
        integer(0, 0x7F, length);
    }

    /// Encodes a field.
    ///
    /// @param sensitive true if the value is never to be indexed, here or further on: of a field
    ///     that was received so, and of whatever is secret
    /// @throws IllegalArgumentException when `text` has a character above U+00FF; behind another
    ///     field of its block that ends the encoder's use until [#discard]
    public void encode(HeaderName name, String text, boolean sensitive) {
        var _ = encode(name, StaticTable.indexOf(name), take(text), sensitive);
    }

    /// Encodes a field with a number as its value.
    ///
    /// @param number at least 0
    public void encode(HeaderName name, long number) {
        room(Decimal.MAX_LENGTH);
        var _ = encode(name, StaticTable.indexOf(name), Decimal.write(number, value), false);
    }

    private int encode(HeaderName name, int entry, int length, boolean sensitive) {
        boolean never = sensitive || isSecret(name, length);
        return encode(name, name.length(), entry, length, isIndexed(name), never);
    }

    /// Returns the bytes of the fields since the last block.
    public int length() {
        return at;
    }

    /// Ends the block: writes the fields since the last one to the end of `out`.
    ///
    /// @throws IllegalStateException when one of them was refused
    public void finish(Buffer out) {
        if (failed) {
            throw new IllegalStateException(
                    "header block: a field of it was refused (expected: all of them)");
        }
        out.writeBytes(block, 0, at);
        at = 0;
        if (block.length > KEPT_BYTES) {
            block = new byte[256];
            value = new byte[128];
        }
    }

    /// Drops the fields since the last block, and a block that [#finish] wrote if the peer does not
    /// get it. This empties the encoder's table, and the next block begins with updates that empty
    /// the peer's: they would differ by the fields that were dropped. Behind a field that was
    /// refused, this makes the encoder usable again.
    public void discard() {
        at = 0;
        failed = false;
        int size = table.capacity();
        table.capacity(0);
        table.capacity(size);
        smallest = 0;
        sizeChanged = true;
    }

    private static boolean isSecret(HeaderName name, int length) {
        return name == HeaderName.AUTHORIZATION
                || name == HeaderName.PROXY_AUTHORIZATION
                || (length < SHORT_COOKIE
                        && (name == HeaderName.COOKIE || name == HeaderName.SET_COOKIE));
    }

    private static boolean isIndexed(HeaderName name) {
        return !UNINDEXED[name.number()];
    }

    private int take(String text) {
        int length = text.length();
        room(length);
        byte[] ascii = text.getBytes(UTF_8);
        if (ascii.length == length) {
            System.arraycopy(ascii, 0, value, 0, length);
            return length;
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c > 0xFF) {
                failed = at != 0;
                throw new IllegalArgumentException(
                        "character %d: U+%04X (expected: at most U+00FF)".formatted(i, (int) c));
            }
            value[i] = (byte) c;
        }
        return length;
    }

    private void room(int length) {
        if (length > value.length - EncoderTable.SLACK) {
            value = new byte[Math.max(length + EncoderTable.SLACK, value.length * 2)];
        }
    }

    /// Makes room for a field of this size (RFC 7541, 4.1) at its longest: all strings as they are,
    /// and six bytes for each integer, of which there may be two before the field.
    private void more(int size) {
        if (size + 32 > block.length - at) {
            block = Arrays.copyOf(block, Math.max(at + size + 32, block.length * 2));
        }
    }

    /// Encodes a field with the value that was taken.
    ///
    /// @return its index from now on; 0 if it is in no table
    private int encode(
            Object key, int nameLength, int staticName, int length, boolean index, boolean never) {
        int size = nameLength + length + HpackField.OVERHEAD;
        more(size);
        if (sizeChanged) {
            sizeUpdates();
        }
        if (never) {
            literal(0x10, 0x0F, key, nameIndex(key, staticName), length, huffmanFrom);
            return 0;
        }
        int whole = staticName == 0 ? 0 : StaticTable.indexOf(staticName, value, length);
        if (whole == 0 && !(index && fits(size))) {
            literal(0, 0x0F, key, nameIndex(key, staticName), length, huffmanFrom);
            return 0;
        }
        int hash = 0;
        if (whole == 0) {
            hash = EncoderTable.hash(key, value, length);
            whole = table.indexOf(hash, key, value, length);
        }
        if (whole != 0) {
            integer(0x80, 0x7F, whole);
            return whole;
        }
        literal(0x40, 0x3F, key, nameIndex(key, staticName), length, 0);
        table.add(hash, key, value, length, size);
        return StaticTable.LAST + 1;
    }

    private int nameIndex(Object key, int staticName) {
        return staticName != 0 ? staticName : table.indexOf(key);
    }

    private void sizeUpdates() {
        sizeChanged = false;
        if (smallest < table.capacity()) {
            integer(0x20, 0x1F, smallest);
        }
        integer(0x20, 0x1F, table.capacity());
    }

    private void literal(
            int pattern, int mask, Object key, int nameIndex, int length, int codedFrom) {
        integer(pattern, mask, nameIndex);
        if (nameIndex == 0) {
            name(key, codedFrom);
        }
        string(value, length, codedFrom);
    }

    private void name(Object key, int codedFrom) {
        if (!(key instanceof HeaderName name)) {
            byte[] text = ((PseudoHeader) key).field().getBytes(ISO_8859_1);
            string(text, text.length, codedFrom);
            return;
        }
        int length = name.length();
        if (length < codedFrom) {
            integer(0, 0x7F, length);
            name.copyTo(block, at);
            at += length;
        } else {
            byte[] text = new byte[length];
            name.copyTo(text, 0);
            string(text, length, codedFrom);
        }
    }

    /// @param codedFrom length from which the string is Huffman-coded if that is shorter
    private void string(byte[] text, int length, int codedFrom) {
        int coded = length < codedFrom ? length : HuffmanEncoder.length(text, length);
        if (coded < length) {
            integer(0x80, 0x7F, coded);
            at = HuffmanEncoder.encode(text, length, block, at);
        } else {
            integer(0, 0x7F, length);
            System.arraycopy(text, 0, block, at, length);
            at += length;
        }
    }

    /// RFC 7541, 5.1.
    private void integer(int pattern, int mask, int number) {
        if (number < mask) {
            block[at++] = (byte) (pattern | number);
            return;
        }
        block[at++] = (byte) (pattern | mask);
        int rest = number - mask;
        while (rest >= 0x80) {
            block[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        block[at++] = (byte) rest;
    }
}
