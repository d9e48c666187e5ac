package io.weft.http.client;

import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Exchanges that wait for a stream of their connection, oldest first. Thread: the loop.
final class StreamQueue {
    private static final class Entry {
        final ClientExchange exchange;
        @Nullable Timeout timeout;

        Entry(ClientExchange exchange) {
            this.exchange = exchange;
        }

        ClientExchange left() {
            if (timeout != null) {
                timeout.cancel();
            }
            return exchange;
        }
    }

    private final ArrayDeque<Entry> waiting = new ArrayDeque<>(0);

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(ClientExchange exchange) {
        waiting.add(new Entry(exchange));
    }

    /// Returns the one that has waited longest of those that `mayBegin` takes; null if it takes
    /// none.
    @Nullable ClientExchange first(Predicate<? super ClientExchange> mayBegin) {
        for (Entry entry : waiting) {
            if (mayBegin.test(entry.exchange)) {
                return entry.exchange;
            }
        }
        return null;
    }

    /// Removes an exchange.
    ///
    /// @return false if it does not wait
    boolean remove(ClientExchange exchange) {
        for (Iterator<Entry> i = waiting.iterator(); i.hasNext(); ) {
            Entry entry = i.next();
            if (entry.exchange == exchange) {
                i.remove();
                var _ = entry.left();
                return true;
            }
        }
        return false;
    }

    /// Removes all exchanges.
    List<ClientExchange> removeAll() {
        List<ClientExchange> all = new ArrayList<>(waiting.size());
        waiting.forEach(entry -> all.add(entry.left()));
        waiting.clear();
        return all;
    }

    /// Tells `late` of an exchange that still waits after `most`.
    void watch(
            ClientExchange exchange,
            EventLoop loop,
            Duration most,
            Consumer<? super ClientExchange> late) {
        for (Entry entry : waiting) {
            if (entry.exchange == exchange) {
                try {
                    entry.timeout =
                            loop.scheduleCoarse(
                                    () -> late.accept(exchange),
                                    most.toNanos(),
                                    TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    // The loop ends, and its connections with it.
                }
            }
        }
    }
}
