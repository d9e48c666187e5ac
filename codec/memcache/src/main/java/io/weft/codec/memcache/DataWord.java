package io.weft.codec.memcache;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// Lines behind which data comes, by their first word: which word says how long it is.
final class DataWord {
    private static final int NONE = -1;

    private DataWord() {}

    /// The word of a request; -1 if no data comes behind it.
    static int ofRequest(String first) {
        return switch (first) {
            case "set", "add", "replace", "append", "prepend", "cas" -> 4;
            case "ms" -> 2;
            default -> NONE;
        };
    }

    static int ofReply(String first) {
        return switch (first) {
            case "VALUE" -> 3;
            case "VA" -> 1;
            default -> NONE;
        };
    }

    /// Requests have small letters and replies capital ones.
    static int ofEither(String first) {
        return Math.max(ofRequest(first), ofReply(first));
    }

    /// As above, for the word in [from, to) of `in`: most lines are told by their length.
    static int of(boolean request, Buffer in, int from, int to) {
        int length = to - from;
        if (length < 2 || length > 7) {
            return NONE;
        }
        byte b = in.getByte(from);
        boolean perhaps = request ? b >= 'a' && b <= 's' && b != 'g' : b == 'V';
        if (!perhaps) {
            return NONE;
        }
        String first = in.getString(from, length, StandardCharsets.ISO_8859_1);
        return request ? ofRequest(first) : ofReply(first);
    }
}
