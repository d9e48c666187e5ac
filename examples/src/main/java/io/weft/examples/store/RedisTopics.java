package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.BufferAllocator;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Push;
import io.weft.handler.redis.RedisSession;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Subscriptions of the Redis example. Any thread.
final class RedisTopics {
    private final Map<String, Set<RedisSession>> channels = new ConcurrentHashMap<>();
    private final Map<String, Set<RedisSession>> patterns = new ConcurrentHashMap<>();

    void subscribe(boolean pattern, String name, RedisSession session) {
        var _ =
                (pattern ? patterns : channels)
                        .compute(
                                name,
                                (_, before) -> {
                                    Set<RedisSession> sessions =
                                            before == null ? ConcurrentHashMap.newKeySet() : before;
                                    sessions.add(session);
                                    return sessions;
                                });
    }

    void unsubscribe(boolean pattern, String name, RedisSession session) {
        var _ =
                (pattern ? patterns : channels)
                        .computeIfPresent(
                                name,
                                (_, sessions) -> {
                                    sessions.remove(session);
                                    return sessions.isEmpty() ? null : sessions;
                                });
    }

    /// Returns the number of subscriptions that got it.
    int publish(String channel, byte[] message) {
        int count = 0;
        for (RedisSession session : channels.getOrDefault(channel, Set.of())) {
            session.push(push("message", channel, message));
            count++;
        }
        for (Map.Entry<String, Set<RedisSession>> pattern : patterns.entrySet()) {
            String text = pattern.getKey();
            if (matches(text, channel)) {
                for (RedisSession session : pattern.getValue()) {
                    session.push(
                            new Push(
                                    List.of(
                                            Bulk.of("pmessage"),
                                            latin1(text),
                                            latin1(channel),
                                            bulk(message))));
                    count++;
                }
            }
        }
        return count;
    }

    private static Push push(String kind, String channel, byte[] message) {
        return new Push(List.of(Bulk.of(kind), latin1(channel), bulk(message)));
    }

    /// Tells if `text` is as `glob` says: `*` for any characters, `?` for one. In linear space, and
    /// at most quadratic time.
    static boolean matches(String glob, String text) {
        int g = 0;
        int t = 0;
        int star = -1;
        int behind = 0;
        while (t < text.length()) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                star = g++;
                behind = t;
            } else if (g < glob.length()
                    && (glob.charAt(g) == '?' || glob.charAt(g) == text.charAt(t))) {
                g++;
                t++;
            } else if (star >= 0) {
                g = star + 1;
                t = ++behind;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }

    static RespValue latin1(String text) {
        return bulk(text.getBytes(ISO_8859_1));
    }

    static Bulk bulk(byte[] bytes) {
        return new Bulk(
                BufferAllocator.pooled().allocate(Math.max(16, bytes.length)).writeBytes(bytes));
    }
}
