package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import io.weft.codec.redis.RespPart.AggregateEnd;
import io.weft.codec.redis.RespPart.AggregateStart;
import io.weft.codec.redis.RespPart.BulkChunk;
import io.weft.codec.redis.RespPart.BulkEnd;
import io.weft.codec.redis.RespPart.BulkStart;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Null;
import java.util.Arrays;
import java.util.function.Consumer;

/// Decodes values of RESP2 and RESP3 in parts, however large they are: see [RespPart]. Of
/// [RespLimits] all but `messageBytes` hold.
///
/// Null, values of one line, and strings up to a length that is chosen come whole; other bulks in
/// chunks as they arrive.
///
/// **Errors.** What breaks the protocol or a limit is a [RespException]; the parts before it have
/// been handed out.
public final class RespPartDecoder extends StepDecoder<RespPart> {
    private static final int NO_BULK = 0;
    private static final int CONTENT = 1;
    private static final int CONTENT_END = 2;
    private static final int CHUNK = 3;
    private static final int CHUNK_END = 4;

    private final RespLimits limits;
    private final int wholeBytes;
    private final Lines lines = new Lines();

    // The aggregates around the next part.
    private RespType[] types = new RespType[4];
    private long[] remaining = new long[4];
    private boolean[] odd = new boolean[4];
    private int depth;

    private long elements;

    /// True behind an attribute, whose value must follow.
    private boolean attributed;

    private int bulk = NO_BULK;

    /// Bytes of the bulk, or of the chunk, that are to come.
    private long left;

    /// Bytes of a streamed string so far.
    private long chunked;

    /// Strings up to 4 KiB come whole.
    public RespPartDecoder() {
        this(RespLimits.DEFAULT, 4096);
    }

    /// @param wholeBytes of strings that come whole, at most; 0 to 1,048,576
    public RespPartDecoder(RespLimits limits, int wholeBytes) {
        if (wholeBytes < 0 || wholeBytes > 1 << 20) {
            throw new IllegalArgumentException(
                    "wholeBytes: " + wholeBytes + " (expected: 0 to 1048576)");
        }
        this.limits = limits;
        this.wholeBytes = wholeBytes;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super RespPart> out) {
        if (depth > 0 && remaining[depth - 1] == 0) {
            depth--;
            attributed = types[depth] == RespType.ATTRIBUTE;
            if (!attributed) {
                completed();
            }
            emitted();
            out.accept(AggregateEnd.END);
            return true;
        }
        if (!in.isReadable()) {
            return false;
        }
        return switch (bulk) {
            case CONTENT -> content(in, out);
            case CONTENT_END -> contentEnd(in, out);
            case CHUNK -> chunk(in, out);
            case CHUNK_END -> chunkEnd(in);
            default -> value(in, out);
        };
    }

    /// A value is complete: it counts in the aggregate around it.
    private void completed() {
        attributed = false;
        if (depth > 0) {
            int top = depth - 1;
            odd[top] = !odd[top];
            if (remaining[top] > 0) {
                remaining[top]--;
            } else {
                elements += Lengths.elements(RespType.ARRAY, 1, elements, limits);
            }
        } else {
            elements = 0;
        }
    }

    private boolean value(Buffer in, Consumer<? super RespPart> out) {
        int at = in.readOffset();
        byte first = in.getByte(at);
        RespType type = RespType.of(first);
        if (type == null) {
            return end(in, at, first, out);
        }
        if (type.isAggregate()) {
            return aggregate(type, in, at + 1, out);
        }
        if (type.isBulk()) {
            return bulk(type, in, at + 1, out);
        }
        if (!Scalars.find(type, lines, in, at + 1, limits)) {
            return false;
        }
        RespValue value = Scalars.value(type, lines, in, at + 1);
        in.readOffset(lines.next);
        completed();
        out.accept(value);
        return true;
    }

    private boolean end(Buffer in, int at, byte first, Consumer<? super RespPart> out) {
        if (first != '.') {
            throw new RespException(
                    RespFault.TYPE,
                    "type: " + DecoderException.quote(in, at, at + 1) + " (expected: one of RESP)");
        }
        int top = depth - 1;
        if (depth == 0
                || remaining[top] >= 0
                || attributed
                || (types[top].isOfPairs() && odd[top])) {
            throw new RespException(
                    RespFault.STREAM_END,
                    "dot: "
                            + (depth == 0 ? "at depth 0" : "in " + types[top])
                            + " (expected: behind the elements of a streamed aggregate)");
        }
        if (!lines.find(in, at + 1, 0)) {
            return false;
        }
        in.readOffset(lines.next);
        depth--;
        completed();
        out.accept(AggregateEnd.END);
        return true;
    }

