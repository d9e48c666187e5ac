package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A search and what it has told, as text.
final class Asked implements NameResolver.Answers {
    final List<String> told = new ArrayList<>();
    final Future<Void> search;

    Asked(NameResolver resolver, String host, EventExecutor executor) {
        search = resolver.resolve(host, 80, executor, this);
    }

    private static String text(List<ResolvedAddress> addresses) {
        return String.join(" ", addresses.stream().map(a -> a.address().getHostAddress()).toList());
    }

    /// The addresses only.
    String addresses() {
        return String.join(" ", told.stream().filter(t -> !t.contains("complete")).toList());
    }

    String failure() {
        Throwable cause = search.cause();
        return cause == null ? "none" : String.valueOf(cause.getMessage());
    }

    @Override
    public void found(List<ResolvedAddress> addresses) {
        told.add(text(addresses));
    }

    @Override
    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
        told.add(text(addresses));
    }

    @Override
    public void complete(StandardProtocolFamily family) {
        told.add("complete " + family);
    }

    @Override
    public void removed(List<ResolvedAddress> addresses) {
        told.add("removed " + text(addresses));
    }
}
