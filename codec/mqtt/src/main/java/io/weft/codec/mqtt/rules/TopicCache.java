package io.weft.codec.mqtt.rules;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.Topic;
import org.jspecify.annotations.Nullable;

/// Topics that a connection has lately named, so that naming one again makes no object.
public final class TopicCache {
    private static final int SLOTS = 16;

    /// Bytes of topics that are kept: with the slots they bound what a connection holds.
    private static final int MAX_LENGTH = 128;

    private @Nullable Topic @Nullable [] slots;

    /// Bytes of the topics in `slots`.
    private byte[][] bytes = {};

    /// Returns the topic of these bytes, if it is here.
    public @Nullable Topic find(Buffer in, int index, int length) {
        @Nullable Topic[] kept = slots;
        if (kept == null || length > MAX_LENGTH) {
            return null;
        }
        int slot = slot(in, index, length);
        Topic topic = kept[slot];
        return topic != null
                        && topic.length() == length
                        && in.contentEquals(index, bytes[slot], 0, length)
                ? topic
                : null;
    }

    /// Keeps a topic.
    ///
    /// @param utf8 its bytes, which stand in `in` at `index` too
    public void keep(Topic topic, byte[] utf8, Buffer in, int index) {
        int length = utf8.length;
        if (length > MAX_LENGTH) {
            return;
        }
        @Nullable Topic[] kept = slots;
        if (kept == null) {
            kept = new @Nullable Topic[SLOTS];
            slots = kept;
            bytes = new byte[SLOTS][];
        }
        int slot = slot(in, index, length);
        kept[slot] = topic;
        bytes[slot] = utf8;
    }

    /// Of the last bytes: topics of one client tend to begin alike.
    private static int slot(Buffer in, int index, int length) {
        long word = length;
        if (length >= 8) {
            word ^= in.getLong(index + length - 8);
        } else {
            for (int i = 0; i < length; i++) {
                word = word << 8 | in.getUnsignedByte(index + i);
            }
        }
        word *= 0x9E3779B97F4A7C15L;
        return (int) (word >>> 60);
    }
}
