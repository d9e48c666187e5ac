package io.weft.client.redis;

import io.weft.buffer.MemoryLimitException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Channels, patterns and channels of shards that a client is subscribed to, which each connection
/// subscribes to again. Any thread.
final class Subscriptions {
    /// A channel or a pattern.
    ///
    /// @param kind in lower case, such as `psubscribe`
    record Subscription(String kind, String name) {
        /// Returns a command of its own: the server refuses one as a whole, for one name without
        /// permission or for channels of shards in two slots.
        List<String> command() {
            return List.of(kind.toUpperCase(Locale.ROOT), name);
        }
    }

    /// Names by kind, such as `psubscribe`. Under this one's lock.
    private final Map<String, Set<String>> names = new TreeMap<>();

    /// Notes what a call changes, unless the server refuses it or queues it for a transaction.
    void note(Call call) {
        String kind = call.subscription;
        if (kind.isEmpty()) {
            return;
        }
        List<String> changed = call.channels();
        synchronized (this) {
            boolean ends = kind.contains("unsub");
            Set<String> all =
                    names.computeIfAbsent(
                            ends ? kind.replace("unsub", "sub") : kind, _ -> new LinkedHashSet<>());
            if (ends) {
                changed.forEach(all::remove);
                return;
            }
            changed.removeIf(name -> !all.add(name));
        }
        var _ =
                call.promise()
                        .addListener(
                                done -> {
                                    boolean refused =
                                            done.cause() instanceof RedisException.Replied
                                                    || done.cause() instanceof MemoryLimitException;
                                    if (refused || (done.isSuccess() && !call.isConfirmed())) {
                                        forget(kind, changed);
                                    }
                                });
    }

    private synchronized void forget(String kind, List<String> changed) {
        Set<String> all = names.get(kind);
        if (all != null) {
            changed.forEach(all::remove);
        }
    }

    /// Forgets a subscription that has ended on the server.
    ///
    /// @return false if there was none
    synchronized boolean ended(Subscription subscription) {
        Set<String> all = names.get(subscription.kind);
        return all != null && all.remove(subscription.name);
    }

    /// Returns all of them.
    synchronized List<Subscription> all() {
        List<Subscription> all = new ArrayList<>();
        names.forEach((kind, some) -> some.forEach(name -> all.add(new Subscription(kind, name))));
        return all;
    }
}
