package io.weft.bench.codec;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// The content that is compressed.
public enum Content {
    /// Records of JSON: about a fifth is left of them.
    TEXT,
    /// Nothing in it comes twice.
    NOISE;

    static final int LENGTH = 1 << 16;

    byte[] bytes() {
        SplittableRandom random = new SplittableRandom(42);
        byte[] bytes = new byte[LENGTH];
        if (this == NOISE) {
            random.nextBytes(bytes);
            return bytes;
        }
        StringBuilder text = new StringBuilder(LENGTH + 100);
        while (text.length() < LENGTH) {
            text.append("{\"id\":").append(random.nextInt(1 << 20));
            text.append(",\"name\":\"user-").append(random.nextInt(1 << 12));
            text.append("\",\"active\":").append(random.nextBoolean());
            text.append(",\"score\":").append(random.nextInt(1000)).append("}\n");
        }
        text.setLength(LENGTH);
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
