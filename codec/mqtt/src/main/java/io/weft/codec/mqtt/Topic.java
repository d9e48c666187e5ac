package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Utf8Rules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A topic name: the address of a message. Levels are parted by slashes, and may be empty; those
/// that begin with `$` belong to servers (`$SYS/...`).
///
/// Kept in UTF-8, as it travels; a decoder gives the same object for a topic that it has lately
/// seen. Immutable; any thread.
public final class Topic implements Comparable<Topic> {
    /// The place of a topic that an alias stands for: PUBLISH of MQTT 5.0 only, no name otherwise.
    public static final Topic NONE = new Topic(new byte[0]);

    final byte[] utf8;
    private String text = "";
    private int hash;

    Topic(byte[] utf8) {
        this.utf8 = utf8;
    }

    /// @throws IllegalArgumentException when `text` is empty, too long, or has a wildcard or U+0000
    public static Topic of(String text) {
        byte[] utf8 = Utf8Rules.encode("topic", text);
        if (utf8.length == 0) {
            throw new IllegalArgumentException("topic: empty (expected: at least one character)");
        }
        for (int i = 0; i < utf8.length; i++) {
            if (utf8[i] == '#' || utf8[i] == '+') {
                throw new IllegalArgumentException(
                        "topic: wildcard at byte " + i + " (expected: none, MQTT 5.0, 3.3.2.1)");
            }
        }
        Topic topic = new Topic(utf8);
        topic.text = text;
        return topic;
    }

    /// Tells if this is [#NONE].
    public boolean isNone() {
        return utf8.length == 0;
    }

    /// Tells if the topic begins with `$`. Filters that begin with a wildcard do not match it, and
    /// clients should not publish to it.
    public boolean isOfServer() {
        return utf8.length > 0 && utf8[0] == '$';
    }

    /// The number of levels: 1 without a slash.
    public int levels() {
        return levels(utf8, 0);
    }

    static int levels(byte[] utf8, int from) {
        int levels = 1;
        for (int i = from; i < utf8.length; i++) {
            if (utf8[i] == '/') {
                levels++;
            }
        }
        return levels;
    }

    /// Bytes in UTF-8.
    public int length() {
        return utf8.length;
    }

    @Override
    public int compareTo(Topic other) {
        return Arrays.compareUnsigned(utf8, other.utf8);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Topic t && Arrays.equals(utf8, t.utf8));
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(utf8);
            hash = h; // a race computes it twice
        }
        return h;
    }

    @Override
    public String toString() {
        String t = text;
        if (t.isEmpty() && utf8.length > 0) {
            t = new String(utf8, StandardCharsets.UTF_8);
            text = t;
        }
        return t;
    }
}
