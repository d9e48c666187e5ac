package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.eventloop.EventLoop;
import io.weft.http.client.liveness.Heartbeat;
import io.weft.http.client.liveness.PooledChannel;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection of a client (RFC 9113), whose exchanges run side by side: each is an
/// [Http2Wire].
///
/// An exchange for which the server has no stream free waits here, no longer than a request waits
/// for a connection. When the server goes away (GOAWAY, 6.8), no exchange begins any more, those
/// that it will not process fail as such, and the connection closes behind the last of the others.
///
/// Thread: the channel's loop, but for [#run], [#withdraw], [#rests], [#close], [#capacity] and
/// [#isOpen].
final class Http2ClientConnection implements ChannelHandler, ClientConnection {
    /// Streams at a time until the server has said how many it takes, and never more.
    private static final int MAX_STREAMS = 100;

    /// The opaque data of a PING that asks for a sign of life.
    private static final long KEEP_ALIVE = 0x57454654_4C495645L;

    /// Bytes of a response that were sent and not read: one stream fills a fast connection.
    private static final int WINDOW = 256 << 10;

    /// Windows of streams bound what is held. That of the connection, which opens when half of it
    /// was read, has room for all of them twice: responses that nobody reads yet stop no other.
    /// Budgets that an application which gives up many responses, or a busy server that refuses
    /// requests, does not exhaust: what is under way to a stream that was reset counts, too.
    private static final Http2Limits LIMITS =
            Http2Limits.DEFAULT
                    .withWindows(WINDOW, 2 * MAX_STREAMS * WINDOW)
                    .withBudgets(10_000, 200_000, Duration.ofSeconds(10));

    private final Route route;
    private final ConnectionPool pool;
    private final HttpClientLimits limits;
    private final Duration keepAlive;
    private final StreamQueue queued = new StreamQueue();

    /// Those that run.
    private final Set<Http2Wire> wires = new HashSet<>();

    private @Nullable ChannelHandlerContext ctx;

    /// The channel of `ctx`, for other threads.
    private final PooledChannel channel = new PooledChannel();

    private @Nullable Http2Connection h2;

    /// Frames that are not sent yet.
    private final OutgoingFrames frames = new OutgoingFrames(this::allocator);

    /// Writes to the channel.
    private @Nullable MeteredWrites write;

    private @Nullable Heartbeat heartbeat;
    private final ResetRate resets;
    private final Parting parting = new Parting();
    private boolean started;
    private boolean receiving;
    private volatile int capacity = MAX_STREAMS;

    /// No exchange may begin.
    private volatile boolean dead;

    /// @param keepAlive as of [HttpClient.Builder#keepAlive]; zero for none
    Http2ClientConnection(
            Route route, ConnectionPool pool, HttpClientLimits limits, Duration keepAlive) {
        this.route = route;
        this.pool = pool;
        this.limits = limits;
        this.resets = new ResetRate(limits.resets());
        this.keepAlive = keepAlive;
    }

    // ---- the pool ----

    @Override
    public Route route() {
        return route;
    }

    @Override
    public boolean isOpen() {
        return !dead && channel.isActive();
    }

