package io.weft.resolver.dns;

import io.weft.channel.Channel;
import io.weft.channel.DatagramBootstrap;
import io.weft.loop.Future;
import io.weft.loop.Timeout;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Source ports of queries to one server (RFC 5452, 9.2). Loop only.
///
/// To open a socket costs more than the query and its response together. Under load, therefore, a
/// port serves several queries, within bounds that give a forger no more time to find it than one
/// query to a distant server does, for which it would be open otherwise:
///
/// - No query begins at a port that has been open for [#LIFE]. With fewer than ten queries a
///   second, each has a port of its own.
/// - Queries that are there together have each an id, a question and a spelling of their own.
/// - The port, how many queries it serves, and which of the open ones is next come from a secure
///   source.
/// - None begins there after anything has come but responses, or a query has ended without: a port
///   that is found is not used again.
final class UdpPorts {
    /// Time for which a port takes queries.
    static final long LIFE = Duration.ofMillis(100).toNanos();

    private static final int PORTS_TO_TRY = 8;

    private final Exchanges exchanges;
    private final InetSocketAddress server;
    private final InetAddress any;

    /// Those that may take queries, unless a look at them shows that they do not. A full one is not
    /// here.
    private final List<UdpPort> open = new ArrayList<>();

    private @Nullable Timeout sweep;
    private boolean closed;

    UdpPorts(Exchanges exchanges, InetSocketAddress server) {
        this.exchanges = exchanges;
        this.server = server;
        this.any = anyOf(server.getAddress());
    }

    private static InetAddress anyOf(InetAddress peer) {
        try {
            return InetAddress.getByAddress(new byte[peer instanceof Inet6Address ? 16 : 4]);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private long now() {
        return exchanges.loop.clock().nanoTime();
    }

    /// Gives `query` a port, now or when it is open; see [UdpQuery#begin] and
    /// [UdpQuery#broken].
    void lend(UdpQuery query) {
        long now = now();
        while (!open.isEmpty()) {
            UdpPort port = open.get(exchanges.secrets.below(open.size()));
            if (port.isOfUse(now)) {
                if (!port.add(query)) {
                    break; // another one has its id there
                }
                if (port.isFull()) {
                    open.remove(port);
                }
                return;
            }
            open.remove(port);
            closeIfIdle(port);
        }
        int uses = 1 + exchanges.secrets.below(exchanges.limits.portUses());
        UdpPort port = new UdpPort(this, now + LIFE, uses);
        var _ = port.add(query);
        open.add(port);
        connect(port, 1);
        if (sweep == null) {
            sweep = exchanges.loop.schedule(this::sweep, LIFE, TimeUnit.NANOSECONDS);
        }
    }

    private void connect(UdpPort port, int tries) {
        // After some that are taken, one of the kernel's.
        int number = tries > PORTS_TO_TRY ? 0 : exchanges.secrets.port();
        var _ =
                new DatagramBootstrap(exchanges.loop)
                        .handler(channel -> channel.pipeline().addLast(port))
                        .connect(new InetSocketAddress(any, number), server)
                        .addListener(future -> connected(port, tries, future));
    }

    private void connected(UdpPort port, int tries, Future<Channel> future) {
        Channel channel = future.now();
        if (channel != null) {
            port.opened(channel);
            if (port.isClosed()) {
                var _ = channel.close();
            }
        } else if (future.cause() instanceof BindException && tries <= PORTS_TO_TRY && !closed) {
            connect(port, tries + 1);
        } else {
            open.remove(port);
            port.fail().forEach(query -> query.broken(future.cause()));
        }
    }

    /// A query at `port` is over.
    void ended(UdpPort port) {
        if (closed || !port.isOfUse(now())) {
            open.remove(port);
            closeIfIdle(port);
        } else if (!open.contains(port)) {
            open.add(port); // it was full
        }
    }

    private static void closeIfIdle(UdpPort port) {
        if (port.isIdle()) {
            port.close();
        }
    }

    /// Closes ports that are old.
    private void sweep() {
        sweep = null;
        long now = now();
        for (int i = open.size() - 1; i >= 0; i--) {
            if (!open.get(i).isOfUse(now)) {
                closeIfIdle(open.remove(i));
            }
        }
        if (!open.isEmpty()) {
            sweep = exchanges.loop.schedule(this::sweep, LIFE, TimeUnit.NANOSECONDS);
        }
    }

    void close() {
        closed = true;
        if (sweep != null) {
            sweep.cancel();
            sweep = null;
        }
        List.copyOf(open).forEach(UdpPorts::closeIfIdle);
        open.clear();
    }
}
