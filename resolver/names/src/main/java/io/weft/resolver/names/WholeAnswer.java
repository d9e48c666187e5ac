package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;

/// A search whose addresses come all at once; see [NameResolver#of].
final class WholeAnswer {
    private final Promise<Void> search;
    private final int port;
    private final NameResolver.Answers answers;

    WholeAnswer(EventExecutor executor, int port, NameResolver.Answers answers) {
        this.search = executor.newPromise();
        this.port = port;
        this.answers = answers;
    }

    Future<Void> of(Future<List<InetAddress>> lookup) {
        var _ =
                search.addListener(
                        outcome -> {
                            if (outcome.isCancelled()) {
                                lookup.cancel();
                            }
                        });
        var _ = lookup.addListener(this::ended);
        return search;
    }

    private void ended(Future<List<InetAddress>> lookup) {
        if (search.isDone()) {
            return; // cancelled
        }
        List<InetAddress> addresses = lookup.now();
        if (addresses == null) {
            search.tryFailure(
                    Objects.requireNonNullElseGet(lookup.cause(), CancellationException::new));
            return;
        }
        try {
            answers.complete(StandardProtocolFamily.INET);
            answers.complete(StandardProtocolFamily.INET6);
            answers.found(
                    addresses.stream().map(address -> new ResolvedAddress(address, port)).toList());
            search.trySuccess(null);
        } catch (Throwable t) {
            search.tryFailure(t);
        }
    }
}