    @Override
    public boolean isNear() {
        return channel.isNear();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void run(ClientExchange next) {
        if (!channel.run(() -> enter(next))) {
            next.unprocessed(null);
        }
    }

    private void enter(ClientExchange next) {
        channel.busy();
        if (dead) {
            pool.release(this);
            next.unprocessed(null);
            return;
        }
        queued.add(next);
        if (next.isCancelled()) {
            giveUp(next);
            return;
        }
        if (!receiving) {
            beginQueued();
            flush();
        }
        queued.watch(next, eventLoop(), limits.connectTimeout(), this::late);
    }

    @Override
    public void withdraw(ClientExchange exchange) {
        var _ = channel.run(() -> giveUp(exchange));
    }

    private void giveUp(ClientExchange exchange) {
        if (queued.remove(exchange)) {
            pool.release(this);
            exchange.withdrawn();
        }
    }

    /// The server has had no stream for an exchange.
    private void late(ClientExchange exchange) {
        if (queued.remove(exchange)) {
            pool.release(this);
            exchange.noStream(limits.connectTimeout());
        }
    }

    /// RFC 8441, 3: the server's settings tell if it takes tunnels. Other requests pass those that
    /// wait for them.
    private boolean mayBegin(ClientExchange exchange) {
        return !exchange.offersTunnel() || connection().isSettled();
    }

    private void beginQueued() {
        while (!dead && connection().mayOpen()) {
            ClientExchange next = queued.first(this::mayBegin);
            if (next == null) {
                return;
            }
            boolean _ = queued.remove(next);
            Http2Wire wire = new Http2Wire(this, next);
            wires.add(wire);
            heartbeat().begin();
            try {
                next.begin(wire);
            } catch (RuntimeException | Error e) {
                finished(wire);
                next.disconnected(e);
            }
        }
        if (!dead && connection().isGoingAway()) {
            retire(); // that was the last number of a stream (RFC 9113, 5.1.1)
            closeIfDrained();
        }
    }

    @Override
    public void rests() {
        var _ =
                channel.run(
                        () -> {
                            if (wires.isEmpty() && queued.isEmpty() && !dead) {
                                channel.idle(limits.idleTimeout(), () -> pool.expired(this));
                            }
                        });
    }

    @Override
    public void close() {
        channel.close();
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        channel.added(context.channel());
        write = new MeteredWrites(context);
        heartbeat =
                new Heartbeat(context.eventLoop(), keepAlive.toNanos(), this::ping, this::isSilent);
        h2 =
                new Http2Connection(
                        Http2Connection.Role.CLIENT,
                        LIMITS,
                        context.eventLoop().clock()::nanoTime,
                        frames,
                        new Http2ClientEvents(this));
        if (context.channel().isActive()) {
            start();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        start();
        context.fireChannelActive();
    }

    private void start() {
        if (!started) {
            started = true;
            connection().start();
            flush();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        receiving = true;
        heartbeat().heard();
        try {
            connection().receive((Buffer) message);
        } finally {
            receiving = false;
        }
        beginQueued();
        closeIfDrained();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        serve();
        flush();
        context.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        serve();
        flush();
    }

    private void serve() {
        if (!dead || !wires.isEmpty()) {
            connection().serve(this::isWritable);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        disconnected(null);
        context.fireChannelInputClosed(); // on which the channel closes
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        disconnected(null);
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        disconnected(cause);
        var _ = context.channel().abort();
    }

    /// Closes the connection, for example when its loop shuts down. Exchanges are finished first.
    @Override
    public void close(ChannelHandlerContext context) {
        retire();
        closeIfDrained();
    }

    private void closeIfDrained() {
        if (!dead || !wires.isEmpty() || receiving || ctx == null) {
            return;
        }
        if (!parting.isFailed()) {
            connection().finishShutdown();
        }
        flush();
        ctx.close();
    }

    /// No exchange begins here any more. Those that wait for a stream find another connection.
    private void retire() {
        if (!dead) {
            dead = true;
            channel.ended();
            pool.gone(this);
            queued.removeAll().forEach(next -> next.unprocessed(null));
        }
    }

    /// The transport has ended.
    private void disconnected(@Nullable Throwable cause) {
        retire();
        connection().close();
        frames.release();
        for (Http2Wire wire : List.copyOf(wires)) {
            drop(wire, true);
            wire.exchange().disconnected(parting.end(cause));
        }
    }

    private boolean drop(Http2Wire wire, boolean lost) {
        boolean ran = remove(wire);
        return wire.release(lost) || ran;
    }

    private boolean remove(Http2Wire wire) {
        boolean ran = wires.remove(wire);
        if (wires.isEmpty()) {
            heartbeat().end();
        }
        return ran;
    }

    private void ping() {
        connection().ping(KEEP_ALIVE);
        flush();
    }

    private void isSilent() {
        disconnected(
                new IOException("PING: unanswered (expected: an answer in " + keepAlive + ")"));
        var _ = context().channel().abort();
    }

    private Heartbeat heartbeat() {
        if (heartbeat == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return heartbeat;
    }

    // ---- for wires ----

    EventLoop eventLoop() {
        return context().eventLoop();
    }

    BufferAllocator allocator() {
        return context().channel().allocator();
    }

    Channel channel() {
        return context().channel();
    }

    /// Tells if the server takes an extended CONNECT (RFC 8441).
    boolean takesExtendedConnect() {
        return connection().peerSettings().get(Setting.ENABLE_CONNECT_PROTOCOL) == 1;
    }

    String scheme() {
        return route.origin().secure() ? "https" : "http";
    }

    Http2Stream open(Http2Wire wire, RequestHead head, boolean end) {
        Http2Stream stream = connection().request(head, end);
        stream.attach(wire);
        return stream;
    }

    boolean isWritable() {
        return context().channel().isWritable();
    }

    long pendingBytes() {
        return context().channel().pendingBytes() + frames.bytes();
    }

    long takenBytes() {
        return write == null ? 0 : write.taken();
    }

    /// Sends what was written, unless that is about to be done.
    void flush() {
        if (!receiving && write != null && frames.drainTo(write)) {
            context().flush();
        }
    }

    /// The exchange is over, and its place is free.
    void finished(Http2Wire wire) {
        if (!remove(wire)) {
            return;
        }
        if (resets.isHigh(connection().resetsSent(), eventLoop().clock().nanoTime())) {
            retire();
        }
        if (!dead) {
            if (!receiving) {
                beginQueued();
            }
            pool.release(this);
        } else {
            closeIfDrained();
        }
    }

    // ---- the machine's events, by way of Http2ClientEvents ----

    /// The stream of a wire was reset, by the server or for an error of its.
    void reset(Http2Wire wire, int code) {
        if (!drop(wire, parting.isFailed())) {
            return;
        }
        requireHttp1(code);
        if (!dead) {
            pool.release(this);
        }
        // RFC 9113, 8.7: the server has certainly not processed it.
        if (code == ErrorCode.REFUSED_STREAM.code()) {
            wire.exchange().refused(parting.refused());
        } else {
            wire.exchange().disconnected(parting.reset(code));
        }
    }

    /// The server may want HTTP/1.1 for a request or for all (RFC 9113, 7): further ones go there.
    private void requireHttp1(int code) {
        if (code == ErrorCode.HTTP_1_1_REQUIRED.code()) {
            pool.requiresHttp1(route);
            if (pool.mayMultiplex(route)) {
                return; // the application insists on HTTP/2
            }
            retire();
        }
    }

    /// The server takes so many streams at a time.
    void allows(long streams) {
        capacity = (int) Math.min(MAX_STREAMS, Math.max(1, streams));
        pool.capacityChanged(this);
    }

    /// The server takes no more streams.
    void goneAway(int code, String debug) {
        parting.goneAway(code, debug);
        requireHttp1(code);
        retire();
    }

    /// The machine has cut the server off.
    void failed(Http2Exception cause) {
        parting.failed(cause);
        retire();
    }

    private Http2Connection connection() {
        if (h2 == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return h2;
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
