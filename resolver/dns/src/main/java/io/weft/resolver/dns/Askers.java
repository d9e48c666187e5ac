package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.loop.Promise;
import java.util.PriorityQueue;

/// Callers that wait for one answer, each until a time of its own. Loop only.
final class Askers {
    private record Asker(Promise<DnsMessage> promise, long deadline) {}

    private final PriorityQueue<Asker> all =
            new PriorityQueue<>(1, (a, b) -> Long.signum(a.deadline - b.deadline));
    private int unanswered;

    /// @param deadline nanoseconds of the loop's clock
    void add(Promise<DnsMessage> promise, long deadline) {
        all.add(new Asker(promise, deadline));
        unanswered++;
    }

    /// Those of whom [#left] has not been told.
    int unanswered() {
        return unanswered;
    }

    /// One of them waits no longer.
    void left() {
        unanswered--;
        if (all.size() > 2 * unanswered + 8) {
            all.removeIf(asker -> asker.promise.isDone()); // rarely, so that many may leave
        }
    }

    /// Nanoseconds until the first of them may wait no longer.
    long patience(long now) {
        Asker first = all.peek();
        return first == null ? Long.MAX_VALUE : Math.max(first.deadline - now, 0);
    }

    /// Fails those whose time is over.
    void failLate(long now, ResolveException cause) {
        for (Asker first = all.peek();
                first != null && first.deadline - now <= 0;
                first = all.peek()) {
            all.remove();
            first.promise.tryFailure(cause);
        }
    }

    void succeed(DnsMessage response) {
        for (Asker asker = all.poll(); asker != null; asker = all.poll()) {
            asker.promise.trySuccess(response);
        }
    }

    void fail(ResolveException cause) {
        for (Asker asker = all.poll(); asker != null; asker = all.poll()) {
            asker.promise.tryFailure(cause);
        }
    }
}
