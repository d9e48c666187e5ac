package io.weft.codec.redis;

import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Attributed;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Push;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The aggregates around the value that a [RespDecoder] reads, the innermost last. It holds no more
/// elements than have come.
final class Nesting {
    /// Stands for an aggregate that was opened, and has no value yet.
    static final RespValue OPENED = new Array(List.of(Null.NULL));

    /// Room for elements that a count may reserve.
    private static final int FIRST_ROOM = 32;

    private static final RespValue[] NONE = {};

    private static final class Level {
        RespType type = RespType.ARRAY;

        /// Elements that are to come; negative while only a dot ends it.
        long remaining;

        /// True if an odd number of elements has come.
        boolean odd;

        /// True for an attribute that is complete: its value comes next.
        boolean complete;

        RespValue[] values = NONE;
        int size;

        void add(RespValue value) {
            if (size == values.length) {
                long most = remaining < 0 ? Integer.MAX_VALUE : size + remaining;
                values =
                        Arrays.copyOf(
                                values, (int) Math.min(most, Math.max(FIRST_ROOM, 2L * size)));
            }
            values[size++] = value;
        }

        Elements take() {
            Elements elements = new Elements(values, size);
            values = NONE;
            size = 0;
            return elements;
        }
    }

    private final RespLimits limits;
    private Level[] levels = {};
    private int depth;
    private @Nullable RespValue result;

    /// Elements of all levels so far.
    private long elements;

    Nesting(RespLimits limits) {
        this.limits = limits;
    }

    int depth() {
        return depth;
    }

    void clear() {
        depth = 0;
        result = null;
        elements = 0;
    }

    /// The value that was completed.
    RespValue take() {
        RespValue value = result;
        if (value == null) {
            throw new AssertionError("no value (expected: completed)");
        }
        return value;
    }

    /// Releases what was built.
    void giveUp() {
        for (int i = 0; i < depth; i++) {
            levels[i].take().forEach(RespValue::close);
        }
        depth = 0;
        if (result != null) {
            result.close();
            result = null;
        }
    }

    static RespValue empty(RespType type) {
        return switch (type) {
            case ARRAY -> Array.EMPTY;
            case SET -> RespValue.Set.EMPTY;
            case PUSH -> new Push(List.of());
            default -> RespValue.Map.EMPTY;
        };
    }

    /// Counts the elements of an aggregate that comes.
    void count(RespType type, long size) {
        elements += Lengths.elements(type, size, elements, limits);
    }

    /// @param size [RespPart#OPEN] when a dot will end them
    void open(RespType type, long size, boolean build) {
        Lengths.depth(depth + 1, limits);
        if (depth == levels.length) {
            levels = Arrays.copyOf(levels, Math.max(4, 2 * depth));
            for (int i = depth; i < levels.length; i++) {
                levels[i] = new Level();
            }
        }
        Level level = levels[depth++];
        level.type = type;
        level.remaining = size;
        level.odd = false;
        level.complete = size == 0; // of an attribute alone
        level.size = 0;
        level.values = build && size > 0 ? new RespValue[(int) Math.min(size, FIRST_ROOM)] : NONE;
    }

    /// Puts a value where it belongs, and returns true when that completes the whole.
    boolean completes(RespValue value, boolean build) {
        RespValue done = value;
        while (depth > 0) {
            Level level = levels[depth - 1];
            if (level.complete) {
                depth--;
                done = build ? attributed(level, done) : done;
                continue;
            }
            if (build) {
                level.add(done);
            }
            level.odd = !level.odd;
            if (level.remaining < 0) {
                count(RespType.ARRAY, 1);
            }
            if (level.remaining < 0 || --level.remaining > 0) {
                return false;
            }
            if (level.type == RespType.ATTRIBUTE) {
                level.complete = true;
                return false;
            }
            depth--;
            done = build ? built(level) : done;
        }
        result = done;
        return true;
    }

    private static Attributed attributed(Level level, RespValue value) {
        return new Attributed(new RespValue.Map(level.take()), value);
    }

    private static RespValue built(Level level) {
        return switch (level.type) {
            case ARRAY -> new Array(level.take());
            case SET -> new RespValue.Set(level.take());
            case PUSH -> new Push(level.take());
            default -> new RespValue.Map(level.take());
        };
    }

    void requireEndable() {
        Level level = depth == 0 ? null : levels[depth - 1];
        if (level == null || level.remaining >= 0 || (level.type.isOfPairs() && level.odd)) {
            throw new RespException(
                    RespFault.STREAM_END,
                    "dot: "
                            + (level == null ? "at depth 0" : "in " + level.type)
                            + " (expected: behind the elements of a streamed aggregate)");
        }
    }

    /// Ends the innermost aggregate, and returns its value.
    RespValue end(boolean build) {
        Level level = levels[--depth];
        return build ? built(level) : Null.ARRAY;
    }
}
