package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;

/// A server that answers when a test says so.
final class HeldServer implements DnsTransport {
    private record Held(DnsMessage query, Promise<DnsMessage> response) {}

    private final List<Held> held = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    int cancelled;

    DnsServer server() {
        return new DnsServer.Custom("held", this);
    }

    @Override
    public Future<DnsMessage> exchange(DnsMessage query, EventExecutor executor) {
        Promise<DnsMessage> response = executor.newPromise();
        held.add(new Held(query, response));
        var _ = response.addListener(outcome -> cancelled += outcome.isCancelled() ? 1 : 0);
        asked.add(query.questions().getFirst().name().toString());
        return response;
    }

    /// Answers the query that has waited longest, of those that were not cancelled.
    void answer(String... lines) {
        held.removeIf(one -> one.response.isDone());
        Held first = held.removeFirst();
        first.response.trySuccess(SimWorld.answer(first.query, lines));
    }
}
