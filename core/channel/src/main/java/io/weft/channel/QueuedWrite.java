package io.weft.channel;

import io.weft.loop.Promise;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A write from another thread than the channel's loop, on its way there. Until it arrives it
/// counts in the channel's writability, which is all that such a writer sees of the channel.
///
/// @param from writes; null for the channel itself
/// @param weight as it was when it was queued; its writer may have given the message away since
record QueuedWrite(
        Channel channel,
        @Nullable ChannelHandlerContext from,
        Object message,
        @Nullable Promise<Void> promise,
        boolean flush,
        long weight)
        implements Runnable {

    /// The weight of a message whose bytes an encoder is yet to make.
    private static final int UNENCODED = 64;

    /// Queues a write; if the loop takes no more tasks, the message is released and the promise
    /// fails.
    static void queue(
            Channel channel,
            @Nullable ChannelHandlerContext from,
            Object message,
            @Nullable Promise<Void> promise,
            boolean flush) {
        long bytes = Messages.bytes(message);
        long weight = bytes > 0 ? bytes : UNENCODED;
        channel.outbound().queued(weight);
        try {
            channel.eventLoop()
                    .execute(new QueuedWrite(channel, from, message, promise, flush, weight));
        } catch (RejectedExecutionException e) {
            channel.outbound().refused(weight);
            Messages.release(message, e);
            if (promise == null) {
                throw e;
            }
            promise.tryFailure(e);
        }
    }

    @Override
    public void run() {
        channel.outbound().arrives(weight);
        try {
            write();
        } finally {
            channel.outbound().arrived();
        }
    }

    private void write() {
        if (from != null) {
            from.write(message, promise);
            if (flush) {
                from.flush();
            }
            return;
        }
        channel.pipeline().write(message, promise);
        if (flush) {
            channel.pipeline().flush();
        }
    }
}
