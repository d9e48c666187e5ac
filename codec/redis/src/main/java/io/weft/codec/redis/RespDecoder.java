package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.StepDecoder;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.BulkError;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Verbatim;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes whole values of RESP2 and RESP3, whichever comes. For clients, and for anything that
/// reads replies.
///
/// **Errors.** What breaks the protocol or a limit is a [RespException].
///
/// **Memory.** Nothing is kept of a value that is not complete but its bytes, which stay unread.
/// The content of bulks are slices of the input; that of streamed strings is copied together.
public final class RespDecoder extends StepDecoder<RespValue> {
    /*
     * A value is built while it is read, which mostly succeeds. When bytes are missing, what was
     * built is given up; from then on the value is only scanned, from where the last scan stopped,
     * until its end is there, and then built. So nothing is read more than three times, and a part
     * of a value never holds a receive buffer.
     */

    /// The length of a streamed string that is not one.
    private static final int NO_CHUNKS = -1;

    private final RespLimits limits;
    private final Lines lines = new Lines();
    private final Nesting nesting;

    /// True from the moment that bytes are missing until they are there.
    private boolean scanning;

    /// Bytes of the value that have been read, from the read offset on.
    private int position;

    /// Bytes in the chunks of a streamed string so far.
    private long chunked = NO_CHUNKS;

    /// The position of the first of them.
    private int firstChunk;

    public RespDecoder() {
        this(RespLimits.DEFAULT);
    }

    public RespDecoder(RespLimits limits) {
        this.limits = limits;
        nesting = new Nesting(limits);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super RespValue> out) {
        if (scanning) {
            if (!read(in, false)) {
                return false;
            }
            scanning = false;
            begin();
        }
        if (!in.isReadable()) {
            return false;
        }
        try {
            if (!read(in, true)) {
                nesting.giveUp();
                begin();
                scanning = true;
                return read(in, false); // false: bytes are missing
            }
        } catch (RuntimeException e) {
            nesting.giveUp();
            throw e;
        }
        in.skipReadable(position);
        RespValue value = nesting.take();
        begin();
        out.accept(value);
        return true;
    }

    private void begin() {
        nesting.clear();
        position = 0;
        chunked = NO_CHUNKS;
        lines.reset();
    }

