package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.eventloop.EventLoop;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Peer;
import io.weft.http.model.Status;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.Application;
import io.weft.http.server.exchange.RequestPeer;
import io.weft.http.server.exchange.Turn;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection of a server: joins the machine to the channel, and each stream to an
/// exchange of its own.
///
/// Everything that a batch of events brings about is gathered and sent by one write. While the
/// client does not take what waits for it, or the turn is over, the machine is paused, and reading
/// suspended. Thread: the channel's loop.
final class Http2ServerConnection implements ChannelHandler, Http2Events {
    /// To the answer of a request.
    private static final RequestPeer.Interims WAY =
            (answer, status, fields) -> ((Http2Answer) answer).interim(status, fields);

    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    /// Undecoded bytes at which reading is suspended.
    private static final int MAX_WAITING = 64 << 10;

    /// Bytes of bodies that are collected at a time; beyond them one goes on, see
    /// [CollectedBodies].
    private static final int COLLECTED = 128 << 10;

    private final Application application;
    private final HttpServerLimits limits;
    private final Sweeper sweeper;
    private final Http2Connection h2;
    private final Http2Deadlines watch;
    private final Deadlines deadlines;
    private final CollectedBodies collected;
    private @Nullable H2cUpgrade upgrade;
    private @Nullable ChannelHandlerContext ctx;

    /// That requests tell; null before the first.
    private @Nullable Peer peer;

    private final Http2Output output = new Http2Output(guarded(this::flush), this::allocator);
    private @Nullable Turn turn;
    private boolean paused;
    private boolean inputEnded;
    private boolean closing;
    private boolean gone;

    /// @param upgrade the request that HTTP/2 was asked for with; null for a connection of its own
    Http2ServerConnection(ServerLoop server, @Nullable H2cUpgrade upgrade) {
        this.application = server.application();
        this.limits = server.limits();
        this.sweeper = server.sweeper();
        this.upgrade = upgrade;
        this.h2 =
                new Http2Connection(
                        Http2Connection.Role.SERVER,
                        limits.http2(),
                        sweeper::now,
                        output.frames(),
                        this);
        this.watch = new Http2Deadlines(this, h2, limits);
        this.deadlines = new Deadlines(watch, server);
        this.collected =
                new CollectedBodies(
                        h2,
                        Math.min(limits.body(), COLLECTED),
                        limits.http2().streamWindow(),
                        this::flushSoon);
    }

