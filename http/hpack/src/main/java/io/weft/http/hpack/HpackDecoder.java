package io.weft.http.hpack;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;

/// Decodes the header blocks of one connection (RFC 7541), fragment by fragment.
///
/// A block may be cut anywhere; no byte is looked at twice. Fields beyond [HpackLimits#fields] or
/// [HpackLimits#fieldSection] are decoded, since the table has to follow, but handed to nobody:
/// [#isTruncated]. What they cost is bounded by the bytes received, whatever they refer to.
///
/// After an [HpackException] input is taken and ignored.
///
/// **Threads.** One at a time.
public final class HpackDecoder {
    /// The bytes of a fragment that are copied to be decoded at a time.
    private static final int WINDOW = 1024;

    /// Read by words of eight bytes, so that as many spare ones follow what is decoded.
    private static final int SPARE = StringLiteral.SLACK;

    static final int INITIAL_TABLE = 4096;

    private enum State {
        REPRESENTATION,
        /// The further bytes of an integer.
        INTEGER,
        /// The first byte of a string.
        LENGTH,
        STRING
    }

    /// The representations of RFC 7541, 6.
    private enum Kind {
        INDEXED,
        INCREMENTAL,
        SIZE_UPDATE,
        NEVER_INDEXED,
        WITHOUT_INDEXING
    }

    private final HpackLimits limits;
    private final DynamicTable table;
    private final SentNames names = new SentNames();
    private final StringLiteral string = new StringLiteral();

    /// Limit that the peer has acknowledged.
    private int tableLimit;

    /// A smaller limit was acknowledged, and the block after that begins with a size update.
    private boolean updateDue;

    private byte[] window = new byte[128 + SPARE];

    private int at;
    private int end;

    private State state = State.REPRESENTATION;
    private Kind kind = Kind.INDEXED;

    private final PrefixInteger integer = new PrefixInteger();

    /// The integer is a string's length.
    private boolean inLength;

    /// The field being decoded, unless an index says all of it.
    private final HpackField field = HpackField.reused();

    private FieldName name = FieldName.EMPTY;
    private boolean inValue;

    /// The field fits neither the table nor the section, and is not kept.
    private boolean oversized;

    private boolean started;

    /// A field of this block was seen, so that no size update may come.
    private boolean fieldSeen;

    private boolean truncated;
    private long sectionSize;
    private int fields;
    private boolean failed;

    public HpackDecoder(HpackLimits limits) {
        this.limits = limits;
        // RFC 9113, 6.5.2: so much may be used until the peer has acknowledged what our settings
        // say.
        this.tableLimit = Math.max(INITIAL_TABLE, limits.decoderTable());
        this.table = new DynamicTable(INITIAL_TABLE);
    }

    /// Sets the size of the table that the peer's encoder may use, once the peer has acknowledged
    /// the SETTINGS_HEADER_TABLE_SIZE that says so; to be called between blocks. When it is smaller
    /// than the table is, the next block has to begin with a size update (RFC 7541, 4.2).
    ///
    /// @param bytes 0 to [HpackLimits#MAX_TABLE]
    public void tableSize(int bytes) {
        if (bytes < 0 || bytes > HpackLimits.MAX_TABLE) {
            throw new IllegalArgumentException(
                    "table size: " + bytes + " (expected: 0 to " + HpackLimits.MAX_TABLE + ")");
        }
        tableLimit = bytes;
        updateDue = bytes < table.capacity();
    }

    /// Decodes a fragment, whose readable bytes are read; the buffer stays the caller's.
    ///
    /// @param last true for the fragment that ends the block (END_HEADERS)
    /// @param out is handed each field at once, and must not throw
    /// @throws HpackException when the block breaks RFC 7541
    public void decode(Buffer fragment, boolean last, Consumer<? super HpackField> out) {
        decode(fragment, fragment.readableBytes(), last, out);
    }

    /// Decodes a fragment that is the next `bytes` bytes of `in`, as [#decode(Buffer, boolean,
    /// Consumer)] does.
    ///
    /// @throws IndexOutOfBoundsException when there are fewer
    /// @throws HpackException when the block breaks RFC 7541
    public void decode(Buffer in, int bytes, boolean last, Consumer<? super HpackField> out) {
        if (failed) {
            in.skipReadable(bytes);
            return;
        }
        try {
            if (!started) {
                begin();
            }
            int left = bytes;
            while (left > 0) {
                int n = Math.min(left, WINDOW);
                if (n > window.length - SPARE) {
                    window = new byte[(Integer.highestOneBit(n - 1) << 1) + SPARE];
                }
                in.readBytes(window, 0, n);
                left -= n;
                at = 0;
                end = n;
                run(out);
            }
            if (last) {
                finish();
            }
        } catch (HpackException e) {
            failed = true;
            throw e;
        }
    }

