package io.weft.conformance.rig;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Passes every event on, and notes those that the grammar of events does not allow at this place
/// of a pipeline:
///
/// ```
/// added (active (read+ readComplete | readComplete | inputClosed | writabilityChanged | userEvent)* inactive)? removed
/// ```
///
/// Nothing is read behind the end of the input, which comes once. A read is followed by its
/// readComplete within the same turn of the loop, unless the channel closes meanwhile. Nothing is
/// read, and writability does not change, within a write or a flush. Exceptions may come at any
/// time. A promise that is written is pending then, and done when the channel has closed.
///
/// If a handler keeps `channelActive`, the channel itself tells if it is active.
final class GrammarCheck implements ChannelHandler {
    private static final int REMEMBERED = 12;

    /// Breaches that one check reports: one leads to others.
    private static final int MOST = 3;

    private enum Life {
        ADDED,
        ACTIVE,
        INACTIVE
    }

    private final String place;
    private final Queue<String> broken;

    /// True if a handler before this place may keep events: what is not told proves nothing then.
    private final boolean lenient;

    private final ArrayDeque<String> last = new ArrayDeque<>();
    private final Set<Promise<Void>> pending = Collections.newSetFromMap(new IdentityHashMap<>());
    private Life life = Life.ADDED;
    private boolean inputClosed;
    private int breaches;

    /// Writes and flushes under way.
    private int operations;

    /// A readComplete is owed.
    private boolean owed;

    private long batches;

    GrammarCheck(String place, Queue<String> broken, boolean lenient) {
        this.place = place;
        this.broken = broken;
        this.lenient = lenient;
    }

    private void fail(String what) {
        if (++breaches <= MOST) {
            var _ = broken.offer("between " + place + ": " + what + ", after " + last);
        }
    }

    private void event(String event, boolean allowed) {
        if (!allowed) {
            fail(event + " while " + life + (inputClosed ? " behind the end of the input" : ""));
        }
        if (last.size() == REMEMBERED) {
            last.removeFirst();
        }
        last.add(event);
    }

    /// An event that only an active channel has.
    private void whileActive(ChannelHandlerContext ctx, String event, boolean allowed) {
        if (life == Life.ADDED && (lenient || ctx.channel().isActive())) {
            life = Life.ACTIVE;
        }
        event(event, life == Life.ACTIVE && allowed);
    }

    private void ofInput(ChannelHandlerContext ctx, String event, boolean allowed) {
        whileActive(ctx, event, allowed);
        if (operations > 0) {
            fail(event + " within a write or a flush");
        }
    }

    // ---- life ----

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        var _ =
                ctx.channel()
                        .closeFuture()
                        .addListener(
                                _ -> {
                                    pending.removeIf(Promise::isDone); // and is telling others
                                    if (!pending.isEmpty()) {
                                        fail(pending.size() + " promises pending when closed");
                                    }
                                });
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (life == Life.ACTIVE && !ctx.channel().isOpen() && !lenient) {
            fail("removed without having been inactive");
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        event("active", life == Life.ADDED);
        life = Life.ACTIVE;
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        event("inactive", life == Life.ACTIVE || (life == Life.ADDED && lenient));
        life = Life.INACTIVE;
        ctx.fireChannelInactive();
    }

    // ---- in ----

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ofInput(ctx, "read", !inputClosed);
        if (!owed && !lenient) {
            owed = true;
            long batch = ++batches;
            try {
                ctx.eventLoop().execute(() -> turnEnded(ctx, batch));
            } catch (RejectedExecutionException _) {
                // A full queue, or a loop that ends: nobody looks.
            }
        }
        ctx.fireChannelRead(message);
    }

    private void turnEnded(ChannelHandlerContext ctx, long batch) {
        if (owed && batch == batches && ctx.channel().isActive() && !ctx.isRemoved()) {
            fail("a read without readComplete when the turn of the loop had ended");
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ofInput(ctx, "readComplete", true);
        owed = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        ofInput(ctx, "inputClosed", !inputClosed);
        if (owed) {
            fail("inputClosed before the readComplete of a read");
        }
        inputClosed = true;
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ofInput(ctx, "writabilityChanged", true);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        whileActive(ctx, "userEvent " + event, true);
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        event("exception " + cause, true);
        ctx.fireExceptionCaught(cause);
    }

    // ---- out ----

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (promise != null) {
            if (promise.isDone() && !promise.isCancelled()) {
                fail("written with a promise that is done: " + promise);
            }
            pending.add(promise);
            promise.addListener(_ -> pending.remove(promise));
        }
        operations++;
        try {
            ctx.write(message, promise);
        } finally {
            operations--;
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        operations++;
        try {
            ctx.flush();
        } finally {
            operations--;
        }
    }
}
