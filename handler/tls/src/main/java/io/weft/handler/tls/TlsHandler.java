package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import io.weft.codec.Cumulation;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.Failed;
import io.weft.tls.machine.TlsException.HandshakeTimeout;
import io.weft.tls.machine.TlsException.NotTls;
import io.weft.tls.machine.TlsException.Truncated;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Runs a [TlsEngine] in a pipeline: before it are records, behind it is their plaintext.
///
/// **Handshake.** It begins when the handler is in the pipeline of an active channel. If the
/// channel is already active (STARTTLS), it begins when the handler is added: write the last
/// plaintext answer first, then add it. Input that is left then was not protected, and decoders
/// fail if there is any ([InputBoundary]). Handlers behind hear of the end by a [TlsEvent], others
/// by [#handshake]; what is written before waits for it, [#MAX_PENDING] bytes at most.
///
/// **Writing.** Small messages are put together until a flush, or until they fill a record. A
/// promise succeeds when its records are sent.
///
/// Buffers are taken, and nothing else; of a file, the `Chunks` of a `ChunkedWriteHandler`.
///
/// **Reading.** Messages other than buffers were not protected: they are closed, and the connection
/// fails with [TlsException.Unprotected], before the handshake and after it. So descriptors cannot
/// be received through TLS (`ChannelOption.RECEIVE_DESCRIPTORS`). A handler in front that learns
/// something, such as the header of a proxy, tells it by a user event.
///
/// **Closing** sends close_notify first, and then closes the channel, which waits for the peer's
/// end. A close during the handshake waits for its outcome if flushed messages do, and ends it
/// otherwise. When the peer's close_notify arrives, `channelInputClosed` follows, and unless the
/// channel allows half-closure it closes. An end of the connection without it is a [Truncated].
///
/// **Half-closing.** `Channel.shutdownOutput` sends close_notify, behind the handshake and what was
/// written, and then FIN; input goes on (RFC 8446, 6.1). Before TLS 1.3 the peer may discard what
/// it has not sent, and end its output too (RFC 5246, 7.2.1).
///
/// **Failing.** The peer gets the alert, handlers behind the [TlsException], and the channel closes
/// in order.
///
/// **Blocking work** of the engine runs on the context's executor; until it is done, input waits.
public final class TlsHandler implements ChannelHandler {
    /// Bytes that may wait to be encrypted: for the handshake, or for a task.
    public static final int MAX_PENDING = 1 << 20;

    /// Bytes of records that may wait for a task before the channel stops reading.
    static final int MAX_WAITING_RECORDS = 1 << 16;

    private final TlsContext context;
    private final TlsPeer peer;
    private final Cumulation records = new Cumulation();
    private final EngineRun engine;
    private final TlsOutput output;
    private final Deadline deadline = new Deadline();
    private final TlsClosing closing;
    private TlsState state = TlsState.NEW;
    private @Nullable Promise<TlsSession> handshake;

    private boolean delivering;
    private boolean peerClosed;
    private boolean rawInputEnded;
    private boolean inputEndTold;
    private boolean readAsked;

    /// Data was passed on since the last `channelReadComplete`.
    private boolean readIncomplete;

    private TlsHandler(TlsContext context, TlsPeer peer) {
        this.context = context;
        this.peer = peer;
        engine = new EngineRun(context.reserve());
        output = new TlsOutput(this, engine);
        closing = new TlsClosing(this, engine, output, deadline, context.timeouts());
    }

    /// The handler of one connection that a server accepted.
    ///
    /// @throws IllegalStateException when the context is a client's, or closed
    public static TlsHandler server(TlsContext context) {
        if (!context.settings().server()) {
            throw new IllegalStateException(
                    "context: a client's (expected: a server's; a client names a host)");
        }
        return new TlsHandler(context, TlsPeer.UNKNOWN);
    }

    /// The handler of one connection of a client.
    ///
    /// @param host the peer's host, which its certificate must be for, and the name in SNI
    /// @param port with the host the key of sessions to resume
    public static TlsHandler client(TlsContext context, String host, int port) {
        return new TlsHandler(context, new TlsPeer(host, port));
    }

    // ---- what users ask ----

    /// Returns the future of the handshake: it completes with the negotiated session, or fails with
    /// the reason. Available once the handler is in a pipeline.
    public Future<TlsSession> handshake() {
        return promise();
    }

    /// Returns the negotiated session; null before the handshake is complete. Loop only.
    public @Nullable TlsSession session() {
        TlsEngine machine = engine.machine();
        return machine == null ? null : machine.session();
    }

    /// The engine at work, for what only it can tell, such as exported keys; null before. Loop
    /// only.
    public @Nullable TlsEngine engine() {
        return engine.machine();
    }

    // ---- for its parts ----

