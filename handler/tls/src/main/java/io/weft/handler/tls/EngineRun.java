package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.Failed;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// An engine at work: its calls, its tasks on other threads, and what it has emitted until a call
/// is over, because a sink must not call the engine, and handlers that are told would. Order is
/// kept whatever handlers do while they are told.
final class EngineRun implements TlsSink {
    /// Behind the last plaintext of the peer.
    enum Told {
        INPUT_COMPLETE
    }

    private record Records(Buffer bytes, @Nullable Promise<Void> promise) {}

    private final TlsContext.Reservation reservation;
    private final ArrayDeque<Records> outbound = new ArrayDeque<>(2);
    private final ArrayDeque<Object> inbound = new ArrayDeque<>(2);
    private boolean needsFlush;
    private @Nullable TlsEngine machine;
    private Executor tasks = Runnable::run;
    private boolean taskRuns;
    private volatile @Nullable Throwable taskThrew;

    /// Closed when its task has run.
    private boolean ended;

    private boolean peerClosed;

    /// One call.
    interface Step {
        void run(TlsEngine machine) throws TlsException;
    }

    EngineRun(TlsContext.Reservation reservation) {
        this.reservation = reservation;
    }

    void begin(TlsPeer peer, BufferAllocator allocator, Executor executor) {
        machine = reservation.engine(peer, allocator);
        tasks = executor;
    }

    @Nullable TlsEngine machine() {
        return machine;
    }

    /// Tells if the engine takes no calls because a task of it is running.
    boolean taskRuns() {
        return taskRuns;
    }

    /// Tells if the peer's close_notify has ended the output too, so that pending messages cannot
    /// be sent. Before TLS 1.3 it ends both directions (RFC 5246, 7.2.1). Handlers may not have
    /// been told of it yet.
    boolean isOutputEnded() {
        TlsSession session = peerClosed && machine != null ? machine.session() : null;
        return session != null && session.protocol() != TlsProtocol.TLS_1_3;
    }

    /// Calls the engine, and has its task run if it comes to need one.
    ///
    /// @param taskDone what follows then, on the loop
    /// @return why it has failed; else null
    @Nullable TlsException call(ChannelHandlerContext ctx, Step step, Runnable taskDone) {
        TlsEngine called = machine;
        if (called == null) {
            throw new IllegalStateException("call: no engine (expected: begun)");
        }
        Throwable thrown = taskThrew;
        if (thrown != null) {
            return new Failed("a task threw " + thrown, thrown);
        }
        try {
            step.run(called);
        } catch (TlsException e) {
            return e;
        } catch (RuntimeException | Error e) {
            return new Failed("the engine threw " + e, e);
        }
        return called.needsTask() && !taskRuns ? runTask(ctx, called, taskDone) : null;
    }

    private @Nullable TlsException runTask(
            ChannelHandlerContext ctx, TlsEngine called, Runnable taskDone) {
        Runnable task = called.task();
        taskRuns = true;
        try {
            tasks.execute(
                    () -> {
                        try {
                            if (task != null) {
                                task.run();
                            }
                        } catch (Throwable e) {
                            taskThrew = e; // asked to go on, the engine might ask for it again
                        } finally {
                            goOn(ctx, called, taskDone);
                        }
                    });
            return null;
        } catch (RuntimeException | Error e) {
            // Rejected; or no thread could be started for it, which is an error of the JVM.
            taskRuns = false;
            return new Failed("the executor for tasks takes none: " + e, e);
        }
    }

    /// On the thread of a task that has ended.
    private void goOn(ChannelHandlerContext ctx, TlsEngine called, Runnable taskDone) {
        try {
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                taskRuns = false;
                                if (ended) {
                                    called.close();
                                } else {
                                    taskDone.run();
                                }
                            });
        } catch (RejectedExecutionException e) {
            called.close(); // the loop has ended, and the channel before it
        }
    }

    /// Tells the peer that a handshake is given up here, as far as the engine can: also when its
    /// task could not be run.
    void giveUp() {
        if (machine == null || taskRuns) {
            return;
        }
        try {
            machine.closeOutbound(this);
        } catch (TlsException | RuntimeException | Error e) {
            // There is a reason already.
        }
    }

    /// Closes the engine, after its task if one runs.
    void end() {
        ended = true;
        reservation.close();
        if (machine != null && !taskRuns) {
            machine.close();
        }
    }

    @Override
    public void records(Buffer ciphertext) {
        outbound.add(new Records(ciphertext, null));
    }

    @Override
    public void plaintext(Buffer data) {
        inbound.add(data);
    }

    @Override
    public void handshakeComplete(TlsSession session) {
        inbound.add(new TlsEvent.HandshakeComplete(session));
    }

    @Override
    public void closed() {
        peerClosed = true;
        inbound.add(new TlsEvent.CloseNotify());
        inbound.add(Told.INPUT_COMPLETE);
    }

    /// The next to tell; null when all is told.
    @Nullable Object poll() {
        return inbound.poll();
    }

    /// Has `promise` told when the records that were emitted last are sent. If there are none that
    /// wait, or a call within another's emitted none, it is told with those before it.
    void promise(ChannelHandlerContext ctx, @Nullable Promise<Void> promise) {
        if (promise == null) {
            return;
        }
        Records last = outbound.peekLast();
        if (last == null) {
            behindWhatIsWritten(ctx, promise);
        } else if (last.promise != null) {
            last.promise.addListener(done -> tell(promise, done.cause()));
        } else {
            outbound.removeLast();
            outbound.add(new Records(last.bytes, promise));
        }
    }

    private void behindWhatIsWritten(ChannelHandlerContext ctx, Promise<Void> promise) {
        try {
            outbound.add(new Records(ctx.channel().allocator().allocate(0), promise));
        } catch (RuntimeException | Error e) {
            promise.tryFailure(e);
        }
    }

    private static void tell(Promise<Void> promise, @Nullable Throwable cause) {
        if (cause == null) {
            promise.trySuccess(null);
        } else {
            promise.tryFailure(cause);
        }
    }

    /// Passes on the records.
    void send(ChannelHandlerContext ctx) {
        for (Records next; (next = outbound.poll()) != null; ) {
            needsFlush = true;
            ctx.write(next.bytes, next.promise);
        }
    }

    void flush(ChannelHandlerContext ctx) {
        if (needsFlush) {
            needsFlush = false;
            ctx.flush();
        }
    }

    void release() {
        for (Object next; (next = inbound.poll()) != null; ) {
            if (next instanceof Buffer data) {
                data.release();
            }
        }
        for (Records next; (next = outbound.poll()) != null; ) {
            next.bytes.release();
            if (next.promise != null) {
                next.promise.tryFailure(new java.nio.channels.ClosedChannelException());
            }
        }
    }
}
