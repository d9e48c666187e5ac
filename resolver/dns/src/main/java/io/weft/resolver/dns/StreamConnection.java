package io.weft.resolver.dns;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.engine.ChannelOption;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Future;
import io.weft.loop.Timeout;
import io.weft.tls.machine.TlsSession;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection to a server over TCP or TLS. Queries are sent as they come, and responses may come
/// in any order (RFC 7766, 6.2.1.1, 7). An idle one is kept for a time, for the next query. Loop
/// only.
final class StreamConnection implements MessageHandler<DnsMessage> {
    private static final int MAX_PENDING = 4096;

    /// Longest time until TLS that is only where there is some has to be there.
    private static final long MAX_SHAKING = Duration.ofSeconds(2).toNanos();

    private record Pending(Query query, Attempt attempt) {}

    private final Exchanges exchanges;
    private final ServerState server;
    private final InetSocketAddress address;
    private final DnsServer.@Nullable Tls tls;

    /// Of the attempt that opens it.
    private final Duration timeout;

    // In the order of asking: when the server ends the connection, those that wait longest are the
    // first on the next one, so that none waits for ever behind later ones.
    private final Map<Integer, Pending> pending = new LinkedHashMap<>();

    /// Ids of queries that were given up: their responses may still come, and harm nobody.
    private final LinkedHashSet<Integer> givenUp = new LinkedHashSet<>();

    private @Nullable Future<Channel> connecting;
    private @Nullable Channel channel;
    private @Nullable TlsHandler handshake;
    private @Nullable Timeout shaking;
    private @Nullable Timeout idle;
    private long idleNanos;
    private int misfits;
    private boolean ready;
    private boolean answered;
    private long answeredAt;
    private boolean retired;
    private boolean over;

    StreamConnection(
            Exchanges exchanges,
            ServerState server,
            InetSocketAddress address,
            DnsServer.@Nullable Tls tls,
            Duration timeout) {
        this.exchanges = exchanges;
        this.server = server;
        this.address = address;
        this.tls = tls;
        this.timeout = timeout;
        idleNanos = exchanges.limits.idle().toNanos();
    }

    void start() {
        Future<Channel> future =
                new Bootstrap(exchanges.loop)
                        .option(ChannelOption.CONNECT_TIMEOUT, timeout)
                        .handler(this::initialize)
                        .connect(address);
        connecting = future;
        if (tls != null && tls.fallback() != null) {
            // Time is left to ask in the clear: a filter may drop what goes to the port, or the
            // server accept and say nothing.
            long bound = Math.min(MAX_SHAKING, timeout.toNanos() / 2);
            shaking = exchanges.loop.schedule(this::stalled, bound, TimeUnit.NANOSECONDS);
        }
        var _ = future.addListener(this::connected);
    }

    private void stalled() {
        end(
                ResolveException.Reason.TLS,
                new ResolveException(
                        ResolveException.Reason.TLS, "no TLS in time, where it is a choice"));
    }

    private void initialize(Channel made) {
        DnsServer.Tls secure = tls;
        if (secure != null) {
            String name = secure.name();
            handshake =
                    TlsHandler.client(
                            exchanges.tls.of(secure),
                            name == null ? address.getAddress().getHostAddress() : name,
                            address.getPort());
            made.pipeline().addLast(handshake);
        }
        made.pipeline()
                .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                .addLast(new EncoderHandler<>(DnsMessage.class, DnsEncoder.stream()))
                .addLast(this);
    }

    private void connected(Future<Channel> future) {
        Channel made = future.now();
        if (made == null) {
            end(ResolveException.Reason.CONNECTION, future.cause());
            return;
        }
        channel = made;
        if (over) {
            var _ = made.abort();
            return;
        }
        TlsHandler secured = handshake;
        if (secured == null) {
            sendAll();
        } else {
            var _ = secured.handshake().addListener(this::shaken);
        }
    }

    private void shaken(Future<TlsSession> outcome) {
        TlsSession session = outcome.now();
        DnsServer.Tls secure = tls;
        if (session == null || secure == null) {
            end(ResolveException.Reason.TLS, outcome.cause());
            return;
        }
        // RFC 7858, 4.2: no query before the key is known to be the server's.
        if (secure.strict() && !secure.pins().isEmpty() && !secure.isPinned(session)) {
            end(
                    ResolveException.Reason.TLS,
                    new ResolveException(
                            ResolveException.Reason.TLS,
                            secure + ": its key is not one of those that are pinned"));
            return;
        }
        sendAll();
    }

    private void sendAll() {
        if (over) {
            return;
        }
        ready = true;
        cancel(shaking);
        for (Pending waiting : List.copyOf(pending.values())) {
            send(waiting.query.message());
        }
        idleIfEmpty();
    }

    private void send(DnsMessage message) {
        Objects.requireNonNull(channel).writeAndFlush(message);
    }

    // ---- what attempts ask ----

    boolean isTls() {
        return tls != null;
    }

    InetSocketAddress address() {
        return address;
    }