    /// Tells if the block, so far or as a whole, was beyond a limit, and fields of it were dropped.
    /// Until the next block begins.
    public boolean isTruncated() {
        return truncated;
    }

    /// Returns the bytes that the dynamic table holds, as RFC 7541, 4.1 counts them.
    public int tableBytes() {
        return table.size();
    }

    private void begin() {
        started = true;
        fieldSeen = false;
        truncated = false;
        sectionSize = 0;
        fields = 0;
    }

    private void finish() {
        if (state != State.REPRESENTATION) {
            throw new HpackException("header block: ends in a field (expected: behind one)");
        }
        started = false;
        if (string.trim()) {
            field.clear();
        }
    }

    private void run(Consumer<? super HpackField> out) {
        while (at < end) {
            if (state == State.REPRESENTATION) {
                representation(out);
            } else {
                part(out);
            }
        }
    }

    /// Goes on with a representation of which a part has come.
    private void part(Consumer<? super HpackField> out) {
        switch (state) {
            case REPRESENTATION -> representation(out);
            case INTEGER -> integerBytes(out);
            case LENGTH -> beginString(out);
            case STRING -> string(out);
        }
    }

    private void representation(Consumer<? super HpackField> out) {
        int b = window[at++];
        if (b < 0) {
            int index = b & 0x7F;
            if (index == 0x7F || updateDue) {
                kind = Kind.INDEXED;
                integer(index, 0x7F, out);
            } else {
                fieldSeen = true;
                hand(table.field(index), out);
            }
        } else if (b >= 0x40) {
            literal(Kind.INCREMENTAL, b & 0x3F, 0x3F, out);
        } else if (b >= 0x20) {
            kind = Kind.SIZE_UPDATE;
            integer(b & 0x1F, 0x1F, out);
        } else {
            literal(b >= 0x10 ? Kind.NEVER_INDEXED : Kind.WITHOUT_INDEXING, b & 0x0F, 0x0F, out);
        }
    }

    /// Decodes a literal at once if all of it has come, its index is of at most two bytes and its
    /// strings are short, as with most; else by its parts.
    private void literal(Kind of, int prefix, int mask, Consumer<? super HpackField> out) {
        int from = at;
        int index = prefix;
        if (prefix == mask) {
            boolean isLast = from < end && window[from] >= 0;
            index += isLast ? window[from] : 0;
            from = isLast ? from + 1 : end;
        }
        int value = index == 0 ? behindString(from) : from;
        int behind = behindString(value);
        if (behind > end || updateDue) {
            kind = of;
            integer(prefix, mask, out);
            return;
        }
        fieldSeen = true;
        FieldName named = index == 0 ? name(from, value) : table.field(index).key();
        at = behind;
        value(of, named, value, behind, out);
    }

    /// Returns the index behind the string that begins at `from`; `Integer.MAX_VALUE` if its length
    /// has not come or is of several bytes.
    private int behindString(int from) {
        if (from >= end) {
            return Integer.MAX_VALUE;
        }
        int n = window[from] & 0x7F;
        return n == 0x7F ? Integer.MAX_VALUE : from + 1 + n;
    }

    /// Returns the name whose string is [from, behind) of the window.
    private FieldName name(int from, int behind) {
        int head = window[from];
        int length = behind - from - 1;
        FieldName known = names.get(head, window, from + 1, length);
        if (known != null) {
            return known;
        }
        FieldName made;
        if (head < 0) {
            string.whole(window, from + 1, behind);
            made = FieldName.of(string.text(), 0, string.length());
        } else {
            made = FieldName.of(window, from + 1, behind);
        }
        names.put(head, window, from + 1, length, made);
        return made;
    }

    /// Ends a literal whose value is the string [from, behind) of the window.
    private void value(
            Kind of, FieldName name, int from, int behind, Consumer<? super HpackField> out) {
        if (window[from] < 0) {
            string.whole(window, from + 1, behind);
            done(of, name, string.text(), 0, string.length(), out);
        } else {
            done(of, name, window, from + 1, behind, out);
        }
    }

