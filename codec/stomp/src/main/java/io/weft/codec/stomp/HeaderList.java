package io.weft.codec.stomp;

import io.weft.buffer.Buffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The headers of the frame that is being read. What was in the same place of a frame before and
/// is there again needs no new object: clients send to the same few destinations.
final class HeaderList {
    /// Longer values are not kept.
    private static final int MAX_KEPT = 128;

    /// Headers of which values are kept.
    private static final int MAX_HEADERS = 16;

    private static final int FIRST = 8;

    /// Names and values in turns: of this frame up to `length`, behind it of frames before.
    private @Nullable String[] pairs = new String[2 * FIRST];

    private int length;

    void clear() {
        length = 0;
    }

    /// The number of headers.
    int size() {
        return length / 2;
    }

    /// Adds the header of a line, in [from, colon) and (colon, to).
    ///
    /// @throws IllegalArgumentException as [HeaderText#decode]
    void add(Buffer in, int from, int colon, int to, StompVersion version) {
        if (length == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * length);
        }
        String name = pairs[length];
        if (name == null || !HeaderText.isPlainly(in, from, colon, name)) {
            name = HeaderText.name(in, from, colon, version);
        }
        String value = pairs[length + 1];
        if (value == null || !HeaderText.isPlainly(in, colon + 1, to, value)) {
            value = HeaderText.decode(in, colon + 1, to, version);
        }
        pairs[length] = name;
        pairs[length + 1] = value;
        length += 2;
    }

    /// Makes the headers of the frame.
    StompHeaders headers() {
        String[] all = new String[length];
        for (int i = 0; i < length; i++) {
            String text = pairs[i];
            all[i] = text == null ? "" : text;
            if (i >= 2 * MAX_HEADERS || all[i].length() > MAX_KEPT) {
                pairs[i] = null;
            }
        }
        return new StompHeaders(all);
    }
}