    // ---- the channel's events ----

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        output.attach(context);
        turn = new Turn(context.eventLoop(), guarded(this::goOn));
        deadlines.begin(context.eventLoop().clock().nanoTime());
        h2.start();
        H2cUpgrade first = upgrade;
        if (first != null) {
            upgrade = null;
            run(() -> h2.upgrade(first.settings(), first.head()));
            flushSoon(); // HTTP/1.1 stands before this handler yet
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Buffer in = (Buffer) message;
        if (closing) {
            in.release();
            return;
        }
        run(() -> h2.receive(in));
        demand();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        flush();
        turn().begin();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            goOn();
        }
    }

    /// Goes on with what waited for the client, or for a turn.
    private void goOn() {
        if (gone) {
            return;
        }
        if (paused && !turn().isOver() && context().channel().isWritable()) {
            paused = false;
            run(h2::resume);
            if (inputEnded) {
                endInput();
            }
        }
        flush();
        demand();
    }

    /// The client has finished sending: what it asked is still answered.
    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        inputEnded = true;
        endInput();
        flush();
    }

    /// Ends what is not whole, once all that has come is decoded.
    private void endInput() {
        if (paused) {
            return;
        }
        run(
                () -> {
                    for (Http2Stream stream : h2.streams()) {
                        if (stream.mayReceive()) {
                            reset(stream, ErrorCode.CANCEL.code());
                            stream.reset(ErrorCode.CANCEL);
                        }
                    }
                    h2.finishShutdown();
                });
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        gone();
    }

    /// Closes the connection, for example when a server shuts down: what was asked before the
    /// client has heard of it is answered first.
    @Override
    public void close(ChannelHandlerContext context) {
        if (closing) {
            context.close();
            return;
        }
        if (!h2.isShuttingDown()) {
            watch.shutdownBegun(sweeper.now());
            h2.shutdown();
            run(this::closeTunnels);
            if (h2.openStreams() == 0) {
                h2.finishShutdown();
            }
        }
        flush();
    }

    private void closeTunnels() {
        for (Http2Stream stream : h2.streams()) {
            if (stream.attachment() != null) {
                wire(stream).closeTunnel();
            }
        }
    }

    /// Cuts the connection off after a failure that nothing else is to be done about.
    void giveUp(String what, Throwable cause) {
        LOGGER.log(System.Logger.Level.WARNING, what, cause);
        gone();
        abort();
    }

    /// Guards a task of the loop. If it throws, such as for lack of memory, no caller would hear of
    /// that, and streams would wait indefinitely: the connection is cut off.
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable t) {
                giveUp("the connection could not go on; it is cut", t);
            }
        };
    }

    void abort() {
        if (ctx != null) {
            ctx.channel().abort();
        }
    }

    private void gone() {
        if (!gone) {
            gone = true;
            closing = true;
            deadlines.end();
            for (Http2Stream stream : h2.streams()) {
                cutOff(stream, "the connection has ended", true);
            }
            h2.close();
            output.release();
        }
    }

    // ---- what the machine tells ----

    @Override
    public void request(Http2Stream stream, RequestHead head, boolean end) {
        if (h2.openStreams() == 1) {
            deadlines.waitForAnswer();
        }
        Http2ServerStream wire =
                new Http2ServerStream(this, stream, head, application, limits, sweeper.now());
        stream.attach(wire);
        wire.begin(end);
        spend(Turn.PART);
    }

    @Override
    public void requestTooLarge(Http2Stream stream) {
        stream.response(Status.REQUEST_HEADER_FIELDS_TOO_LARGE, Headers.EMPTY, 0, date(), true);
        spend(Turn.PIECE); // it took as long to decode as several that are answered
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        wire(stream).data(data, end);
        spend(Turn.PART);
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {
        wire(stream).endOfBody(trailers);
    }

    @Override
    public void reset(Http2Stream stream, int code) {
        cutOff(stream, "the stream was reset", h2.isFailed());
    }

    private static void cutOff(Http2Stream stream, String why, boolean lost) {
        if (stream.attachment() != null) {
            wire(stream).cutOff(why, lost);
        }
    }

    @Override
    public void send(Http2Stream stream) {
        wire(stream).takeTurn();
        if (!turn().spend(Turn.PIECE)) {
            turn().end();
        }
    }

    /// Ends the turn: frames that are refused cost time as well, and other connections want theirs.
    @Override
    public void worked() {
        endTurn();
    }

    @Override
    public void failed(Http2Exception cause) {
        LOGGER.log(System.Logger.Level.DEBUG, () -> "a client was cut off: " + cause.getMessage());
    }

    static Http2ServerStream wire(Http2Stream stream) {
        if (stream.attachment() instanceof Http2ServerStream wire) {
            return wire;
        }
        throw new AssertionError(stream + " without an exchange");
    }

    /// Counts what was done for a request in the turn, and pauses the machine when that is over, or
    /// the client takes no more.
    private void spend(int cost) {
        wrote();
        if (!turn().spend(cost)) {
            endTurn();
        } else if (!context().channel().isWritable()) {
            pause();
        }
    }

    private void endTurn() {
        pause();
        turn().end();
    }

    private void pause() {
        paused = true;
        h2.pause();
    }

    // ---- sending ----

    /// Runs something that may write frames; they are flushed behind it.
    void run(Runnable task) {
        output.run(task);
    }

    /// Writes what is gathered to the channel if it is much.
    void wrote() {
        output.wrote();
    }

    /// Tells if the connection is there, and the client takes more.
    boolean isWritable() {
        return !gone && context().channel().isWritable();
    }

    /// Flushes what was written; within a batch of events, behind it.
    void flushSoon() {
        if (!gone) {
            output.flushSoon();
        }
    }

    /// Lets streams send whose turn it is, and sends everything.
    void flush() {
        if (output.isBusy() || gone) {
            return;
        }
        run(() -> h2.serve(this::maySend));
        output.flush();
        if (gone) {
            return;
        }
        if (h2.isFailed() || h2.isDrained()) {
            closeNow();
        } else if (h2.openStreams() == 0 && !deadlines.isWaitingForRequest() && h2.isSettled()) {
            deadlines.waitFor(Wait.REQUEST);
        }
    }

    private boolean maySend() {
        return context().channel().isWritable() && !turn().isOver();
    }

    private void closeNow() {
        if (!closing) {
            closing = true;
            deadlines.waitFor(Wait.NOTHING);
            context().resumeReading(); // the client's close_notify may be waited for
            context().close();
        }
    }

    /// Reads on unless much waits to be decoded.
    private void demand() {
        if (gone || closing) {
            return;
        }
        if (paused && h2.undecoded() >= MAX_WAITING) {
            context().suspendReading();
        } else {
            context().resumeReading();
        }
    }

    // ---- for streams ----

    /// Tells if another stream waits for its turn to send.
    boolean isShared() {
        return h2.hasMoreToSend();
    }

    Http2Tunnels tunnels() {
        return new Http2Tunnels(this, context().channel());
    }

    long pendingBytes() {
        return context().channel().pendingBytes();
    }

    boolean isClosing() {
        return closing;
    }

    CollectedBodies collected() {
        return collected;
    }

    /// Nanoseconds of a coarse clock.
    long now() {
        return sweeper.now();
    }

    String date() {
        return sweeper.date().value();
    }

    EventLoop eventLoop() {
        return context().eventLoop();
    }

    BufferAllocator allocator() {
        return context().channel().allocator();
    }

    Turn turn() {
        if (turn == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return turn;
    }

    /// Returns the peer of the request that `answer` is to.
    Peer peer(Http2Answer answer) {
        Peer there = peer;
        if (there == null) {
            there = new ChannelPeer(context().channel());
            peer = there;
        }
        return new RequestPeer(there, eventLoop(), WAY, answer);
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
