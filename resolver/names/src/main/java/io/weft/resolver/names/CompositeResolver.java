package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Asks several resolvers in turn: the next when one has failed without an address, whatever the
/// reason. The first that finds an address answers alone. If none does, the failure is that of the
/// last, with the others suppressed.
public final class CompositeResolver implements NameResolver {
    private final List<NameResolver> resolvers;

    /// @throws IllegalArgumentException when there are no resolvers
    public CompositeResolver(List<NameResolver> resolvers) {
        if (resolvers.isEmpty()) {
            throw new IllegalArgumentException("resolvers: 0 (expected: at least 1)");
        }
        this.resolvers = List.copyOf(resolvers);
    }

    /// @throws IllegalArgumentException when there are no resolvers
    public static CompositeResolver of(NameResolver... resolvers) {
        return new CompositeResolver(List.of(resolvers));
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        if (resolvers.size() == 1) {
            return resolvers.getFirst().resolve(host, port, executor, answers);
        }
        Turns turns = new Turns(host, port, executor, answers);
        turns.ask(0);
        return turns.search;
    }

    @Override
    public boolean knowsServiceBindings() {
        return resolvers.stream().anyMatch(NameResolver::knowsServiceBindings);
    }

    /// Returns the places of the first resolver that does not fail.
    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        Promise<ServiceBinding> promise = executor.newPromise();
        binding(0, host, port, executor, promise);
        return promise;
    }

    private void binding(
            int index,
            String host,
            int port,
            EventExecutor executor,
            Promise<ServiceBinding> promise) {
        Future<ServiceBinding> search = resolvers.get(index).serviceBinding(host, port, executor);
        var _ = promise.addListener(_ -> search.cancel());
        var _ =
                search.addListener(
                        outcome -> {
                            ServiceBinding binding = outcome.now();
                            if (binding != null) {
                                promise.trySuccess(binding);
                            } else if (index + 1 == resolvers.size()) {
                                promise.trySuccess(ServiceBinding.NONE);
                            } else if (!promise.isDone()) {
                                binding(index + 1, host, port, executor, promise);
                            }
                        });
    }

    private final class Turns implements Answers {
        final Promise<Void> search;
        private final String host;
        private final int port;
        private final EventExecutor executor;
        private final Answers answers;
        private volatile @Nullable Future<Void> asked;
        private @Nullable Throwable failure;
        private boolean found;
        private final Set<StandardProtocolFamily> complete =
                EnumSet.noneOf(StandardProtocolFamily.class);

        Turns(String host, int port, EventExecutor executor, Answers answers) {
            this.search = executor.newPromise();
            this.host = host;
            this.port = port;
            this.executor = executor;
            this.answers = answers;
            var _ = search.addListener(this::cancelIfCancelled);
        }

        private void cancelIfCancelled(Future<Void> outcome) {
            Future<Void> current = asked;
            if (outcome.isCancelled() && current != null) {
                current.cancel();
            }
        }

        void ask(int index) {
            complete.clear();
            Future<Void> current;
            try {
                current = resolvers.get(index).resolve(host, port, executor, this);
            } catch (Throwable t) {
                current = Promise.failed(executor, t);
            }
            asked = current;
            if (search.isDone()) {
                current.cancel();
            }
            var _ = current.addListener(outcome -> ended(outcome, index));
        }

        private void ended(Future<Void> outcome, int index) {
            if (search.isDone()) {
                return;
            }
            if (outcome.isSuccess() && found) {
                search.trySuccess(null);
                return;
            }
            Throwable cause =
                    outcome.isSuccess()
                            ? new UnknownHostException(host + ": no address")
                            : Objects.requireNonNullElseGet(
                                    outcome.cause(), CancellationException::new);
            if (found) {
                search.tryFailure(cause);
                return;
            }
            if (failure != null && failure != cause) {
                cause.addSuppressed(failure);
            }
            failure = cause;
            if (index + 1 == resolvers.size()) {
                search.tryFailure(cause);
            } else {
                ask(index + 1);
            }
        }

        @Override
        public void found(List<ResolvedAddress> addresses) {
            if (!addresses.isEmpty()) {
                begin();
                answers.found(addresses);
            }
        }

        @Override
        public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
            if (!addresses.isEmpty()) {
                begin();
                answers.found(addresses, timeToLive);
            }
        }

        private void begin() {
            if (!found) {
                found = true;
                complete.forEach(answers::complete);
            }
        }

        /// Held back until this resolver has an address: else a later one may have the family.
        @Override
        public void complete(StandardProtocolFamily family) {
            if (found) {
                answers.complete(family);
            } else {
                complete.add(family);
            }
        }

        @Override
        public void removed(List<ResolvedAddress> addresses) {
            answers.removed(addresses);
        }

        @Override
        public void alias(String name, String target, Duration timeToLive) {
            answers.alias(name, target, timeToLive);
        }

        @Override
        public void absent(Duration timeToLive) {
            answers.absent(timeToLive);
        }
    }
}
