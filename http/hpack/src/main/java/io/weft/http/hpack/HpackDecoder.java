package io.weft.http.hpack;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    private static final int SPARE = 8;

    /// A larger text is not kept for the next block.
    private static final int KEPT_TEXT = 4096;

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
    private final HuffmanDecoder huffman = new HuffmanDecoder();

    /// Limit that the peer has acknowledged.
    private int tableLimit;

    /// A smaller limit was acknowledged, and the block after that begins with a size update.
    private boolean updateDue;

    /// Read by words of eight bytes, so that as many spare ones follow what is decoded.
    private byte[] window = new byte[128 + SPARE];

    private int at;
    private int end;

    private State state = State.REPRESENTATION;
    private Kind kind = Kind.INDEXED;

    /// Of an integer: what there is of it, and the bits of it that there are behind the prefix.
    private long integer;

    private int shift;

    /// The integer is a string's length.
    private boolean inLength;

    /// The field being decoded, unless an index says all of it.
    private final HpackField field = HpackField.reused();

    /// Names that are not listed, and were decoded before.
    private final @Nullable HeaderName[] names = new HeaderName[64];

    private boolean inValue;
    private boolean huffmanCoded;

    /// Bytes of the string that are still to come.
    private int remaining;

    /// The string being decoded, a name or a value.
    private byte[] text = new byte[128];

    private int length;

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
        if (text.length > KEPT_TEXT) {
            text = new byte[128];
            field.value(text, 0, 0, false);
        }
    }

    private void run(Consumer<? super HpackField> out) {
        while (at < end) {
            switch (state) {
                case REPRESENTATION -> representation(out);
                case INTEGER -> integerBytes(out);
                case LENGTH -> beginString(out);
                case STRING -> string(out);
            }
        }
    }

    private void representation(Consumer<? super HpackField> out) {
        int b = window[at++];
        if (b < 0) {
            kind = Kind.INDEXED;
            integer(b & 0x7F, 0x7F, out);
        } else if (b >= 0x40) {
            kind = Kind.INCREMENTAL;
            integer(b & 0x3F, 0x3F, out);
        } else if (b >= 0x20) {
            kind = Kind.SIZE_UPDATE;
            integer(b & 0x1F, 0x1F, out);
        } else {
            kind = b >= 0x10 ? Kind.NEVER_INDEXED : Kind.WITHOUT_INDEXING;
            integer(b & 0x0F, 0x0F, out);
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
        integer = mask;
        shift = 0;
        state = State.INTEGER;
    }

    private void integerBytes(Consumer<? super HpackField> out) {
        while (at < end) {
            int b = window[at++];
            integer += (long) (b & 0x7F) << shift;
            shift += 7;
            if (integer > Integer.MAX_VALUE || (shift > 28 && b < 0)) {
                throw new HpackException(
                        "integer: above 2^31 - 1, or of more than 5 further octets (expected: less)");
            }
            if (b >= 0) {
                state = inLength ? State.LENGTH : State.REPRESENTATION;
                integerDone((int) integer, out);
                return;
            }
        }
    }

    private void integerDone(int value, Consumer<? super HpackField> out) {
        if (state == State.LENGTH) {
            remaining = value;
            if (value == 0) {
                stringDone(out);
            } else {
                state = State.STRING;
            }
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
            hand(entry(value), out);
            return;
        }
        oversized = false;
        length = 0;
        inValue = value != 0;
        if (inValue) {
            field.name(entry(value));
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

    private HpackField entry(int index) {
        if (index > StaticTable.LAST && index - StaticTable.LAST <= table.entries()) {
            return table.get(index - StaticTable.LAST - 1);
        }
        if (index == 0 || index > StaticTable.LAST) {
            throw new HpackException(
                    "index: "
                            + index
                            + " (expected: 1 to "
                            + (StaticTable.LAST + table.entries())
                            + ")");
        }
        return StaticTable.get(index);
    }

    // ---- strings: RFC 7541, 5.2 ----

    /// Reads the length of a string, and all of it if that is short and has come, as most have.
    private void beginString(Consumer<? super HpackField> out) {
        if (at == end) {
            return;
        }
        int b = window[at++];
        int n = b & 0x7F;
        huffmanCoded = b < 0;
        if (n == 0x7F || n > end - at) {
            integer(n, 0x7F, out);
            return;
        }
        if (huffmanCoded) {
            room(HuffmanDecoder.most(n));
            length = huffman.end(text, huffman.decode(window, at, at + n, text, 0));
        } else {
            room(n);
            System.arraycopy(window, at, text, 0, n);
            length = n;
        }
        at += n;
        stringDone(out);
    }

    private void string(Consumer<? super HpackField> out) {
        int n = Math.min(remaining, end - at);
        if (length > Math.max(limits.fieldSection(), table.capacity())) {
            // It is larger than the table and than the section, so its bytes are of no use; their
            // code is checked nevertheless.
            oversized = true;
            length = 0;
        }
        if (huffmanCoded) {
            room(HuffmanDecoder.most(n));
            length = huffman.decode(window, at, at + n, text, length);
        } else {
            room(n);
            System.arraycopy(window, at, text, length, n);
            length += n;
        }
        at += n;
        remaining -= n;
        if (remaining == 0) {
            if (huffmanCoded) {
                room(HuffmanDecoder.most(0));
                length = huffman.end(text, length);
            }
            stringDone(out);
        }
    }

    private void room(int more) {
        if (more > text.length - length) {
            text = Arrays.copyOf(text, Math.max(length + more, text.length * 2));
        }
    }

    private void stringDone(Consumer<? super HpackField> out) {
        if (!inValue) {
            inValue = true;
            if (!oversized && isOfUse()) {
                field.name(text, length, names);
            }
            length = 0;
            state = State.LENGTH;
            beginString(out);
            return;
        }
        state = State.REPRESENTATION;
        if (oversized) {
            truncated = true;
            if (kind == Kind.INCREMENTAL) {
                table.clear();
            }
            return;
        }
        if (!isOfUse()) {
            return;
        }
        field.value(text, 0, length, kind == Kind.NEVER_INDEXED);
        HpackField done = field;
        if (kind == Kind.INCREMENTAL) {
            done = field.copy();
            table.add(done);
        }
        hand(done, out);
    }

    /// Tells if the literal goes anywhere.
    private boolean isOfUse() {
        return !truncated || kind == Kind.INCREMENTAL;
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