    // ---- integers: RFC 7541, 5.1 ----

    private void integer(int prefix, int mask, Consumer<? super HpackField> out) {
        if (prefix < mask) {
            integerDone(prefix, out);
            return;
        }
        // The state before says what the integer is.
        inLength = state == State.LENGTH;
        integer.begin(mask);
        state = State.INTEGER;
    }

    private void integerBytes(Consumer<? super HpackField> out) {
        at = integer.take(window, at, end);
        if (integer.isWhole()) {
            state = inLength ? State.LENGTH : State.REPRESENTATION;
            integerDone(integer.value(), out);
        }
    }

    private void integerDone(int value, Consumer<? super HpackField> out) {
        if (state == State.LENGTH) {
            string.expect(value);
            state = State.STRING;
            return;
        }
        if (kind == Kind.SIZE_UPDATE) {
            sizeUpdate(value);
            return;
        }
        if (updateDue) {
            // RFC 7541, 4.2: the peer knows of the smaller table and has to say that it uses it.
            throw new HpackException(
                    "dynamic table size update: none (expected: to at most " + tableLimit + ")");
        }
        fieldSeen = true;
        if (kind == Kind.INDEXED) {
            hand(table.field(value), out);
            return;
        }
        inValue = value != 0;
        if (inValue) {
            name = table.field(value).key();
        }
        state = State.LENGTH;
        beginString(out);
    }

    private void sizeUpdate(int bytes) {
        // RFC 7541, 4.2: at the beginning of a block; 6.3: within the limit.
        if (fieldSeen) {
            throw new HpackException(
                    "dynamic table size update: behind a field (expected: before all)");
        }
        if (bytes > tableLimit) {
            throw new HpackException(
                    "dynamic table size update: "
                            + bytes
                            + " (expected: at most "
                            + tableLimit
                            + ")");
        }
        table.capacity(bytes);
        updateDue = false;
    }

    // ---- strings: RFC 7541, 5.2 ----

    private void beginString(Consumer<? super HpackField> out) {
        if (at == end) {
            return;
        }
        int from = at;
        int behind = behindString(from);
        if (behind > end) {
            at = from + 1;
            string.begin(window[from] < 0);
            integer(window[from] & 0x7F, 0x7F, out);
        } else if (inValue) {
            at = behind;
            state = State.REPRESENTATION;
            value(kind, name, from, behind, out);
        } else {
            name = name(from, behind);
            at = behind;
            inValue = true;
            beginString(out);
        }
    }

    /// Takes a part of a string.
    private void string(Consumer<? super HpackField> out) {
        // A larger one has no place in the table, nor in the section.
        int most = Math.max(limits.fieldSection(), table.capacity());
        at = string.take(window, at, end, most);
        if (!string.isWhole()) {
            return;
        }
        oversized |= string.isOversized();
        byte[] text = string.text();
        int length = string.length();
        if (inValue) {
            state = State.REPRESENTATION;
            done(kind, name, text, 0, length, out);
            return;
        }
        if (!oversized) {
            // As if it had been sent without Huffman's code.
            FieldName known = names.get(length, text, 0, length);
            name = known != null ? known : FieldName.of(text, 0, length);
            if (known == null) {
                names.put(length, text, 0, length, name);
            }
        }
        inValue = true;
        state = State.LENGTH;
        beginString(out);
    }

    /// Ends a literal with its value, bytes [from, to) of `text`.
    private void done(
            Kind of,
            FieldName name,
            byte[] text,
            int from,
            int to,
            Consumer<? super HpackField> out) {
        if (oversized) {
            oversized = false;
            truncated = true;
            if (of == Kind.INCREMENTAL) {
                table.clear();
            }
            return;
        }
        if (truncated && of != Kind.INCREMENTAL) {
            return;
        }
        field.set(name, text, from, to, of == Kind.NEVER_INDEXED);
        HpackField done = field;
        if (of == Kind.INCREMENTAL) {
            done = field.copy();
            table.add(done);
        }
        hand(done, out);
    }

    private void hand(HpackField done, Consumer<? super HpackField> out) {
        sectionSize += done.size();
        fields++;
        if (truncated || fields > limits.fields() || sectionSize > limits.fieldSection()) {
            truncated = true;
            return;
        }
        out.accept(done);
    }
}
