package io.weft.examples.proxy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.codec.socks.Socks5Datagram;
import io.weft.codec.socks.SocksAddress;
import io.weft.codec.socks.SocksException;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Datagrams that [SocksProxy] relays for one client, as long as its connection stands (RFC 1928,
/// 7). One socket faces the client, another the world: what comes to the first from elsewhere than
/// the client's host is dropped, and so are fragments and destinations that the rules refuse; what
/// comes to the second from elsewhere than where the client has sent something is dropped too. If
/// nothing is relayed for the idle time-out, the connection is closed.
final class SocksAssociation implements AutoCloseable {
    /// Destinations whose answers are relayed, the last that were sent to.
    private static final int DESTINATIONS = 1024;

    /// Datagrams that wait for the address of a name.
    private static final int WAITING = 16;

    /// Bytes of the longest datagram. A shorter limit would relay the begin of longer ones as if it
    /// were all of them.
    private static final int LARGEST = 65_535;

    private final Channel connection;
    private final InetAddress client;
    private final SocksProxy.Rules rules;
    private final Channel facing;
    private final Channel world;

    /// The client's port is that of its first datagram.
    private @Nullable InetSocketAddress sender;

    private final Set<InetSocketAddress> destinations = new LinkedHashSet<>();

    private int waiting;
    private long last;
    private @Nullable Timeout idle;

    private SocksAssociation(
            Channel connection,
            InetAddress client,
            SocksProxy.Rules rules,
            Channel facing,
            Channel world) {
        this.connection = connection;
        this.client = client;
        this.rules = rules;
        this.facing = facing;
        this.world = world;
    }

    /// Opens both sockets, on the loop of the client's connection.
    static Future<SocksAssociation> open(Channel connection, SocksProxy.Rules rules) {
        Promise<SocksAssociation> made = connection.newPromise();
        InetAddress here =
                ((InetSocketAddress) Objects.requireNonNull(connection.localAddress()))
                        .getAddress();
        InetAddress client =
                ((InetSocketAddress) Objects.requireNonNull(connection.remoteAddress()))
                        .getAddress();
        DatagramBootstrap sockets =
                new DatagramBootstrap(connection.eventLoop())
                        .option(ChannelOption.MAX_DATAGRAM_SIZE, LARGEST)
                        .handler(_ -> {});
        sockets.bind(new InetSocketAddress(here, 0))
                .addListener(
                        first ->
                                sockets.bind(new InetSocketAddress(0))
                                        .addListener(
                                                second -> {
                                                    Channel a = first.now();
                                                    Channel b = second.now();
                                                    if (a == null || b == null) {
                                                        abort(a);
                                                        abort(b);
                                                        made.tryFailure(
                                                                new IllegalStateException(
                                                                        "no sockets"));
                                                        return;
                                                    }
                                                    var association =
                                                            new SocksAssociation(
                                                                    connection,
                                                                    client,
                                                                    rules,
                                                                    a,
                                                                    b);
                                                    association.begin();
                                                    made.trySuccess(association);
                                                }));
        return made;
    }

    private static void abort(@Nullable Channel channel) {
        if (channel != null) {
            channel.abort();
        }
    }

    private void begin() {
        facing.pipeline().addLast("facing", new Datagrams(this::outwards));
        world.pipeline().addLast("world", new Datagrams(this::inwards));
        last = now();
        arm(rules.idle().toNanos());
    }

    private long now() {
        return connection.eventLoop().clock().nanoTime();
    }

    private void arm(long nanos) {
        idle = connection.eventLoop().schedule(this::due, nanos, TimeUnit.NANOSECONDS);
    }

    private void due() {
        long left = rules.idle().toNanos() - (now() - last);
        if (left > 0) {
            arm(left);
        } else {
            connection.close();
        }
    }

    /// The address that the client sends its datagrams to.
    SocksAddress address() {
        return SocksAddress.of((InetSocketAddress) Objects.requireNonNull(facing.localAddress()));
    }

    private void outwards(Datagram datagram) {
        InetSocketAddress from = (InetSocketAddress) Objects.requireNonNull(datagram.address());
        InetSocketAddress known = sender;
        if (known == null ? !from.getAddress().equals(client) : !from.equals(known)) {
            return;
        }
        Socks5Datagram message;
        try {
            message = Socks5Datagram.decode(datagram.content().retain());
        } catch (SocksException e) {
            return;
        }
        try (message) {
            sender = from;
            InetSocketAddress to = message.address().toSocketAddress();
            if (message.fragment() > 0 || to.getPort() == 0) {
                return;
            }
            if (!to.isUnresolved()) {
                send(message.data().retain(), to);
            } else if (waiting < WAITING) {
                resolve(message.data().retain(), to);
            }
        }
    }

    /// Sends `data` when the address of the name is known, to the first that is permitted.
    private void resolve(Buffer data, InetSocketAddress to) {
        waiting++;
        Destinations.resolve(
                to,
                world.eventLoop(),
                found -> {
                    waiting--;
                    found.stream()
                            .filter(rules.destinations()::permits)
                            .findFirst()
                            .ifPresentOrElse(
                                    first -> send(data, new InetSocketAddress(first, to.getPort())),
                                    data::release);
                });
    }

    private void send(Buffer data, InetSocketAddress to) {
        if (!rules.destinations().permits(to.getAddress())) {
            data.release();
            return;
        }
        destinations.remove(to);
        if (destinations.size() == DESTINATIONS) {
            destinations.remove(destinations.iterator().next());
        }
        destinations.add(to);
        last = now();
        world.writeAndFlush(new Datagram(data, to));
    }

    private void inwards(Datagram datagram) {
        InetSocketAddress to = sender;
        InetSocketAddress from = (InetSocketAddress) Objects.requireNonNull(datagram.address());
        if (to != null && destinations.contains(from)) {
            last = now();
            var message = new Socks5Datagram(SocksAddress.of(from), datagram.content().retain());
            facing.writeAndFlush(new Datagram(message.encode(), to));
        }
    }

    @Override
    public void close() {
        if (idle != null) {
            idle.cancel();
        }
        facing.abort();
        world.abort();
    }

    private interface Taker {
        void take(Datagram datagram);
    }

    /// Releases each datagram when it was taken. One that cannot be sent on is dropped.
    private record Datagrams(Taker taker) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Datagram datagram = (Datagram) message) {
                taker.take(datagram);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // An ICMP error of one destination is no reason to end the others.
        }
    }
}