    boolean takesQueries() {
        return !over && !retired && pending.size() < MAX_PENDING;
    }

    boolean wasReady() {
        return ready;
    }

    boolean hasAnswered() {
        return answered;
    }

    /// Asks, now or when the connection is there.
    ///
    /// @param more options of EDNS
    /// @return the id of the query, for [#forget]
    int ask(Ask ask, DnsName spelling, boolean withEdns, List<EdnsOption> more, Attempt attempt) {
        int id = exchanges.secrets.id();
        while (pending.containsKey(id) || givenUp.contains(id)) {
            id = id + 1 & 0xFFFF;
        }
        Edns edns = null;
        if (withEdns) {
            List<EdnsOption> options = new ArrayList<>(more);
            options.add(new EdnsOption.TcpKeepalive(-1));
            edns = ask.edns(options.toArray(EdnsOption[]::new));
        }
        DnsMessage message = ask.query(id, spelling, edns);
        if (edns != null && tls != null) {
            message = Padding.query(message);
        }
        if (idle != null) {
            idle.cancel();
            idle = null;
        }
        attempt.spelled(spelling);
        pending.put(id, new Pending(new Query(message, spelling, null, false), attempt));
        if (ready) {
            send(message);
        }
        return id;
    }

    void forget(int id) {
        if (pending.remove(id) == null) {
            return;
        }
        if (givenUp.size() == MAX_PENDING) {
            givenUp.removeFirst();
        }
        givenUp.add(id);
        idleIfEmpty();
    }

    /// A query that was sent at `since` has timed out. If no response to any query has come since,
    /// no other query begins here: the server, or the path to it, stands still, which the system
    /// would tell much later.
    void timedOut(long since) {
        if (!answered || answeredAt - since <= 0) {
            retired = true; // the query is given up next
        }
    }

    /// Ends the connection when it has answered what it was asked.
    void retire() {
        retired = true;
        idleIfEmpty();
    }

    // ---- responses ----

    @Override
    public Class<DnsMessage> messageType() {
        return DnsMessage.class;
    }

    @Override
    public void messageRead(ChannelHandlerContext ctx, DnsMessage response) {
        if (givenUp.remove(response.id())) {
            return;
        }
        Pending waiting = pending.get(response.id());
        Misfit misfit = waiting == null ? Misfit.ID : waiting.query.checkStream(response);
        if (waiting == null || misfit != null) {
            if (waiting != null && misfit != null) {
                waiting.attempt.ignored(misfit);
            }
            if (++misfits > exchanges.limits.misfits()) {
                end(
                        ResolveException.Reason.CONNECTION,
                        new ResolveException(
                                ResolveException.Reason.CONNECTION,
                                server.server + ": responses that nobody asked for"));
            }
            return;
        }
        pending.remove(response.id());
        answered = true;
        answeredAt = exchanges.loop.clock().nanoTime();
        keepAlive(response);
        waiting.attempt.responded(response);
        idleIfEmpty();
    }

    /// RFC 7828, 3.4: no longer than the server says.
    private void keepAlive(DnsMessage response) {
        Edns edns = response.edns();
        if (edns == null) {
            return;
        }
        for (EdnsOption option : edns.options()) {
            if (option instanceof EdnsOption.TcpKeepalive keep && keep.timeout() >= 0) {
                long nanos = TimeUnit.MILLISECONDS.toNanos(100L * keep.timeout());
                idleNanos = Math.min(nanos, exchanges.limits.idle().toNanos());
            }
        }
    }

    private void idleIfEmpty() {
        if (over || !pending.isEmpty() || idle != null) {
            return;
        }
        if (retired || idleNanos == 0) {
            close();
        } else if (ready) {
            idle = exchanges.loop.schedule(this::close, idleNanos, TimeUnit.NANOSECONDS);
        }
    }

    // ---- the end ----

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(ResolveException.Reason.CONNECTION, null);
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        end(ResolveException.Reason.CONNECTION, null);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(
                ready || tls == null
                        ? ResolveException.Reason.CONNECTION
                        : ResolveException.Reason.TLS,
                cause);
    }

    void close() {
        end(ResolveException.Reason.CONNECTION, new CancellationException("closed"));
    }

    private static void cancel(@Nullable Timeout timeout) {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    private void end(ResolveException.Reason reason, @Nullable Throwable cause) {
        if (over) {
            return;
        }
        over = true;
        cancel(idle);
        cancel(shaking);
        if (server.connection == this) {
            server.connection = null;
        }
        if (channel != null) {
            var _ = channel.close();
        } else if (connecting != null) {
            connecting.cancel();
        }
        List<Pending> left = new ArrayList<>(pending.values());
        pending.clear();
        ResolveException failure =
                new ResolveException(
                        reason,
                        server.server
                                + (cause == null
                                        ? ": the connection ended"
                                        : ": " + cause.getMessage()),
                        cause);
        for (Pending waiting : left) {
            waiting.attempt.connectionFailed(this, failure);
        }
    }
}
