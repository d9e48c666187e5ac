package io.weft.resolver.names.binding;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// One place of an [EndpointSearch], and what is known of its addresses. Hints count until
/// addresses of their family are there, or it is known that there are none (RFC 9460, 7.3).
final class Place implements Answers {
    private final EndpointSearch search;
    private final String host;
    private final int port;
    List<String> protocols;

    /// It is told when all others are known.
    boolean isLastResort;

    private final List<ResolvedAddress> held = new ArrayList<>();

    /// Hints that count, and those of them that were not told yet.
    private final List<InetAddress> hints = new ArrayList<>(0);

    private final List<InetAddress> heldHints = new ArrayList<>(0);

    /// Addresses as they were told, so that they can be taken back.
    private final List<ResolvedAddress> told = new ArrayList<>();

    private final List<ResolvedAddress> gone = new ArrayList<>();
    private final Set<StandardProtocolFamily> known = EnumSet.noneOf(StandardProtocolFamily.class);
    private final Set<StandardProtocolFamily> complete =
            EnumSet.noneOf(StandardProtocolFamily.class);
    private @Nullable Future<Void> running;
    private boolean over;
    private @Nullable Throwable failure;

    Place(EndpointSearch search, String host, int port, List<String> protocols) {
        this.search = search;
        this.host = host;
        this.port = port;
        this.protocols = protocols;
    }

    /// Begins to search, unless it has.
    void search(NameResolver names, EventExecutor executor) {
        if (running != null) {
            return;
        }
        Future<Void> begun;
        try {
            begun = names.resolve(host, port, executor, this);
        } catch (Throwable t) {
            begun = Promise.failed(executor, t);
        }
        running = begun;
        if (search.promise.isDone()) {
            begun.cancel();
        }
        var _ = begun.addListener(this::ended);
    }

    void cancel() {
        if (running != null) {
            running.cancel();
        }
    }

    private void ended(Future<Void> outcome) {
        over = true;
        if (!outcome.isSuccess()) {
            failure = Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new);
        } else {
            forgetHints(StandardProtocolFamily.INET);
            forgetHints(StandardProtocolFamily.INET6);
        }
        search.advance();
    }

    // ---- what its search tells ----

    @Override
    public void found(List<ResolvedAddress> addresses) {
        for (ResolvedAddress address : addresses) {
            known.add(family(address.address()));
            held.add(address);
        }
        known.forEach(this::forgetHints);
        search.advance();
    }

    @Override
    public void complete(StandardProtocolFamily family) {
        complete.add(family);
        search.advance();
    }

    @Override
    public void removed(List<ResolvedAddress> addresses) {
        for (ResolvedAddress address : addresses) {
            held.remove(address);
            takeBack(address.address());
        }
        search.advance();
    }

    private static StandardProtocolFamily family(InetAddress address) {
        return address instanceof java.net.Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    void hint(List<InetAddress> addresses) {
        for (InetAddress address : addresses) {
            if (!known.contains(family(address)) && !over) {
                hints.add(address);
                heldHints.add(address);
            }
        }
    }

    /// Takes back hints of a family that are not among its addresses.
    private void forgetHints(StandardProtocolFamily family) {
        for (InetAddress hint : List.copyOf(hints)) {
            if (family(hint) == family) {
                hints.remove(hint);
                heldHints.remove(hint);
                if (held.stream().noneMatch(address -> address.address().equals(hint))) {
                    takeBack(hint);
                }
            }
        }
    }

    private void takeBack(InetAddress address) {
        for (ResolvedAddress before : List.copyOf(told)) {
            if (before.address().equals(address)) {
                told.remove(before);
                gone.add(before);
            }
        }
    }

    // ---- what is known ----

    boolean hasHeld() {
        return !held.isEmpty() || !heldHints.isEmpty();
    }

    boolean hasTold() {
        return !told.isEmpty();
    }

    boolean isOver() {
        return over;
    }

    boolean isComplete(StandardProtocolFamily family) {
        return over || complete.contains(family);
    }

    @Nullable Throwable failure() {
        return failure;
    }

    /// The addresses that were not told, as those of a place.
    List<ResolvedAddress> takeHeld(int rank) {
        List<ResolvedAddress> taken = new ArrayList<>(held.size());
        for (InetAddress hint : heldHints) {
            taken.add(new ResolvedAddress(hint, port, protocols, rank));
        }
        heldHints.clear();
        for (ResolvedAddress address : held) {
            taken.add(new ResolvedAddress(address.address(), address.port(), protocols, rank));
        }
        held.clear();
        told.addAll(taken);
        return taken;
    }

    List<ResolvedAddress> takeGone() {
        List<ResolvedAddress> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }
}