    /// Reads on until the value is complete.
    ///
    /// @param build false to look for its end only
    /// @return false when bytes are missing
    private boolean read(Buffer in, boolean build) {
        int base = in.readOffset();
        while (base + position < in.writeOffset()) {
            RespValue value;
            if (chunked != NO_CHUNKS) {
                value = chunks(in, base, build);
            } else {
                byte first = in.getByte(base + position);
                RespType type = RespType.of(first);
                if (type == null) {
                    value = end(in, base, first, build);
                } else if (type.isAggregate()) {
                    value = aggregate(type, in, base, build);
                } else if (type.isBulk()) {
                    value = bulk(type, in, base, build);
                } else {
                    value = scalar(type, in, base);
                }
            }
            if (value == null) {
                return false;
            }
            if (value != Nesting.OPENED && nesting.completes(value, build)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable RespValue scalar(RespType type, Buffer in, int base) {
        int from = base + position + 1;
        if (!Scalars.find(type, lines, in, from, limits)) {
            return null;
        }
        RespValue value = Scalars.value(type, lines, in, from);
        advance(lines.next - base);
        return value;
    }

    private void advance(int to) {
        Lengths.message(to, limits);
        position = to;
    }

    private @Nullable RespValue aggregate(RespType type, Buffer in, int base, boolean build) {
        int from = base + position + 1;
        if (type == RespType.PUSH && nesting.depth() > 0) {
            throw new RespException(
                    RespFault.PUSH, "push: inside another value (expected: at depth 0)");
        }
        if (from == in.writeOffset()) {
            return null;
        }
        if (Lengths.isOpen(type, in, from)) {
            if (!lines.find(in, from, 1)) {
                return null;
            }
            nesting.open(type, RespPart.OPEN, build);
        } else {
            if (!lines.findNumber(in, from)) {
                return null;
            }
            long count = lines.number;
            if (count == -1 && type == RespType.ARRAY) {
                advance(lines.next - base);
                return Null.ARRAY;
            }
            nesting.count(type, count);
            if (count == 0 && type != RespType.ATTRIBUTE) {
                advance(lines.next - base);
                return Nesting.empty(type);
            }
            nesting.open(type, type.isOfPairs() ? 2 * count : count, build);
        }
        advance(lines.next - base);
        return Nesting.OPENED;
    }

    /// The dot that ends an aggregate without a count, or nothing that is known.
    private @Nullable RespValue end(Buffer in, int base, byte first, boolean build) {
        int at = base + position;
        if (first != '.') {
            throw new RespException(
                    RespFault.TYPE,
                    "type: " + DecoderException.quote(in, at, at + 1) + " (expected: one of RESP)");
        }
        nesting.requireEndable();
        if (!lines.find(in, at + 1, 0)) {
            return null;
        }
        advance(lines.next - base);
        return nesting.end(build);
    }

    private @Nullable RespValue bulk(RespType type, Buffer in, int base, boolean build) {
        int from = base + position + 1;
        if (from == in.writeOffset()) {
            return null;
        }
        if (Lengths.isOpen(type, in, from)) {
            if (!lines.find(in, from, 1)) {
                return null;
            }
            advance(lines.next - base);
            chunked = 0;
            firstChunk = position;
            return chunks(in, base, build);
        }
        if (!lines.findNumber(in, from)) {
            return null;
        }
        long length = lines.number;
        int start = lines.next;
        if (length == -1 && type == RespType.BULK) {
            advance(start - base);
            return Null.BULK;
        }
        Lengths.bulk(type, length, 0, limits);
        Lengths.message(start - base + length + 2, limits);
        int end = start + (int) length;
        if (type == RespType.VERBATIM && in.writeOffset() - start >= 4) {
            requireFormat(in, start);
        }
        if (!Lengths.ends(in, end)) {
            return null;
        }
        position = end + 2 - base;
        if (!build) {
            return Null.BULK;
        }
        return switch (type) {
            case BULK_ERROR -> new BulkError(in.slice(start, (int) length));
            case VERBATIM -> new Verbatim(format(in, start), in.slice(start + 4, (int) length - 4));
            default -> new Bulk(in.slice(start, (int) length));
        };
    }

    private static void requireFormat(Buffer in, int start) {
        boolean valid = in.getByte(start + 3) == ':';
        for (int i = start; i < start + 3; i++) {
            valid &= in.getByte(i) > ' ' && in.getByte(i) < 0x7F;
        }
        if (!valid) {
            throw new RespException(
                    RespFault.VERBATIM,
                    "verbatim: "
                            + DecoderException.quote(in, start, start + 4)
                            + " (expected: a format of 3 characters and a colon)");
        }
    }

    private static String format(Buffer in, int start) {
        return switch (in.getUnsignedMedium(start)) {
            case 't' << 16 | 'x' << 8 | 't' -> "txt";
            case 'm' << 16 | 'k' << 8 | 'd' -> "mkd";
            default -> in.getString(start, 3, StandardCharsets.US_ASCII);
        };
    }

    /// Reads chunks until the empty one.
    private @Nullable RespValue chunks(Buffer in, int base, boolean build) {
        while (base + position < in.writeOffset()) {
            int length = chunk(in, base + position);
            if (length < 0) {
                return null;
            }
            if (length == 0) {
                advance(lines.next - base);
                int total = (int) chunked;
                chunked = NO_CHUNKS;
                return build ? new Bulk(gathered(in, base + firstChunk, total)) : Null.BULK;
            }
            int end = lines.next + length;
            if (!Lengths.ends(in, end)) {
                return null;
            }
            position = end + 2 - base;
            chunked += length;
        }
        return null;
    }

    /// Reads the line before a chunk, and returns its length; -1 when bytes are missing.
    private int chunk(Buffer in, int at) {
        if (in.getByte(at) != ';') {
            throw new RespException(
                    RespFault.CHUNK,
                    "streamed string: "
                            + DecoderException.quote(in, at, at + 1)
                            + " (expected: ;)");
        }
        if (!lines.findNumber(in, at + 1)) {
            return -1;
        }
        Lengths.bulk(RespType.BULK, lines.number, Math.max(0, chunked), limits);
        Lengths.message(lines.next - in.readOffset() + lines.number + 2, limits);
        return (int) lines.number;
    }

    private Buffer gathered(Buffer in, int first, int total) {
        Buffer all = BufferAllocator.pooled().allocate(total);
        int at = first;
        for (int done = 0; done < total; ) {
            int length = chunk(in, at);
            all.writeOffset(done + length).setBytes(done, in, lines.next, length);
            done += length;
            at = lines.next + length + 2;
        }
        return all;
    }
}
