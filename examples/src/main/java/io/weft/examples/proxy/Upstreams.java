package io.weft.examples.proxy;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// Servers in turn. One that could not be connected to is left out for ten seconds, unless all are;
/// one that fails its health checks, until it passes one. Any thread.
final class Upstreams {
    private static final long REST = TimeUnit.SECONDS.toNanos(10);

    /// Checks that fail in a row before a server is left out.
    private static final int FALL = 2;

    private final List<InetSocketAddress> servers;
    private final AtomicLongArray failures;
    private final AtomicIntegerArray missed;
    private final AtomicInteger turn = new AtomicInteger();

    Upstreams(List<InetSocketAddress> servers) {
        this.servers = List.copyOf(servers);
        failures = new AtomicLongArray(servers.size());
        missed = new AtomicIntegerArray(servers.size());
    }

    List<InetSocketAddress> servers() {
        return servers;
    }

    /// Returns the server whose turn it is.
    ///
    /// @param tried servers that are not to be asked again
    /// @return null when there is none
    @Nullable InetSocketAddress next(Set<InetSocketAddress> tried) {
        long now = System.nanoTime();
        int first = Math.floorMod(turn.getAndIncrement(), servers.size());
        InetSocketAddress resting = null;
        for (int i = 0; i < servers.size(); i++) {
            int one = (first + i) % servers.size();
            InetSocketAddress server = servers.get(one);
            if (tried.contains(server) || missed.get(one) >= FALL) {
                continue;
            }
            long failed = failures.get(one);
            if (failed == 0 || now - failed > REST) {
                return server;
            }
            resting = resting == null ? server : resting;
        }
        return resting;
    }

    /// Could not be connected to.
    void failed(InetSocketAddress server) {
        long now = System.nanoTime();
        failures.set(servers.indexOf(server), now == 0 ? 1 : now);
    }

    /// Takes the outcome of a health check.
    void checked(InetSocketAddress server, boolean healthy) {
        int one = servers.indexOf(server);
        if (healthy) {
            missed.set(one, 0);
            failures.set(one, 0);
        } else {
            missed.updateAndGet(one, count -> Math.min(count + 1, FALL));
        }
    }
}
