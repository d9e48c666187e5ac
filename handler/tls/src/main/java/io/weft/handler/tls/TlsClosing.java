package io.weft.handler.tls;

import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsTimeouts;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The close of a [TlsHandler]'s connection that was asked for: what was flushed, close_notify, the
/// peer's, and then the channel's own close; each with its deadline. Or the end of its output
/// alone.
final class TlsClosing {
    private final TlsHandler handler;
    private final EngineRun engine;
    private final TlsOutput output;
    private final Deadline deadline;
    private final TlsTimeouts timeouts;
    private boolean closeAsked;

    /// The output is to end behind the handshake, or behind a task.
    private boolean shutdownAsked;

    /// close_notify is out, and the connection is not closed for it.
    private boolean outputShut;

    TlsClosing(
            TlsHandler handler,
            EngineRun engine,
            TlsOutput output,
            Deadline deadline,
            TlsTimeouts timeouts) {
        this.handler = handler;
        this.engine = engine;
        this.output = output;
        this.deadline = deadline;
        this.timeouts = timeouts;
    }

    /// Tells if nothing may be written any more, although the state does not say so.
    boolean endsOutput() {
        return closeAsked || shutdownAsked || outputShut;
    }

    /// Closes now if that had to wait for a task, or for flushed messages, that no longer do.
    void goOn(ChannelHandlerContext ctx) {
        if (closeAsked && !engine.taskRuns()) {
            closeNow(ctx);
        } else if (shutdownAsked) {
            shutdownOutput(ctx);
        }
    }

    /// Ends the output. The handshake is waited for: its time-out bounds that.
    void shutdownOutput(ChannelHandlerContext ctx) {
        if (handler.isShaking() || (handler.isOpen() && engine.taskRuns())) {
            shutdownAsked = true;
        } else if (!handler.isOpen()) {
            ctx.shutdownOutput();
        } else if (!outputShut) {
            output.flush(ctx); // messages without bytes are held by nobody
            shutdownAsked = engine.taskRuns();
            if (handler.isOpen() && !shutdownAsked) {
                outputShut = true;
                Promise<Void> sent = ctx.channel().newPromise();
                sayGoodbye(ctx, sent);
                ctx.shutdownOutput();
                sent.addListener(outcome -> goodbyeSaid(ctx, outcome.isSuccess()));
            }
        }
    }

    /// The peer says no more, and handlers have heard of it: closes the channel, unless it may stay
    /// half-open.
    ///
    /// @param complete with its close_notify
    void inputOver(ChannelHandlerContext ctx, boolean complete) {
        if (handler.state() == TlsState.CLOSING) {
            finish(ctx);
        } else if (complete && ctx.channel().closesAtInputEnd()) {
            var _ = ctx.channel().close();
        }
    }

    /// The output has ended, or is lost. In a task of its own: the channel is about to learn it.
    private void goodbyeSaid(ChannelHandlerContext ctx, boolean sent) {
        if (sent) {
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                if (handler.isOpen() && handler.isInputEndTold()) {
                                    inputOver(ctx, true);
                                }
                            });
        }
    }

    /// Does what is asked for and has not happened, without TLS: the handler has been removed.
    void removed(ChannelHandlerContext ctx, TlsState before) {
        if (closeAsked || before == TlsState.CLOSING) {
            ctx.close();
        } else if (shutdownAsked) {
            ctx.shutdownOutput();
        }
    }

    void close(ChannelHandlerContext ctx) {
        if (!engine.taskRuns() || !handler.isOpen()) {
            closeNow(ctx);
        } else if (!closeAsked) {
            closeAsked = true; // what was flushed waits for the task
            abortUnlessSent(ctx);
        }
    }

    private void closeNow(ChannelHandlerContext ctx) {
        switch (handler.state()) {
            case NEW, OVER -> ctx.close();
            case HANDSHAKE -> closeShaking(ctx);
            case OPEN -> closeOpen(ctx);
            case CLOSING -> {
                // Once is enough.
            }
        }
    }

    /// Flushed messages wait for the end of the handshake, for which there is a time-out.
    private void closeShaking(ChannelHandlerContext ctx) {
        if (closeAsked) {
            return;
        }
        closeAsked = true; // first: listeners may close
        output.failUnflushed(new ClosedChannelException());
        if (!handler.isShaking()) {
            output.fail(ctx, new ClosedChannelException()); // or abort
            return;
        }
        if (!output.isEmpty()) {
            output.countHeld(ctx);
            return;
        }
        handler.handshakeFailed(ctx, new ClosedChannelException());
        sayGoodbye(ctx, null);
        finish(ctx);
    }

    private void closeOpen(ChannelHandlerContext ctx) {
        output.finishFlush(ctx);
        handler.startClosing();
        if (!output.isEmpty()) {
            output.fail(ctx, new ClosedChannelException());
        }
        output.countHeld(ctx);
        boolean waits = !timeouts.closeNotifyRead().isZero() && !handler.isInputEndTold();
        Promise<Void> sent = waits ? ctx.channel().newPromise() : null;
        sayGoodbye(ctx, sent);
        if (sent == null) {
            finish(ctx);
            return;
        }
        abortUnlessSent(ctx);
        sent.addListener(_ -> awaitEnd(ctx));
        handler.askForRecords(ctx);
    }

    /// All has been sent. The peer has so long to say that it ends, too.
    private void awaitEnd(ChannelHandlerContext ctx) {
        if (handler.state() != TlsState.CLOSING) {
            return;
        }
        deadline.set(ctx, timeouts.closeNotifyRead(), () -> finish(ctx));
    }

    private void sayGoodbye(ChannelHandlerContext ctx, @Nullable Promise<Void> promise) {
        if (engine.machine() == null || engine.taskRuns()) {
            return;
        }
        handler.run(
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
        deadline.set(
                ctx,
                timeouts.closeNotifyFlush(),
                () -> {
                    long left = ctx.channel().pendingBytes();
                    if (left == 0 && handler.state() == TlsState.OVER) {
                        return; // the channel waits for the peer's end
                    }
                    if (left == before) {
                        var _ = ctx.channel().abort();
                    } else {
                        abortUnlessSent(ctx);
                    }
                });
    }

    /// Closes the connection below.
    void finish(ChannelHandlerContext ctx) {
        handler.over();
        abortUnlessSent(ctx);
        ctx.close();
    }
}
