package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver.Answers;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/// Searches whose outcome is known when they begin.
final class Searches {
    private Searches() {}

    /// Gives addresses, on the executor, and completes.
    static Future<Void> answer(
            EventExecutor executor,
            Answers answers,
            List<ResolvedAddress> addresses,
            Duration timeToLive) {
        Promise<Void> search = executor.newPromise();
        if (executor.inLoop()) {
            give(search, answers, addresses, timeToLive);
            return search;
        }
        try {
            executor.execute(() -> give(search, answers, addresses, timeToLive));
        } catch (RejectedExecutionException e) {
            search.tryFailure(e);
        }
        return search;
    }

    private static void give(
            Promise<Void> search,
            Answers answers,
            List<ResolvedAddress> addresses,
            Duration timeToLive) {
        if (search.isDone()) {
            return; // cancelled
        }
        try {
            answers.complete(StandardProtocolFamily.INET);
            answers.complete(StandardProtocolFamily.INET6);
            answers.found(addresses, timeToLive);
            search.trySuccess(null);
        } catch (Throwable t) {
            search.tryFailure(t);
        }
    }

    static Future<Void> unknown(EventExecutor executor, String message) {
        return Promise.failed(executor, new UnknownHostException(message));
    }

    static List<ResolvedAddress> at(int port, List<InetAddress> addresses) {
        return addresses.stream().map(address -> new ResolvedAddress(address, port)).toList();
    }
}
