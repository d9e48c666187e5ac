package io.weft.codec.memcache;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.Arrays;
import java.util.function.Consumer;

/// Decodes the messages of one connection with memcached. A value that is longer than
/// [MemcacheLimits#wholeBytes] comes in chunks, behind its message, as it arrives.
///
/// **Errors.** What breaks the protocol or a limit is a [MemcacheException], which says what to
/// answer.
///
/// **Memory.** A message is a slice of the input, which is not copied; until it is complete its
/// bytes stay unread.
public final class MemcacheDecoder extends StepDecoder<MemcachePart> {
    private enum Mode {
        UNKNOWN,
        BINARY,
        TEXT
    }

    private static final byte LF = '\n';
    private static final byte CR = '\r';
    private static final int MAX_DIGITS = 10;

    private final boolean requests;
    private final MemcacheLimits limits;
    private Mode mode;

    /// Bytes that are known to hold no LF, from the read offset on.
    private int looked;

    /// Readable bytes before which looking at a line again would tell nothing new.
    private int needed;

    /// Bytes of a value in chunks that are to come, and CR LF behind them (text).
    private int left;

    private boolean inValue;

    private MemcacheDecoder(boolean requests, Mode mode, MemcacheLimits limits) {
        this.requests = requests;
        this.mode = mode;
        this.limits = limits;
    }

    /// Requests in either protocol, of which the first byte of a connection tells.
    public static MemcacheDecoder requests() {
        return requests(MemcacheLimits.DEFAULT);
    }

    public static MemcacheDecoder requests(MemcacheLimits limits) {
        return new MemcacheDecoder(true, Mode.UNKNOWN, limits);
    }

    /// Replies of the text protocol.
    public static MemcacheDecoder textReplies() {
        return textReplies(MemcacheLimits.DEFAULT);
    }

    public static MemcacheDecoder textReplies(MemcacheLimits limits) {
        return new MemcacheDecoder(false, Mode.TEXT, limits);
    }

    /// Responses of the binary protocol.
    public static MemcacheDecoder binaryReplies() {
        return binaryReplies(MemcacheLimits.DEFAULT);
    }

    public static MemcacheDecoder binaryReplies(MemcacheLimits limits) {
        return new MemcacheDecoder(false, Mode.BINARY, limits);
    }

    /// Tells if the connection speaks the binary protocol, as far as is known.
    public boolean isBinary() {
        return mode == Mode.BINARY;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super MemcachePart> out) {
        if (inValue) {
            return value(in, out);
        }
        if (!in.isReadable()) {
            return false;
        }
        if (mode == Mode.UNKNOWN) {
            boolean magic = in.getUnsignedByte(in.readOffset()) == BinaryMessage.REQUEST;
            mode = magic ? Mode.BINARY : Mode.TEXT;
        }
        return mode == Mode.BINARY ? binary(in, out) : text(in, out);
    }

    // ---- binary ----

    private boolean binary(Buffer in, Consumer<? super MemcachePart> out) {
        int at = in.readOffset();
        int magic = in.getUnsignedByte(at);
        if (magic != (requests ? BinaryMessage.REQUEST : BinaryMessage.RESPONSE)) {
            throw new MemcacheException(
                    MemcacheFault.MAGIC,
                    "magic: " + magic + " (expected: " + (requests ? 128 : 129) + ")");
        }
        if (in.readableBytes() < BinaryMessage.HEADER) {
            return false;
        }
        int key = in.getUnsignedShort(at + 2);
        int extras = in.getUnsignedByte(at + 4);
        long body = in.getUnsignedInt(at + 8);
        check(in.getByte(at + 5), key, extras, body);
        int valueLength = (int) (body - extras - key);
        boolean whole = valueLength <= limits.wholeBytes();
        int length = extras + key + (whole ? valueLength : 0);
        if (in.readableBytes() - BinaryMessage.HEADER < length) {
            return false;
        }
        int opcode = in.getUnsignedByte(at + 1);
        int status = in.getUnsignedShort(at + 6);
        int opaque = in.getInt(at + 12);
        long cas = in.getLong(at + 16);
        inValue = !whole;
        left = valueLength;
        out.accept(
                new BinaryMessage(
                        !requests,
                        opcode,
                        status,
                        opaque,
                        cas,
                        extras,
                        key,
                        valueLength,
                        in.split(BinaryMessage.HEADER + length)));
        return true;
    }

    private void check(byte type, int key, int extras, long body) {
        if (type != 0) {
            throw new MemcacheException(
                    MemcacheFault.DATA_TYPE, "data type: " + (type & 0xFF) + " (expected: 0)");
        }
        if (key + extras > body) {
            throw new MemcacheException(
                    MemcacheFault.BODY,
                    "body: " + body + " bytes (expected: at least " + (key + extras) + ")");
        }
        if (key > limits.keyBytes()) {
            throw MemcacheException.beyond(
                    MemcacheFault.KEY_LIMIT, "key bytes", key, limits.keyBytes());
        }
        requireValue(body - key - extras);
    }