    private boolean aggregate(RespType type, Buffer in, int from, Consumer<? super RespPart> out) {
        if (type == RespType.PUSH && (depth > 0 || attributed)) {
            throw new RespException(
                    RespFault.PUSH, "push: inside another value (expected: at depth 0)");
        }
        if (from == in.writeOffset()) {
            return false;
        }
        long size = RespPart.OPEN;
        if (Lengths.isOpen(type, in, from)) {
            if (!lines.find(in, from, 1)) {
                return false;
            }
        } else {
            if (!lines.findNumber(in, from)) {
                return false;
            }
            size = lines.number;
            if (size == -1 && type == RespType.ARRAY) {
                in.readOffset(lines.next);
                completed();
                out.accept(Null.ARRAY);
                return true;
            }
            elements += Lengths.elements(type, size, elements, limits);
        }
        Lengths.depth(depth + 1, limits);
        in.readOffset(lines.next);
        open(type, type.isOfPairs() && size > 0 ? 2 * size : size);
        out.accept(new AggregateStart(type, size));
        return true;
    }

    private void open(RespType type, long count) {
        if (depth == types.length) {
            types = Arrays.copyOf(types, 2 * depth);
            remaining = Arrays.copyOf(remaining, 2 * depth);
            odd = Arrays.copyOf(odd, 2 * depth);
        }
        types[depth] = type;
        remaining[depth] = count;
        odd[depth++] = false;
        attributed = false;
    }

    private boolean bulk(RespType type, Buffer in, int from, Consumer<? super RespPart> out) {
        if (from == in.writeOffset()) {
            return false;
        }
        if (Lengths.isOpen(type, in, from)) {
            if (!lines.find(in, from, 1)) {
                return false;
            }
            in.readOffset(lines.next);
            bulk = CHUNK;
            chunked = 0;
            out.accept(new BulkStart(type, RespPart.OPEN));
            return true;
        }
        if (!lines.findNumber(in, from)) {
            return false;
        }
        long length = lines.number;
        if (length == -1 && type == RespType.BULK) {
            in.readOffset(lines.next);
            completed();
            out.accept(Null.BULK);
            return true;
        }
        Lengths.bulk(type, length, 0, limits);
        if (type == RespType.BULK && length <= wholeBytes) {
            int end = lines.next + (int) length;
            if (!Lengths.ends(in, end)) {
                return false;
            }
            Buffer content = in.slice(lines.next, (int) length);
            in.readOffset(end + 2);
            completed();
            out.accept(new Bulk(content));
            return true;
        }
        in.readOffset(lines.next);
        left = length;
        bulk = length == 0 ? CONTENT_END : CONTENT;
        out.accept(new BulkStart(type, length));
        return true;
    }

    private boolean content(Buffer in, Consumer<? super RespPart> out) {
        Buffer part = in.split((int) Math.min(left, in.readableBytes()));
        left -= part.readableBytes();
        if (left == 0) {
            bulk = bulk == CONTENT ? CONTENT_END : CHUNK_END;
        }
        out.accept(new BulkChunk(part));
        return true;
    }

    private boolean contentEnd(Buffer in, Consumer<? super RespPart> out) {
        int at = in.readOffset();
        if (!Lengths.ends(in, at)) {
            return false;
        }
        in.readOffset(at + 2);
        bulk = NO_BULK;
        completed();
        out.accept(BulkEnd.END);
        return true;
    }

    /// The line before a chunk, or some of its content.
    private boolean chunk(Buffer in, Consumer<? super RespPart> out) {
        if (left > 0) {
            return content(in, out);
        }
        int at = in.readOffset();
        if (in.getByte(at) != ';') {
            throw new RespException(
                    RespFault.CHUNK,
                    "streamed string: "
                            + DecoderException.quote(in, at, at + 1)
                            + " (expected: ;)");
        }
        if (!lines.findNumber(in, at + 1)) {
            return false;
        }
        Lengths.bulk(RespType.BULK, lines.number, chunked, limits);
        in.readOffset(lines.next);
        left = lines.number;
        chunked += left;
        if (left == 0) {
            bulk = NO_BULK;
            completed();
            out.accept(BulkEnd.END);
        }
        return true;
    }

    private boolean chunkEnd(Buffer in) {
        int at = in.readOffset();
        if (!Lengths.ends(in, at)) {
            return false;
        }
        in.readOffset(at + 2);
        bulk = CHUNK;
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super RespPart> out) {
        if (unread > 0 || depth > 0 || attributed || bulk != NO_BULK) {
            throw new PrematureEndException("a value, after " + unread + " bytes");
        }
    }
}