    TlsState state() {
        return state;
    }

    void startClosing() {
        state = TlsState.CLOSING;
    }

    boolean isInputEndTold() {
        return inputEndTold;
    }

    boolean isOpen() {
        return state == TlsState.OPEN;
    }

    boolean isShaking() {
        return state == TlsState.HANDSHAKE;
    }

    boolean takesWrites() {
        return state != TlsState.CLOSING && state != TlsState.OVER && !closing.endsOutput();
    }

    // ---- beginning ----

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        handshake = ctx.channel().newPromise();
        if (ctx.channel().isActive()) {
            ctx.fireUserEventTriggered(InputBoundary.PROTECTED);
            begin(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        begin(ctx);
        ctx.fireChannelActive();
        askForRecords(ctx); // if autoRead was switched off meanwhile
    }

    private void begin(ChannelHandlerContext ctx) {
        if (state != TlsState.NEW) {
            return;
        }
        state = TlsState.HANDSHAKE;
        if (FlightRecorder.isInitialized()) {
            TlsHandshakeEvent.follow(promise(), ctx.channel(), context.settings().server());
        }
        try {
            engine.begin(peer, ctx.channel().allocator(), context.tasks());
        } catch (RuntimeException | Error e) {
            // Thrown, it would have this handler removed, and all that follows pass in the clear.
            fail(ctx, new Failed("no engine: " + e, e));
            return;
        }
        Duration most = context.timeouts().handshake();
        deadline.set(ctx, most, () -> fail(ctx, new HandshakeTimeout(most)));
        run(ctx, machine -> machine.start(engine));
        askForRecords(ctx);
    }

    // ---- running the engine ----

    /// One call of the engine, then what follows from it: records go out, a task runs, handlers
    /// hear.
    void run(ChannelHandlerContext ctx, EngineRun.Step step) {
        TlsException failure = engine.call(ctx, step, () -> taskDone(ctx));
        engine.send(ctx);
        if (state == TlsState.HANDSHAKE || engine.taskRuns() || failure != null) {
            engine.flush(ctx);
        }
        deliver(ctx);
        if (failure != null) {
            fail(ctx, failure);
        }
    }

    private void taskDone(ChannelHandlerContext ctx) {
        run(ctx, machine -> machine.resume(engine));
        readRecords(ctx);
        if (readIncomplete) {
            completeRead(ctx); // the channel's own may have passed while the task ran
        }
        if (!engine.taskRuns()) {
            settle(ctx);
        }
    }

    private void completeRead(ChannelHandlerContext ctx) {
        readIncomplete = false;
        ctx.fireChannelReadComplete();
    }

    /// Does the work that had to wait for a task.
    private void settle(ChannelHandlerContext ctx) {
        ctx.resumeReading();
        output.goOn(ctx);
        if (rawInputEnded && !inputEndTold) {
            inputEnded(ctx);
        }
        closing.goOn(ctx);
        engine.flush(ctx);
        askForRecords(ctx);
    }

    // ---- in ----

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            var why = Foreign.refuse(message);
            if (!peerClosed) {
                fail(ctx, why);
            }
        } else if (state == TlsState.OVER || peerClosed) {
            bytes.release();
        } else {
            try {
                var _ = records.add(bytes);
            } catch (RuntimeException e) {
                fail(ctx, new Failed("received bytes are lost: " + e, e));
                return;
            }
            readRecords(ctx);
        }
    }

    private void readRecords(ChannelHandlerContext ctx) {
        Buffer in = records.bytes();
        if (in == null || engine.machine() == null || state == TlsState.OVER) {
            return;
        }
        if (engine.taskRuns()) {
            waitWithReading(ctx);
            return;
        }
        run(
                ctx,
                machine -> {
                    try {
                        machine.received(in, engine);
                    } finally {
                        records.trim();
                    }
                });
        if (engine.taskRuns()) {
            waitWithReading(ctx);
        }
    }

    private void waitWithReading(ChannelHandlerContext ctx) {
        if (records.size() > MAX_WAITING_RECORDS) {
            ctx.suspendReading();
        }
    }

    /// Handlers may write, flush, close and read meanwhile; what comes of it is delivered by the
    /// loop that runs already.
    private void deliver(ChannelHandlerContext ctx) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            for (Object next; (next = engine.poll()) != null; ) {
                switch (next) {
                    case Buffer data -> {
                        readAsked = false;
                        readIncomplete = true;
                        ctx.fireChannelRead(data);
                    }
                    case TlsEvent.HandshakeComplete done -> handshakeDone(ctx, done);
                    case TlsEvent.CloseNotify event -> {
                        peerClosed = true;
                        records.release();
                        ctx.fireUserEventTriggered(event);
                    }
                    case EngineRun.Told _ -> inputOver(ctx, true);
                    default -> throw new IllegalStateException("delivers " + next);
                }
            }
        } finally {
            delivering = false;
        }
    }

    private void handshakeDone(ChannelHandlerContext ctx, TlsEvent.HandshakeComplete event) {
        if (state != TlsState.HANDSHAKE) {
            return;
        }
        state = TlsState.OPEN;
        deadline.cancel();
        promise().trySuccess(event.session());
        ctx.fireUserEventTriggered(event);
        output.goOn(ctx);
        closing.goOn(ctx);
    }

    private Promise<TlsSession> promise() {
        if (handshake == null) {
            throw new IllegalStateException("handshake: not in a pipeline (expected: added)");
        }
        return handshake;
    }

    /// The peer says no more.
    private void inputOver(ChannelHandlerContext ctx, boolean complete) {
        if (inputEndTold) {
            return;
        }
        inputEndTold = true;
        if (readIncomplete) {
            completeRead(ctx); // handlers flush there, and the channel may close next
        }
        ctx.fireChannelInputClosed();
        closing.inputOver(ctx, complete);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        engine.flush(ctx);
        completeRead(ctx);
        askForRecords(ctx);
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        readAsked = true;
        ctx.read();
    }

    /// Keeps a read outstanding while TLS itself needs input: handlers behind may stop the
    /// channel's own reading at any moment. A handler's read is repeated until it has got data, as
    /// a batch of records may bring none.
    void askForRecords(ChannelHandlerContext ctx) {
        if (ctx.suspendsReading()) {
            return;
        }
        if (state == TlsState.HANDSHAKE
                || state == TlsState.CLOSING
                || (readAsked && !ctx.channel().readsByItself())) {
            ctx.read();
        }
    }

    /// Handlers behind may hold so much that the channel stops to read, and wait for a handshake
    /// with it.
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        askForRecords(ctx);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        rawInputEnded = true;
        if (!engine.taskRuns()) {
            inputEnded(ctx);
        }
    }

    private void inputEnded(ChannelHandlerContext ctx) {
        if (inputEndTold) {
            return;
        }
        if ((state == TlsState.HANDSHAKE || state == TlsState.OPEN) && !peerClosed) {
            String where =
                    state == TlsState.HANDSHAKE
                            ? "within the handshake"
                            : "without the peer's close_notify";
            fail(ctx, new Truncated("the connection ended " + where));
        }
        inputOver(ctx, false);
    }

    // ---- out ----

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        output.write(ctx, message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        output.flush(ctx);
    }

    // ---- the end ----

    @Override
    public void close(ChannelHandlerContext ctx) {
        closing.close(ctx);
    }

    @Override
    public void shutdownOutput(ChannelHandlerContext ctx) {
        closing.shutdownOutput(ctx);
    }

    /// Fails the connection, after the engine's output for the peer has been written.
    void fail(ChannelHandlerContext ctx, TlsException why) {
        TlsState before = state;
        if (before == TlsState.OVER) {
            return;
        }
        state = TlsState.OVER;
        TlsException cause =
                why instanceof NotTls plaintext ? PlaintextPeer.of(ctx.channel(), plaintext) : why;
        if (before == TlsState.HANDSHAKE && !rawInputEnded) {
            engine.giveUp(); // if it was not the engine that failed: that has said so
            engine.send(ctx);
            engine.flush(ctx);
        }
        over();
        output.fail(ctx, cause);
        if (before == TlsState.CLOSING) {
            ctx.close(); // nobody is interested any more
            return;
        }
        if (!rawInputEnded) {
            ctx.shutdownOutput(); // so that whoever closes for this lets the alert arrive
        }
        handshakeFailed(ctx, cause);
        ctx.fireExceptionCaught(cause);
        ctx.close();
    }

    void handshakeFailed(ChannelHandlerContext ctx, Throwable cause) {
        output.fail(ctx, cause);
        if (promise().tryFailure(cause)) {
            ctx.fireUserEventTriggered(new TlsEvent.HandshakeFailed(cause));
        }
    }

    /// Tells if a failure would be observed. An unobserved exception would cost as much as all the
    /// rest of a close.
    private boolean waitedFor() {
        return !promise().isDone() || !output.isEmpty();
    }

    /// Nothing is said from now on, and nothing waited for.
    void over() {
        state = TlsState.OVER;
        deadline.cancel();
        engine.end();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        over();
        if (waitedFor()) {
            handshakeFailed(ctx, new ClosedChannelException());
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        TlsState before = state;
        over();
        if (waitedFor()) {
            promise().tryFailure(new ClosedChannelException());
            output.fail(ctx, new ClosedChannelException());
        }
        records.release();
        engine.release();
        closing.removed(ctx, before);
    }
}
