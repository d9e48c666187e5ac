package io.weft.client.memcache;

import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The items of several keys, of which each comes by itself, on any loop.
final class Gathered {
    private final Map<String, Item> items = new LinkedHashMap<>();
    private final Promise<Map<String, Item>> promise;
    private int left;
    private @Nullable Throwable failure;

    Gathered(int keys, Promise<Map<String, Item>> promise) {
        this.promise = promise;
        left = keys;
        if (keys == 0) {
            promise.trySuccess(items);
        }
    }

    Future<Map<String, Item>> promise() {
        return promise;
    }

    void add(String key, Future<Optional<Item>> done) {
        boolean last;
        synchronized (this) {
            Optional<Item> item = done.now();
            if (item == null) {
                failure = failure == null ? done.cause() : failure;
            } else {
                item.ifPresent(found -> items.put(key, found));
            }
            last = --left == 0;
        }
        if (!last) {
            return;
        }
        Throwable cause = failure;
        boolean taken = false;
        if (cause == null) {
            taken = promise.trySuccess(items);
        } else {
            var _ = promise.tryFailure(cause);
        }
        if (!taken) {
            items.values().forEach(Item::close);
        }
    }
}
