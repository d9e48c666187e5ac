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
/// - One query has a port at a time: those that are in flight together have different ports.
/// - No query begins at a port that has been open for [#LIFE]. With fewer than four queries a
///   second, each has a port of its own.
/// - The port, how many queries it serves, and which of the idle ones is next come from a secure
///   source.
/// - None begins there after anything has come but responses, or a query has ended without: a port
///   that is found is not used again.
final class UdpPorts {
    /// Time for which a port takes queries.
    static final long LIFE = Duration.ofMillis(250).toNanos();

    private static final int PORTS_TO_TRY = 8;

    private final Exchanges exchanges;
    private final InetSocketAddress server;
    private final InetAddress any;

    /// Ports without a query, that may take one.
    private final List<UdpPort> idle = new ArrayList<>();

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
        while (!idle.isEmpty()) {
            int last = idle.size() - 1;
            UdpPort port = idle.set(exchanges.secrets.below(last + 1), idle.get(last));
            idle.remove(last);
            if (port.isOfUse(now)) {
                port.begin(query);
                return;
            }
            port.close();
        }
        int uses = 1 + exchanges.secrets.below(exchanges.limits.portUses());
        UdpPort port = new UdpPort(this, now + LIFE, uses);
        port.begin(query);
        connect(port, 1);
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
        } else if (future.cause() instanceof BindException && tries <= PORTS_TO_TRY && !closed) {
            connect(port, tries + 1);
        } else {
            port.broken(future.cause());
        }
    }

    /// The query at `port` is over.
    ///
    /// @param answered whether its response has come, and nothing else
    void giveBack(UdpPort port, boolean answered) {
        port.end(answered);
        if (closed || !port.isOfUse(now())) {
            port.close();
            return;
        }
        idle.add(port);
        if (sweep == null) {
            sweep = exchanges.loop.schedule(this::sweep, LIFE, TimeUnit.NANOSECONDS);
        }
    }

    /// Something came at a port without a query.
    void drop(UdpPort port) {
        if (idle.remove(port)) {
            port.close();
        }
    }

    /// Closes ports that are old.
    private void sweep() {
        sweep = null;
        long now = now();
        for (int i = idle.size() - 1; i >= 0; i--) {
            if (!idle.get(i).isOfUse(now)) {
                idle.remove(i).close();
            }
        }
        if (!idle.isEmpty()) {
            sweep = exchanges.loop.schedule(this::sweep, LIFE, TimeUnit.NANOSECONDS);
        }
    }

    void close() {
        closed = true;
        if (sweep != null) {
            sweep.cancel();
            sweep = null;
        }
        idle.forEach(UdpPort::close); // which tells nothing here, as it is meant
        idle.clear();
    }
}
