package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Utf8Rules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A topic filter: the topics that a subscription is for. A level that is `+` stands for any one
/// level, a last level `#` for any number of them, none included.
///
/// `$share/NAME/FILTER` is a shared subscription: of all its subscribers each message goes to one.
/// It is one in every version of the protocol, as servers of MQTT 3.1.1 have it too.
///
/// Immutable; any thread.
public final class TopicFilter {
    private static final byte[] SHARE = "$share/".getBytes(StandardCharsets.US_ASCII);

    final byte[] utf8;

    /// Offset of the filter behind the name of a share.
    private final int from;

    private final boolean wildcard;

    /// @throws IllegalArgumentException when the wildcards or the share are malformed
    TopicFilter(byte[] utf8) {
        this(utf8, startsWithShare(utf8) ? endOfShare(utf8) : 0);
    }

    private TopicFilter(byte[] utf8, int from) {
        this.utf8 = utf8;
        this.from = from;
        if (from == utf8.length) {
            throw new IllegalArgumentException("topic filter: empty (expected: a level)");
        }
        wildcard = requireWildcards(utf8, from);
    }

    /// @throws IllegalArgumentException when `text` is empty or too long, or has U+0000, a `+` or
    ///   `#` that is not a level alone, a `#` that is not the last level, or a share without a name
    ///   or filter
    public static TopicFilter of(String text) {
        return new TopicFilter(Utf8Rules.encode("topic filter", text));
    }

    /// Returns the filter that matches `topic` alone. It is not shared, whatever `topic` begins
    /// with.
    public static TopicFilter of(Topic topic) {
        return new TopicFilter(topic.utf8, 0);
    }

    private static boolean startsWithShare(byte[] utf8) {
        return utf8.length >= SHARE.length
                && Arrays.equals(utf8, 0, SHARE.length, SHARE, 0, SHARE.length);
    }

    private static int endOfShare(byte[] utf8) {
        for (int i = SHARE.length; i < utf8.length; i++) {
            if (utf8[i] == '/') {
                if (i == SHARE.length) {
                    break;
                }
                return i + 1;
            }
            // MQTT 5.0, 4.8.2: the name of a share has none of '/', '+' and '#'.
            if (utf8[i] == '+' || utf8[i] == '#') {
                throw new IllegalArgumentException(
                        "share name: wildcard at byte " + i + " (expected: none)");
            }
        }
        throw new IllegalArgumentException(
                "topic filter: a share without name or filter (expected: $share/NAME/FILTER)");
    }

    /// Checks MQTT 5.0, 4.7.1, and tells if there is a wildcard.
    private static boolean requireWildcards(byte[] utf8, int from) {
        boolean found = false;
        for (int i = from; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b != '#' && b != '+') {
                continue;
            }
            found = true;
            boolean begins = i == from || utf8[i - 1] == '/';
            boolean ends = i + 1 == utf8.length || (b == '+' && utf8[i + 1] == '/');
            if (!begins || !ends) {
                throw new IllegalArgumentException(
                        "topic filter: "
                                + (char) b
                                + " at byte "
                                + i
                                + (b == '#'
                                        ? " (expected: alone as the last level)"
                                        : " (expected: alone in its level)"));
            }
        }
        return found;
    }

    /// Tells if this is a shared subscription.
    public boolean isShared() {
        return from > 0;
    }

    /// The name of the share; null without one.
    public @Nullable String shareName() {
        return from == 0
                ? null
                : new String(utf8, SHARE.length, from - 1 - SHARE.length, StandardCharsets.UTF_8);
    }

    /// Returns this filter without its share. The result is not shared, also where it begins with
    /// `$share` again, as that of `$share/a/$share/b/c` does.
    public TopicFilter unshared() {
        return from == 0 ? this : new TopicFilter(Arrays.copyOfRange(utf8, from, utf8.length), 0);
    }

    public boolean hasWildcard() {
        return wildcard;
    }

    /// The number of levels, without those of a share.
    public int levels() {
        return Topic.levels(utf8, from);
    }

    /// Tells if the subscription gets messages of `topic`.
    public boolean matches(Topic topic) {
        byte[] name = topic.utf8;
        if (name.length == 0
                // MQTT 5.0, 4.7.2: a leading wildcard does not match a server's topic.
                || (name[0] == '$' && (utf8[from] == '+' || utf8[from] == '#'))) {
            return false;
        }
        int f = from;
        int t = 0;
        while (f < utf8.length) {
            byte b = utf8[f];
            if (b == '#') {
                return true;
            }
            if (b == '+') {
                while (t < name.length && name[t] != '/') {
                    t++;
                }
                f++;
            } else if (t < name.length && name[t] == b) {
                f++;
                t++;
            } else {
                // "a/#" matches "a" too, and so does "+/#".
                return t == name.length && isRestHash(f);
            }
        }
        return t == name.length;
    }

    private boolean isRestHash(int at) {
        return utf8.length - at == 2 && utf8[at] == '/' && utf8[at + 1] == '#';
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof TopicFilter f
                        && from == f.from
                        && Arrays.equals(utf8, f.utf8));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    @Override
    public String toString() {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
