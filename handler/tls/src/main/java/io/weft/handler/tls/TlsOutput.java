package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.tls.machine.Records;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.LimitReached;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The plaintext that handlers write, until the engine has taken it: for the handshake and for
/// tasks it waits, and small messages are put together until a flush.
final class TlsOutput {
    private final TlsHandler handler;
    private final EngineRun engine;
    private final PendingWrites pending = new PendingWrites();
    private boolean flushAsked;
    private boolean askScheduled;

    TlsOutput(TlsHandler handler, EngineRun engine) {
        this.handler = handler;
        this.engine = engine;
    }

    /// Tells if nothing waits.
    boolean isEmpty() {
        return pending.isEmpty();
    }

    void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        Buffer plaintext;
        switch (message) {
            case Buffer buffer -> plaintext = buffer;
            case CompositeBuffer composite -> plaintext = flat(composite);
            default -> {
                if (message instanceof AutoCloseable) {
                    release(message);
                }
                throw new IllegalArgumentException(
                        "message: " + message.getClass().getName() + " (expected: a Buffer)");
            }
        }
        if (!handler.takesWrites()) {
            refuse(plaintext, promise, new ClosedChannelException());
        } else if (pending.weight() >= TlsHandler.MAX_PENDING) {
            var full =
                    new LimitReached(
                            "bytes that wait to be encrypted, at least 64 a write: "
                                    + pending.weight()
                                    + " (expected: below "
                                    + TlsHandler.MAX_PENDING
                                    + ")");
            refuse(plaintext, promise, full);
            handler.fail(ctx, full);
        } else {
            pending.add(plaintext, promise);
            if (handler.isOpen() && pending.bytes() >= Records.MAX_PLAINTEXT) {
                encrypt(ctx, false);
            }
            countHeld(ctx);
        }
    }

    private static Buffer flat(CompositeBuffer composite) {
        try {
            return composite.flatten();
        } catch (RuntimeException | Error e) {
            composite.release(); // without memory for a copy it stays as it was
            throw e;
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

    void flush(ChannelHandlerContext ctx) {
        flushAsked = !pending.isEmpty();
        pending.flush();
        if (handler.isOpen()) {
            encrypt(ctx, true);
        }
        ctx.flush();
    }

    /// Encrypts what has waited, whole records, or all of it if a flush has been asked for.
    void goOn(ChannelHandlerContext ctx) {
        if (handler.isOpen()) {
            encrypt(ctx, flushAsked);
        }
    }

    /// Encrypts all of it if a flush has been asked for.
    void finishFlush(ChannelHandlerContext ctx) {
        if (flushAsked) {
            encrypt(ctx, true);
        }
    }

    /// Gives up all that waits, which is held no longer.
    void fail(ChannelHandlerContext ctx, Throwable cause) {
        pending.fail(cause);
        countHeld(ctx);
    }

    /// Gives up what waits and was not flushed.
    void failUnflushed(Throwable cause) {
        pending.failUnflushed(cause);
    }

    /// Counts pending writes in the channel's writability, unless the handler is removed: what it
    /// held then is lost, which the channel has to see. A channel that is not writable does not
    /// read by itself; if the writes wait for the handshake or a task, input is requested.
    void countHeld(ChannelHandlerContext ctx) {
        if (ctx.isRemoved()) {
            return;
        }
        ctx.holds(pending.bytes());
        if (!pending.isEmpty()
                && (handler.isShaking() || engine.taskRuns())
                && !ctx.channel().isWritable()) {
            askLater(ctx);
        }
    }

    /// Requests records later, on the loop. Within a write a handler that answers at once would
    /// have its messages between two pieces of what is being written; and the writer may hold less
    /// by then, which stops the channel's reading again.
    private void askLater(ChannelHandlerContext ctx) {
        if (!askScheduled) {
            askScheduled = true;
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                askScheduled = false;
                                if (engine.taskRuns() && !ctx.suspendsReading()) {
                                    ctx.read();
                                } else {
                                    handler.askForRecords(ctx);
                                }
                            });
        }
    }

    /// Encrypts what waits, all of it or whole records only.
    void encrypt(ChannelHandlerContext ctx, boolean all) {
        if (engine.isOutputEnded() && !pending.isEmpty()) {
            pending.fail(new ClosedChannelException());
        }
        while (handler.isOpen() && !engine.taskRuns() && !pending.isEmpty()) {
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
        handler.run(
                ctx,
                machine -> {
                    try {
                        machine.write(plaintext, engine);
                    } catch (TlsException | RuntimeException | Error e) {
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
}
