package io.weft.codec.redis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The place of the next part that is written. What a peer would take for something else is
/// refused.
final class PartOrder {
    private RespType[] types = new RespType[4];
    private long[] remaining = new long[4];
    private boolean[] odd = new boolean[4];
    private int depth;

    /// Null outside of bulks.
    private @Nullable RespType bulk;

    private long left;

    /// Tells if what is ended or continued now has its length left open.
    boolean isOpen() {
        return bulk != null ? left < 0 : depth > 0 && remaining[depth - 1] < 0;
    }

    /// @throws IllegalArgumentException unless `part` may be written now
    void check(RespPart part, RespVersion version) {
        switch (part) {
            case RespPart.BulkChunk chunk -> {
                long length = chunk.content().readableBytes();
                require(bulk != null && (left < 0 || length <= left), part, "its bytes of a bulk");
            }
            case RespPart.BulkEnd _ -> require(bulk != null && left <= 0, part, "a whole bulk");
            case RespPart.AggregateEnd _ ->
                    require(
                            bulk == null
                                    && depth > 0
                                    && remaining[depth - 1] <= 0
                                    && !(types[depth - 1].isOfPairs() && odd[depth - 1]),
                            part,
                            "all elements");
            case RespPart.AggregateStart start -> {
                requireRoom(part);
                require(start.type() != RespType.PUSH || depth == 0, part, "pushes at depth 0");
                require(
                        version == RespVersion.RESP3
                                || (start.size() >= 0 && start.type() != RespType.ATTRIBUTE),
                        part,
                        "a size and no attribute in RESP2");
            }
            case RespPart.BulkStart start -> {
                requireRoom(part);
                require(
                        version == RespVersion.RESP3
                                || (start.length() >= 0 && start.type() == RespType.BULK),
                        part,
                        "a BULK with its length in RESP2");
                require(
                        start.type() != RespType.VERBATIM || start.length() >= 4,
                        part,
                        "a format of 4 bytes");
            }
            case RespValue value -> {
                requireRoom(part);
                require(
                        depth == 0 || !(value instanceof RespValue.Push),
                        part,
                        "pushes at depth 0");
            }
        }
    }

    private void requireRoom(RespPart part) {
        require(
                bulk == null && (depth == 0 || remaining[depth - 1] != 0),
                part,
                "the end of what is open");
    }

    private static void require(boolean valid, RespPart part, String expected) {
        if (!valid) {
            throw new IllegalArgumentException(
                    part.getClass().getSimpleName()
                            + ": out of place (expected: "
                            + expected
                            + ")");
        }
    }

    /// Goes on behind `part`, which was written.
    void accept(RespPart part) {
        switch (part) {
            case RespPart.BulkChunk chunk -> left -= left < 0 ? 0 : chunk.content().readableBytes();
            case RespPart.BulkEnd _ -> {
                bulk = null;
                completed();
            }
            case RespPart.BulkStart start -> {
                bulk = start.type();
                left = start.length();
            }
            case RespPart.AggregateStart start -> {
                RespType type = start.type();
                open(type, type.isOfPairs() && start.size() > 0 ? 2 * start.size() : start.size());
            }
            case RespPart.AggregateEnd _ -> {
                if (types[--depth] != RespType.ATTRIBUTE) {
                    completed();
                }
            }
            case RespValue _ -> completed();
        }
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
    }

    private void completed() {
        if (depth > 0) {
            odd[depth - 1] = !odd[depth - 1];
            if (remaining[depth - 1] > 0) {
                remaining[depth - 1]--;
            }
        }
    }
}
