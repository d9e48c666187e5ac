package io.weft.resolver.names.binding;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import io.weft.resolver.names.ServiceBinding;
import io.weft.resolver.names.ServiceEndpoint;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One search for the addresses of the places of an origin; see `ServiceBindingResolver`. On the
/// executor.
///
/// The host itself is searched from the beginning, as most records name it as their place, and is
/// told last unless a record does.
public final class EndpointSearch {
    /// Places that are looked at; records of an origin have one or two.
    private static final int MAX_PLACES = 16;

    /// Records are no longer waited for when addresses have been known for so long.
    private static final Duration BINDING_DELAY = Duration.ofSeconds(2);

    public final Promise<Void> promise;
    private final NameResolver names;
    private final Set<String> protocols;
    private final String host;
    private final int port;
    private final EventExecutor executor;
    private final Answers answers;

    /// By rank. The host itself is the last of them, unless a record names it.
    private final List<Place> places = new ArrayList<>(2);

    private final Place origin;

    /// Addresses and ports that were told, each once.
    private final Set<ResolvedAddress> told = new HashSet<>();

    private boolean some;

    private @Nullable Future<ServiceBinding> binding;
    private Duration patience = Duration.ZERO;
    private boolean bound;
    private boolean patient = true;
    private @Nullable Timeout delay;
    private @Nullable Timeout limit;
    private boolean ipv4Complete;
    private boolean ipv6Complete;

    public EndpointSearch(
            NameResolver names,
            Set<String> protocols,
            String host,
            int port,
            EventExecutor executor,
            Answers answers) {
        this.names = names;
        this.protocols = protocols;
        this.host = host;
        this.port = port;
        this.executor = executor;
        this.answers = answers;
        this.promise = executor.newPromise();
        this.origin = new Place(this, host, port, List.of());
        places.add(origin);
    }

    public void begin(Future<ServiceBinding> records, Duration resolutionDelay) {
        binding = records;
        var _ = promise.addListener(_ -> end());
        if (executor.inLoop()) {
            search(records, resolutionDelay);
            return;
        }
        try {
            executor.execute(() -> search(records, resolutionDelay));
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
        }
    }

    private void search(Future<ServiceBinding> records, Duration resolutionDelay) {
        patience = resolutionDelay;
        ServiceBinding known = records.now();
        if (known != null) {
            bind(known);
        }
        origin.search(names, executor);
        if (known == null) {
            var _ =
                    records.addListener(
                            outcome -> {
                                ServiceBinding later = outcome.now();
                                bind(later == null ? ServiceBinding.NONE : later);
                            });
        }
        advance();
    }

    private void end() {
        cancel(delay);
        cancel(limit);
        if (binding != null) {
            binding.cancel();
        }
        places.forEach(Place::cancel);
    }

    private static void cancel(@Nullable Timeout timeout) {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    /// Takes the records, once.
    private void bind(ServiceBinding found) {
        if (bound || promise.isDone()) {
            return;
        }
        bound = true;
        cancel(limit);
        List<Place> usable = new ArrayList<>();
        boolean hasOrigin = false;
        for (ServiceEndpoint endpoint : found.endpoints()) {
            if (usable.size() == MAX_PLACES || !speaks(endpoint)) {
                continue;
            }
            if (isOrigin(endpoint)) {
                if (!hasOrigin) {
                    hasOrigin = true;
                    origin.protocols = endpoint.protocols();
                    origin.hint(endpoint.hints());
                    usable.add(origin);
                }
                continue;
            }
            Place place = new Place(this, endpoint.host(), endpoint.port(), endpoint.protocols());
            place.hint(endpoint.hints());
            usable.add(place);
        }
        if (!hasOrigin) {
            usable.add(origin);
        }
        origin.isLastResort = !hasOrigin && usable.size() > 1;
        places.clear();
        places.addAll(usable);
        for (Place place : usable) {
            place.search(names, executor);
        }
        advance();
    }

    /// RFC 9460 7.1.2: a place without a protocol of the client's is not for it.
    private boolean speaks(ServiceEndpoint endpoint) {
        return endpoint.protocols().isEmpty()
                || endpoint.protocols().stream().anyMatch(protocols::contains);
    }

    private boolean isOrigin(ServiceEndpoint endpoint) {
        return endpoint.port() == port
                && absolute(endpoint.host()).equalsIgnoreCase(absolute(host));
    }

    private static String absolute(String name) {
        return name.endsWith(".") ? name : name + ".";
    }

    // ---- what places tell ----

    /// Tells what may be told now: that of a place when those before it have an address or will not
    /// have one, and of the host as the last resort when all places are known.
    void advance() {
        if (promise.isDone()) {
            return;
        }
        if (!bound) {
            if (origin.isOver()) {
                waitForRecords();
            }
            if (patient) {
                if (origin.hasHeld()) {
                    waitForMore();
                }
            } else {
                tell(origin, MAX_PLACES);
            }
            return;
        }
        boolean all = true;
        for (int rank = 0; rank < places.size() && !promise.isDone(); rank++) {
            Place place = places.get(rank);
            if (place.isLastResort && !all) {
                break;
            }
            tell(place, rank);
            all &= place.isOver();
            if (patient && !place.isOver() && !place.hasTold()) {
                if (places.stream().anyMatch(Place::hasHeld)) {
                    waitForMore();
                }
                return;
            }
        }
        if (all) {
            finish();
        }
    }

    private void tell(Place place, int rank) {
        try {
            List<ResolvedAddress> gone = place.takeGone();
            if (!gone.isEmpty()) {
                gone.forEach(address -> told.remove(anywhere(address)));
                answers.removed(gone);
            }
            List<ResolvedAddress> fresh = new ArrayList<>();
            for (ResolvedAddress address : place.takeHeld(rank)) {
                // One that was told for a better place, or before the records, is not told again.
                if (told.add(anywhere(address))) {
                    fresh.add(address);
                }
            }
            if (!fresh.isEmpty()) {
                some = true;
                answers.found(fresh);
            }
            completeFamilies();
        } catch (Throwable t) {
            promise.tryFailure(t);
        }
    }

    private static ResolvedAddress anywhere(ResolvedAddress address) {
        return new ResolvedAddress(address.address(), address.port());
    }

    private void completeFamilies() {
        if (!ipv4Complete && completes(StandardProtocolFamily.INET)) {
            ipv4Complete = true;
            answers.complete(StandardProtocolFamily.INET);
        }
        if (!ipv6Complete && completes(StandardProtocolFamily.INET6)) {
            ipv6Complete = true;
            answers.complete(StandardProtocolFamily.INET6);
        }
    }

    private boolean completes(StandardProtocolFamily family) {
        return bound && places.stream().allMatch(place -> place.isComplete(family));
    }

    private void waitForMore() {
        if (delay == null) {
            delay =
                    schedule(
                            patience,
                            () -> {
                                patient = false;
                                advance();
                            });
        }
    }

    private void waitForRecords() {
        if (limit == null) {
            limit = schedule(BINDING_DELAY, () -> bind(ServiceBinding.NONE));
        }
    }

    private @Nullable Timeout schedule(Duration time, Runnable task) {
        try {
            return executor.schedule(
                    task, TimeUnit.NANOSECONDS.convert(time), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
            return null;
        }
    }

    private void finish() {
        Throwable failure = null;
        for (Place place : places) {
            failure = failure == null ? place.failure() : failure;
        }
        if (some) {
            promise.trySuccess(null);
        } else {
            promise.tryFailure(
                    failure == null ? new UnknownHostException(host + ": no address") : failure);
        }
    }
}