    private void requireValue(long length) {
        if (length > limits.valueBytes()) {
            throw MemcacheException.beyond(
                    MemcacheFault.VALUE_LIMIT, "value bytes", length, limits.valueBytes());
        }
    }

    // ---- text ----

    private boolean text(Buffer in, Consumer<? super MemcachePart> out) {
        if (in.readableBytes() < needed) {
            return false;
        }
        int at = in.readOffset();
        int until = Math.min(in.writeOffset(), at + limits.lineBytes() + 2);
        int lf = in.indexOf(LF, at + looked, until);
        if (lf < 0) {
            looked = until - at;
            if (looked == limits.lineBytes() + 2) {
                throw tooLong();
            }
            return false;
        }
        boolean cr = lf > at && in.getByte(lf - 1) == CR;
        int end = cr ? lf - 1 : lf;
        checkLine(in, at, end, cr);
        int[] bounds = words(in, at, end);
        if (bounds.length == 0) {
            throw new MemcacheException(
                    MemcacheFault.EMPTY, "words: 0 (expected: a line of at least one)");
        }
        int data = -1;
        int word = DataWord.of(requests, in, at + bounds[0], at + bounds[1]);
        if (word > 0 && 2 * word < bounds.length) {
            data = length(in, at + bounds[2 * word], at + bounds[2 * word + 1]);
        }
        boolean whole = data <= limits.wholeBytes();
        int start = lf + 1;
        int next = start;
        if (data >= 0 && whole) {
            if (!ends(in, start + data)) {
                looked = lf - at; // found again at once
                needed = Math.max(in.readableBytes(), start + data - at) + 1;
                return false;
            }
            next = start + data + 2;
        }
        looked = 0;
        needed = 0;
        inValue = !whole;
        left = data;
        out.accept(new TextMessage(in.split(next - at), bounds, start - at, data));
        return true;
    }

    private MemcacheException tooLong() {
        return MemcacheException.beyond(
                MemcacheFault.LINE_LIMIT,
                "line bytes",
                limits.lineBytes() + 1L,
                limits.lineBytes());
    }

    private void checkLine(Buffer in, int at, int end, boolean cr) {
        if (end - at > limits.lineBytes()) {
            throw tooLong();
        }
        boolean valid =
                (cr || requests)
                        && in.indexOf(CR, at, end) < 0
                        && in.indexOf((byte) 0, at, end) < 0;
        if (!valid) {
            throw new MemcacheException(
                    MemcacheFault.LINE_END,
                    "line: "
                            + DecoderException.quote(in, at, end + 1)
                            + " (expected: CR LF at its end, no CR or NUL inside)");
        }
    }

    /// The bounds of words between spaces, from `at` on.
    private static int[] words(Buffer in, int at, int end) {
        int[] bounds = new int[10];
        int count = 0;
        for (int from = at; from < end; ) {
            int space = in.indexOf((byte) ' ', from, end);
            int to = space < 0 ? end : space;
            if (to > from) {
                if (count == bounds.length) {
                    bounds = Arrays.copyOf(bounds, 2 * count);
                }
                bounds[count++] = from - at;
                bounds[count++] = to - at;
            }
            from = to + 1;
        }
        return count == bounds.length ? bounds : Arrays.copyOf(bounds, count);
    }

    private int length(Buffer in, int from, int to) {
        boolean valid = to - from <= MAX_DIGITS;
        long length = 0;
        for (int i = from; valid && i < to; i++) {
            int digit = in.getByte(i) - '0';
            valid = digit >= 0 && digit <= 9;
            length = 10 * length + digit;
        }
        if (!valid) {
            throw new MemcacheException(
                    MemcacheFault.LENGTH,
                    "length: " + DecoderException.quote(in, from, to) + " (expected: digits)");
        }
        requireValue(length);
        return (int) length;
    }

    /// Checks CR LF behind data, as far as they are there; false when more bytes are needed.
    private static boolean ends(Buffer in, int at) {
        int there = in.writeOffset() - at;
        if ((there > 0 && in.getByte(at) != CR) || (there > 1 && in.getByte(at + 1) != LF)) {
            int wrong = in.getByte(at) == CR ? at + 1 : at;
            throw new MemcacheException(
                    MemcacheFault.DATA_END,
                    "behind data: "
                            + DecoderException.quote(in, wrong, wrong + 1)
                            + " (expected: CR LF)");
        }
        return there > 1;
    }

    // ---- values in chunks ----

    private boolean value(Buffer in, Consumer<? super MemcachePart> out) {
        if (left > 0) {
            if (!in.isReadable()) {
                return false;
            }
            Buffer part = in.split(Math.min(left, in.readableBytes()));
            left -= part.readableBytes();
            out.accept(new MemcachePart.ValueChunk(part));
            return true;
        }
        if (mode == Mode.TEXT) {
            int at = in.readOffset();
            if (!ends(in, at)) {
                return false;
            }
            in.readOffset(at + 2);
        }
        inValue = false;
        emitted();
        out.accept(MemcachePart.ValueEnd.END);
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super MemcachePart> out) {
        if (unread > 0 || inValue) {
            throw new PrematureEndException("a message, after " + unread + " bytes");
        }
    }
}
