package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.search.PassedAnswers;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.List;

/// Leaves out addresses of a family that is not wanted. What comes together is in the wanted order;
/// a connect by name sorts again, for which see `Bootstrap.order` and `PolicyTable.IPV4_FIRST`.
public final class FamilyResolver implements NameResolver {
    private final NameResolver resolver;
    private final AddressFamilies families;

    public FamilyResolver(NameResolver resolver, AddressFamilies families) {
        this.resolver = resolver;
        this.families = families;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        return resolver.resolve(
                host,
                port,
                executor,
                new PassedAnswers(answers) {
                    // So that a connect does not wait for what will be left out.
                    private void completeUnwanted() {
                        if (families == AddressFamilies.IPV4_ONLY) {
                            complete(StandardProtocolFamily.INET6);
                        }
                    }

                    @Override
                    public void found(List<ResolvedAddress> addresses) {
                        List<ResolvedAddress> wanted = families.select(addresses);
                        if (!wanted.isEmpty()) {
                            completeUnwanted();
                            super.found(wanted);
                        }
                    }

                    @Override
                    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
                        List<ResolvedAddress> wanted = families.select(addresses);
                        if (!wanted.isEmpty()) {
                            completeUnwanted();
                            super.found(wanted, timeToLive);
                        }
                    }
                });
    }

    @Override
    public boolean knowsServiceBindings() {
        return resolver.knowsServiceBindings();
    }

    /// Leaves out hints of a family that is not wanted.
    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        Future<ServiceBinding> search = resolver.serviceBinding(host, port, executor);
        Promise<ServiceBinding> promise = executor.newPromise();
        var _ =
                search.addListener(
                        outcome -> {
                            ServiceBinding binding = outcome.now();
                            promise.trySuccess(
                                    binding == null ? ServiceBinding.NONE : wanted(binding));
                        });
        var _ = promise.addListener(_ -> search.cancel());
        return promise;
    }

    private ServiceBinding wanted(ServiceBinding binding) {
        return new ServiceBinding(
                binding.endpoints().stream()
                        .map(
                                place ->
                                        new ServiceEndpoint(
                                                place.host(),
                                                place.port(),
                                                place.protocols(),
                                                families
                                                        .select(
                                                                Searches.at(
                                                                        place.port(),
                                                                        place.hints()))
                                                        .stream()
                                                        .map(ResolvedAddress::address)
                                                        .toList()))
                        .toList(),
                binding.timeToLive());
    }
}
