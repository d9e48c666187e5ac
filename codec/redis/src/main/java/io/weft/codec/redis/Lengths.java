package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;

/// Rules of lengths and counts, which every decoder checks before it waits for what they announce.
final class Lengths {
    private Lengths() {}

    /// Tells if the length at `from` is a question mark, so that an end will tell.
    static boolean isOpen(RespType type, Buffer in, int from) {
        return in.getByte(from) == '?' && type.isStreamable();
    }

    /// Returns the number of elements that `count` elements or pairs make.
    static long elements(RespType type, long count, long before, RespLimits limits) {
        if (count < 0) {
            throw new RespException(
                    RespFault.LENGTH, type + ": count " + count + " (expected: >= 0)");
        }
        long elements = type.isOfPairs() && count <= Integer.MAX_VALUE ? 2 * count : count;
        if (elements > limits.elements() - before) {
            throw RespException.beyond(
                    RespFault.ELEMENTS_LIMIT, "elements", elements + before, limits.elements());
        }
        return elements;
    }

    static void bulk(RespType type, long length, long before, RespLimits limits) {
        int least = type == RespType.VERBATIM ? 4 : 0; // its format and a colon
        if (length < least) {
            throw new RespException(
                    RespFault.LENGTH,
                    type + ": length " + length + " (expected: >= " + least + ")");
        }
        if (length > limits.bulkBytes() - before) {
            throw RespException.beyond(
                    RespFault.BULK_LIMIT, "bulk bytes", length + before, limits.bulkBytes());
        }
    }

    static void message(long bytes, RespLimits limits) {
        if (bytes > limits.messageBytes()) {
            throw RespException.beyond(
                    RespFault.MESSAGE_LIMIT, "message bytes", bytes, limits.messageBytes());
        }
    }

    static void depth(int depth, RespLimits limits) {
        if (depth > limits.depth()) {
            throw RespException.beyond(RespFault.DEPTH_LIMIT, "depth", depth, limits.depth());
        }
    }

    /// Checks the end of a bulk, as far as it is there.
    ///
    /// @return false when more bytes are needed
    static boolean ends(Buffer in, int at) {
        int there = in.writeOffset() - at;
        if (there > 0 && in.getByte(at) != '\r') {
            throw noEnd(in, at, "CR");
        }
        if (there > 1 && in.getByte(at + 1) != '\n') {
            throw noEnd(in, at + 1, "LF");
        }
        return there > 1;
    }

    private static RespException noEnd(Buffer in, int at, String expected) {
        return new RespException(
                RespFault.BULK_END,
                "behind a bulk: "
                        + DecoderException.quote(in, at, at + 1)
                        + " (expected: "
                        + expected
                        + ")");
    }
}
