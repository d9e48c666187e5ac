package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelOption;
import io.weft.channel.InputBoundary;
import io.weft.codec.framing.Cumulation;
import io.weft.handler.tls.TlsException.Failed;
import io.weft.handler.tls.TlsException.HandshakeTimeout;
import io.weft.handler.tls.TlsException.LimitReached;
import io.weft.handler.tls.TlsException.Truncated;
import io.weft.handler.tls.spi.TlsEngine;
import io.weft.handler.tls.spi.TlsPeer;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs a [TlsEngine] in a pipeline: before it are records, behind it is what they protect. Made by [TlsContext#handler].
///
/// **Handshake.** It begins when the handler is in the pipeline of an active channel. Added to a connection that already
/// spoke in the clear (STARTTLS) it begins there: write the last answer in the clear first, then add it. What is left of the
/// input then was not protected, and decoders fail if there is any ([InputBoundary]). Handlers behind hear of the end by a [TlsEvent], others by [#handshake]; what is written before waits for it, [#MAX_PENDING] bytes at most.
///
/// **Writing.** Small messages are put together until a flush, or until they fill a record. A promise succeeds when its
/// records are sent.
///
/// Buffers are taken, and nothing else: of a file, the `Chunks` of a `ChunkedWriteHandler`.
///
/// **Closing** sends close_notify first. A client that has got no data yet then waits for the server's end of a connection of TLS
/// 1.3, at most for [ChannelOption#LINGER_TIMEOUT], as tickets that meet a closed one reset it. When the peer's arrives, `channelInputClosed` follows, and unless the channel allows
/// half-closure it closes. An end of the connection without it is a [Truncated].
///
/// **Failing.** The peer gets the alert, handlers behind the [TlsException], and the channel closes.
///
/// **Blocking work** of the engine runs on the context's executor; until it is done, input waits.
public final class TlsHandler implements ChannelHandler {
    /// Bytes that may wait to be encrypted: for the handshake, or for a task.
    public static final int MAX_PENDING = 1 << 20;

    /// Bytes of records that may wait for a task before the channel stops reading.
    static final int MAX_WAITING_RECORDS = 1 << 16;

    private enum State {
        NEW,
        HANDSHAKE,
        OPEN,
        /// Our close_notify is on its way, or out.
        CLOSING,
        /// Closed or failed: nothing more is said, and what comes is dropped.
        OVER
    }

    private final TlsContext context;
    private final TlsPeer peer;
    private final Cumulation records = new Cumulation();
    private final PendingWrites pending = new PendingWrites();
    private final EngineRun engine = new EngineRun();

    private State state = State.NEW;
    private @Nullable Promise<TlsSession> handshake;
    private @Nullable Timeout timeout;

    private boolean delivering;
    private boolean flushAsked;
    private boolean closeAsked;
    private boolean peerClosed;
    private boolean rawInputEnded;
    private boolean inputEndTold;
    private boolean readPaused;
    private boolean readAsked;
    private boolean askScheduled;

    /// Data has come.
    private boolean heard;

    /// Closing, and nothing that comes is of interest.
    private boolean lingering;

    TlsHandler(TlsContext context, TlsPeer peer) {
        this.context = context;
        this.peer = peer;
    }

    // ---- what users ask ----

    /// What is agreed on; fails with the reason when nothing is. Once the handler is in a pipeline.
    public Future<TlsSession> handshake() {
        if (handshake == null) {
            throw new IllegalStateException("handshake: not in a pipeline (expected: added)");
        }
        return handshake;
    }

    /// What was agreed on; null before. Loop only.
    public @Nullable TlsSession session() {
        TlsEngine machine = engine.machine();
        return machine == null ? null : machine.session();
    }

    /// The engine at work, for what only it can tell, such as exported keys; null before. Loop only.
    public @Nullable TlsEngine engine() {
        return engine.machine();
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
    }

    private void begin(ChannelHandlerContext ctx) {
        if (state != State.NEW) {
            return;
        }
        state = State.HANDSHAKE;
        try {
            engine.begin(context.engine(peer, ctx.channel().allocator()), context.tasks());
        } catch (RuntimeException | Error e) {
            // Thrown, it would have this handler removed, and all that follows pass in the clear.
            fail(ctx, new Failed("no engine: " + e, e));
            return;
        }
        Duration most = context.timeouts().handshake();
        timeout = schedule(ctx, () -> fail(ctx, new HandshakeTimeout(most)), most);
        run(ctx, machine -> machine.start(engine));
        askForRecords(ctx);
    }

    private static Timeout schedule(ChannelHandlerContext ctx, Runnable task, Duration delay) {
        return ctx.eventLoop()
                .schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
    }

    // ---- running the engine ----

    /// One call of the engine, then what follows from it: records go out, a task runs, handlers hear.
    private void run(ChannelHandlerContext ctx, EngineRun.Step step) {
        TlsException failure = engine.call(ctx, step, () -> taskDone(ctx));
        engine.send(ctx);
        if (state == State.HANDSHAKE || engine.taskRuns() || failure != null) {
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
        if (!engine.taskRuns()) {
            settle(ctx);
        }
    }

    /// What had to wait for a task.
    private void settle(ChannelHandlerContext ctx) {
        if (readPaused) {
            readPaused = false;
            ctx.channel().autoRead(true);
        }
        if (state == State.OPEN) {
            encrypt(ctx, flushAsked);
        }
        if (rawInputEnded && !inputEndTold) {
            inputEnded(ctx);
        }
        if (closeAsked && !engine.taskRuns()) {
            closeNow(ctx);
        }
        engine.flush(ctx);
        askForRecords(ctx);
    }

    // ---- in ----

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            ctx.fireChannelRead(message);
        } else if (state == State.OVER || peerClosed) {
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
        if (in == null || engine.machine() == null || state == State.OVER) {
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
    }

    private void waitWithReading(ChannelHandlerContext ctx) {
        if (records.size() > MAX_WAITING_RECORDS && ctx.channel().autoRead() && !readPaused) {
            readPaused = true;
            ctx.channel().autoRead(false);
        }
    }

    /// Handlers may write, flush, close and read meanwhile; what comes of it is delivered by the loop that runs already.
    private void deliver(ChannelHandlerContext ctx) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            for (Object next; (next = engine.poll()) != null; ) {
                switch (next) {
                    case Buffer data when lingering -> data.release();
                    case Buffer data -> {
                        heard = true;
                        readAsked = false;
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
        if (state != State.HANDSHAKE) {
            return;
        }
        state = State.OPEN;
        cancelTimeout();
        promise().trySuccess(event.session());
        ctx.fireUserEventTriggered(event);
        if (state == State.OPEN) {
            encrypt(ctx, flushAsked);
        }
    }

    private Promise<TlsSession> promise() {
        if (handshake == null) {
            throw new IllegalStateException("not added to a pipeline");
        }
        return handshake;
    }

    /// The peer says no more.
    private void inputOver(ChannelHandlerContext ctx, boolean complete) {
        if (inputEndTold) {
            return;
        }
        inputEndTold = true;
        ctx.fireChannelInputClosed();
        boolean half = ctx.channel().options().get(ChannelOption.ALLOW_HALF_CLOSURE);
        if (state == State.CLOSING) {
            finish(ctx);
        } else if (complete && !half) {
            var _ = ctx.channel().close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        engine.flush(ctx);
        ctx.fireChannelReadComplete();
        askForRecords(ctx);
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        readAsked = true;
        ctx.read();
    }

    /// Who asked for data gets none from a record that is not whole, or brings none; nor does a handshake wait to be asked, or
    /// for what waits for it to be sent.
    private void askForRecords(ChannelHandlerContext ctx) {
        boolean wanted = state == State.HANDSHAKE || state == State.CLOSING || readAsked;
        boolean byItself = ctx.channel().autoRead() && ctx.channel().isWritable();
        if (wanted && !byItself && !readPaused) {
            ctx.read();
        }
    }

    /// Handlers behind may hold so much that the channel stops to read, and wait for a handshake with it.
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
        if ((state == State.HANDSHAKE || state == State.OPEN) && !peerClosed) {
            cutShort(ctx);
        }
        inputOver(ctx, false);
    }

    private void cutShort(ChannelHandlerContext ctx) {
        String where =
                state == State.HANDSHAKE
                        ? "within the handshake"
                        : "without the peer's close_notify";
        fail(ctx, new Truncated("the connection ended " + where));
    }

    // ---- out ----

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        Buffer plaintext;
        switch (message) {
            case Buffer buffer -> plaintext = buffer;
            case CompositeBuffer composite -> {
                plaintext = composite.flatten();
            }
            default -> {
                if (message instanceof AutoCloseable) {
                    release(message);
                }
                throw new IllegalArgumentException(
                        "message: " + message.getClass().getName() + " (expected: a Buffer)");
            }
        }
        if (state == State.CLOSING || state == State.OVER || closeAsked) {
            refuse(plaintext, promise, new ClosedChannelException());
        } else if (pending.bytes() >= MAX_PENDING) {
            var full =
                    new LimitReached(
                            "bytes that wait to be encrypted: "
                                    + pending.bytes()
                                    + " (expected: below "
                                    + MAX_PENDING
                                    + ")");
            refuse(plaintext, promise, full);
            fail(ctx, full);
        } else {
            pending.add(plaintext, promise);
            if (state == State.OPEN && pending.bytes() >= Records.MAX_PLAINTEXT) {
                encrypt(ctx, false);
            }
            countHeld(ctx);
        }
    }

    private static void release(Object message) {
        try {
            ((AutoCloseable) message).close();
        } catch (Exception e) {
            throw new IllegalArgumentException("message: does not close", e);
        }
    }

    private static void refuse(Buffer plaintext, @Nullable Promise<Void> promise, Throwable cause) {
        plaintext.release();
        if (promise != null) {
            promise.tryFailure(cause);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        flushAsked = !pending.isEmpty();
        if (state == State.OPEN) {
            encrypt(ctx, true);
        }
        ctx.flush();
    }

    /// What waits counts in the channel's writability. A channel that is not writable does not read by itself, but what is
    /// waited for has to be read.
    private void countHeld(ChannelHandlerContext ctx) {
        ctx.holds(pending.bytes());
        if (!pending.isEmpty()
                && (state == State.HANDSHAKE || engine.taskRuns())
                && !ctx.channel().isWritable()) {
            ctx.read();
            askLater(ctx);
        }
    }

    /// Who wrote may hold less now, which stops the channel's reading again.
    private void askLater(ChannelHandlerContext ctx) {
        if (!askScheduled) {
            askScheduled = true;
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                askScheduled = false;
                                askForRecords(ctx);
                            });
        }
    }

    /// Encrypts what waits, all of it or whole records only.
    private void encrypt(ChannelHandlerContext ctx, boolean all) {
        while (state == State.OPEN && !engine.taskRuns() && !pending.isEmpty()) {
            if (!all && pending.bytes() < Records.MAX_PLAINTEXT) {
                break;
            }
            PendingWrites.Next next = pending.next(ctx.channel().allocator());
            encrypt(ctx, next);
        }
        countHeld(ctx);
        if (all && pending.isEmpty() && flushAsked) {
            flushAsked = false;
            ctx.flush();
        }
    }

    private void encrypt(ChannelHandlerContext ctx, PendingWrites.Next next) {
        Buffer plaintext = next.plaintext();
        Promise<Void> promise = next.promise();
        run(
                ctx,
                machine -> {
                    try {
                        machine.write(plaintext, engine);
                    } catch (TlsException | RuntimeException e) {
                        refuse(plaintext, promise, e);
                        throw e;
                    }
                    if (plaintext.isReadable()) {
                        pending.pushBack(new PendingWrites.Next(plaintext, next.promises()));
                    } else {
                        plaintext.release();
                        engine.promise(ctx, promise);
                    }
                });
    }

    // ---- the end ----

    @Override
    public void close(ChannelHandlerContext ctx) {
        if (!engine.taskRuns() || state != State.OPEN) {
            closeNow(ctx);
        } else if (!closeAsked) {
            closeAsked = true; // what was flushed waits for the task
            abortUnlessSent(ctx);
        }
    }

    private void closeNow(ChannelHandlerContext ctx) {
        switch (state) {
            case NEW, OVER -> ctx.close();
            case HANDSHAKE -> {
                handshakeFailed(ctx, new ClosedChannelException());
                sayGoodbye(ctx, null);
                finish(ctx);
            }
            case OPEN -> closeOpen(ctx);
            case CLOSING -> {
                // Once is enough.
            }
        }
    }

    private void closeOpen(ChannelHandlerContext ctx) {
        if (flushAsked) {
            encrypt(ctx, true);
        }
        state = State.CLOSING;
        if (!pending.isEmpty()) {
            pending.fail(new ClosedChannelException());
        }
        countHeld(ctx);
        boolean waits = !context.timeouts().closeNotifyRead().isZero() && !inputEndTold;
        lingering = !waits && ticketsMayCome(ctx);
        Promise<Void> sent = waits || lingering ? ctx.channel().newPromise() : null;
        sayGoodbye(ctx, sent);
        if (sent == null) {
            finish(ctx);
            return;
        }
        abortUnlessSent(ctx);
        sent.addListener(
                _ -> {
                    if (lingering) {
                        linger(ctx);
                    } else {
                        awaitCloseNotify(ctx);
                    }
                });
        askForRecords(ctx);
    }

    /// A server of TLS 1.3 sends tickets when it has heard the end of the handshake, and its data behind them. If they met a closed
    /// connection that would be answered by a reset, which takes from the server what it has not read yet.
    private boolean ticketsMayCome(ChannelHandlerContext ctx) {
        TlsSession session = promise().now();
        return !context.settings().server()
                && !heard
                && !inputEndTold
                && session != null
                && session.protocol() == TlsProtocol.TLS_1_3
                && !ctx.channel().options().get(ChannelOption.LINGER_TIMEOUT).isZero();
    }

    /// All has been sent. The peer reads to the end and closes.
    private void linger(ChannelHandlerContext ctx) {
        if (state == State.CLOSING) {
            cancelTimeout();
            timeout =
                    schedule(
                            ctx,
                            () -> finish(ctx),
                            ctx.channel().options().get(ChannelOption.LINGER_TIMEOUT));
            ctx.channel().shutdownOutput();
        }
    }

    private void awaitCloseNotify(ChannelHandlerContext ctx) {
        if (state == State.CLOSING) {
            cancelTimeout();
            timeout = schedule(ctx, () -> finish(ctx), context.timeouts().closeNotifyRead());
        }
    }

    private void sayGoodbye(ChannelHandlerContext ctx, @Nullable Promise<Void> promise) {
        if (engine.machine() == null || engine.taskRuns()) {
            return;
        }
        run(
                ctx,
                machine -> {
                    machine.closeOutbound(engine);
                    engine.promise(ctx, promise);
                });
        engine.flush(ctx);
    }

    /// Gives up when the peer takes nothing of what is to be sent.
    private void abortUnlessSent(ChannelHandlerContext ctx) {
        long before = ctx.channel().pendingBytes();
        cancelTimeout();
        timeout =
                schedule(
                        ctx,
                        () -> {
                            if (ctx.channel().pendingBytes() == before) {
                                var _ = ctx.channel().abort();
                            } else {
                                abortUnlessSent(ctx);
                            }
                        },
                        context.timeouts().closeNotifyFlush());
    }

    /// Closes the connection below.
    private void finish(ChannelHandlerContext ctx) {
        over();
        abortUnlessSent(ctx);
        ctx.close();
    }

    /// What the engine had to say to it has been written.
    private void fail(ChannelHandlerContext ctx, TlsException cause) {
        State before = state;
        if (before == State.OVER) {
            return;
        }
        state = State.OVER;
        if (before == State.HANDSHAKE && !rawInputEnded) {
            engine.giveUp(); // if it was not the engine that failed: that has said so
            engine.send(ctx);
            engine.flush(ctx);
        }
        over();
        pending.fail(cause);
        if (before == State.CLOSING) {
            ctx.close(); // nobody is interested any more
            return;
        }
        if (!rawInputEnded) {
            // Said and done: so a close by whoever handles this, or nobody, lets the alert
            // arrive.
            ctx.channel().shutdownOutput();
        }
        handshakeFailed(ctx, cause);
        ctx.fireExceptionCaught(cause);
        ctx.close();
    }

    private void handshakeFailed(ChannelHandlerContext ctx, Throwable cause) {
        pending.fail(cause);
        if (promise().tryFailure(cause)) {
            ctx.fireUserEventTriggered(new TlsEvent.HandshakeFailed(cause));
        }
    }

    /// Whether anybody would hear of a failure: an exception that nobody does costs as much as all the rest of a close.
    private boolean waitedFor() {
        return !promise().isDone() || !pending.isEmpty();
    }

    private void over() {
        state = State.OVER;
        cancelTimeout();
        engine.end();
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
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
        over();
        if (waitedFor()) {
            Throwable cause = new ClosedChannelException();
            promise().tryFailure(cause);
            pending.fail(cause);
        }
        records.release();
        engine.release();
    }
}
