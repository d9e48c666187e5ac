package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A field of a header block as the decoder found it, which need not be one that HTTP allows.
///
/// It is the consumer's until that returns: the decoder uses the object again for the next field
/// that is in no table. Those that are have one object each, so what was made of it once, its text
/// for example, is there the next time.
public final class HpackField {
    /// RFC 7541, 4.1: what an entry costs beside its name and value.
    static final int OVERHEAD = 32;

    private static final byte[] NOTHING = {};

    private FieldName key = FieldName.EMPTY;

    /// The value is `length` bytes of these from `start` on.
    private byte[] bytes = NOTHING;

    private int start;
    private int length;
    private boolean neverIndexed;

    /// An entry of a table: nothing of it changes.
    private final boolean entry;

    // Of an entry, made when they are asked for; a race makes them twice.
    private boolean wellFormed;
    private @Nullable String valueText;
    private Headers.@Nullable Field field;

    private HpackField(boolean entry) {
        this.entry = entry;
    }

    /// A field that is set again and again.
    static HpackField reused() {
        return new HpackField(false);
    }

    /// An entry of a table: a copy of this field.
    HpackField copy() {
        HpackField field = new HpackField(true);
        field.key = key;
        field.bytes = Arrays.copyOfRange(bytes, start, start + length);
        field.length = length;
        return field;
    }

    /// Sets name and value, the latter bytes [from, to) of `text`, which are not copied.
    void set(FieldName name, byte[] text, int from, int to, boolean never) {
        key = name;
        if (bytes != text) {
            bytes = text;
        }
        start = from;
        length = to - from;
        neverIndexed = never;
    }

    /// Lets go of the value.
    void clear() {
        bytes = NOTHING;
        start = 0;
        length = 0;
    }

    FieldName key() {
        return key;
    }

    /// Returns the name; null for a pseudo-header field, and for a name that is no token in lower
    /// case (RFC 9113, 8.2.1).
    public @Nullable HeaderName name() {
        return key.name;
    }

    /// Returns which pseudo-header field this is; null for another field, and for a pseudo-header
    /// field that is not known.
    public @Nullable PseudoHeader pseudo() {
        return key.pseudo;
    }

    /// Returns the name as it was sent, one character a byte.
    public String nameText() {
        return key.text;
    }

    /// Returns the value, one character a byte (ISO 8859-1).
    public String value() {
        String text = valueText;
        if (text == null) {
            text = new String(bytes, start, length, ISO_8859_1);
            if (entry) {
                valueText = text;
            }
        }
        return text;
    }

    /// Returns the length of the value in bytes.
    public int valueLength() {
        return length;
    }

    /// Returns one byte of the value.
    ///
    /// @throws IndexOutOfBoundsException unless `index` is inside
    public byte valueByte(int index) {
        return bytes[start + Objects.checkIndex(index, length)];
    }

    /// Tells if name and value are ones that HTTP allows: the name a token in lower case or a known
    /// pseudo-header field, the value without controls but HTAB and without blanks at its ends (RFC
    /// 9113, 8.2.1). A block with another field is malformed.
    public boolean isWellFormed() {
        if (wellFormed) {
            return true;
        }
        boolean is = key.isWellFormed() && Headers.isValue(bytes, start, length);
        wellFormed = is && entry;
        return is;
    }

    /// Tells if the peer asks that this value is never put into a table, here or further on (RFC
    /// 7541, 7.1.3). Who sends the field on, says so too.
    public boolean isNeverIndexed() {
        return neverIndexed;
    }

    /// Returns the size as limits count it: the bytes of name and value, and 32.
    public int size() {
        return key.length + length + OVERHEAD;
    }

    /// Adds this field to `headers`. If it comes from a table, that is one object each time.
    ///
    /// @return false for a pseudo-header field, and for one that is not well-formed; nothing was
    ///     added
    public boolean addTo(HeadersBuilder headers) {
        Headers.Field known = field;
        if (known != null) {
            headers.add(known);
            return true;
        }
        HeaderName n = key.name;
        if (n == null) {
            return false;
        }
        if (!entry) {
            return headers.addIfValid(n, bytes, start, length);
        }
        if (!Headers.isValue(bytes, start, length)) {
            return false;
        }
        known = new Headers.Field(n, value());
        field = known;
        headers.add(known);
        return true;
    }

    boolean valueEquals(byte[] other, int otherLength) {
        return Arrays.equals(bytes, start, start + length, other, 0, otherLength);
    }

    /// For people: the name only, since the value may be a secret.
    @Override
    public String toString() {
        return "HpackField[" + (isWellFormed() ? key.text : "malformed") + "]";
    }
}
