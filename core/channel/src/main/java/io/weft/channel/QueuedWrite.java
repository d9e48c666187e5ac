package io.weft.channel;

import io.weft.loop.Promise;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A write from another thread than the channel's loop, on its way there. Until it arrives it
/// counts in the channel's writability, which is all that such a writer sees of the channel.
///
/// The bytes of a message that is to be encoded are not known before. Text and arrays count by
/// their length; any other message as much as the heaviest of those before, of which each lighter
/// one takes a tenth, and before the first as [#UNKNOWN]. So a writer that heeds writability does
/// not run into the cap before anything of its large messages is seen.
///
/// @param from writes; null for the channel itself
/// @param unencoded true if the weight is a guess
/// @param weight as it was when it was queued; its writer may have given the message away since
record QueuedWrite(
        Channel channel,
        @Nullable ChannelHandlerContext from,
        Object message,
        @Nullable Promise<Void> promise,
        boolean flush,
        boolean unencoded,
        long weight)
        implements Runnable {

    /// The weight of a message whose bytes an encoder is yet to make, at least.
    private static final int UNENCODED = 64;

    /// The high watermark by default: of such messages one or two are on their way.
    private static final int UNKNOWN = 64 << 10;

    private static final int MOST = 64 << 20;

    /// Queues a write; if the loop takes no more tasks, the message is released and the promise
    /// fails.
    static void queue(
            Channel channel,
            @Nullable ChannelHandlerContext from,
            Object message,
            @Nullable Promise<Void> promise,
            boolean flush) {
        long known = known(message);
        long weight = known >= 0 ? known : guess(channel.outbound());
        channel.outbound().queued(weight);
        try {
            channel.eventLoop()
                    .execute(
                            new QueuedWrite(
                                    channel, from, message, promise, flush, known < 0, weight));
        } catch (RejectedExecutionException e) {
            channel.outbound().refused(weight);
            Messages.release(message, e);
            if (promise == null) {
                throw e;
            }
            promise.tryFailure(e);
        }
    }

    /// Returns the weight of a message; -1 if it is not known.
    private static long known(Object message) {
        return switch (message) {
            case CharSequence text -> Math.max(text.length(), UNENCODED);
            case byte[] array -> Math.max(array.length, UNENCODED);
            case ByteBuffer buffer -> Math.max(buffer.remaining(), UNENCODED);
            default -> {
                long bytes = Messages.bytes(message);
                yield bytes > 0 ? bytes : -1;
            }
        };
    }

    @Override
    public void run() {
        Outbound outbound = channel.outbound();
        outbound.arrives(weight);
        try {
            long before = outbound.pendingBytes();
            write();
            if (unencoded) {
                learn(outbound, outbound.pendingBytes() - before);
            }
            flushIfAsked();
        } finally {
            outbound.arrived();
        }
    }

    private void write() {
        if (from != null) {
            from.write(message, promise);
        } else {
            channel.pipeline().write(message, promise);
        }
    }

    private void flushIfAsked() {
        if (flush && from != null) {
            from.flush();
        } else if (flush) {
            channel.pipeline().flush();
        }
    }

    // ---- what is learnt, in a byte of the channel: eighths of an octave, rounded up ----

    private static long guess(Outbound outbound) {
        int code = outbound.unencoded & 0xff;
        return code == 0 ? UNKNOWN : decode(code);
    }

    private static void learn(Outbound outbound, long bytes) {
        int made = encode(Math.clamp(bytes, UNENCODED, MOST));
        int before = outbound.unencoded & 0xff;
        outbound.unencoded = (byte) Math.max(made, before - 1);
    }

    static int encode(long weight) {
        int octave = Long.SIZE - 4 - Long.numberOfLeadingZeros(weight);
        long eighths = (weight + (1L << octave) - 1) >>> octave; // 8 to 16
        return (octave << 3) + (int) eighths - 8;
    }

    static long decode(int code) {
        return (8L + (code & 7)) << (code >>> 3);
    }
}
