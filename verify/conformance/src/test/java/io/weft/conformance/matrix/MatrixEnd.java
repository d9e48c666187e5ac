package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.handler.flow.Chunks;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One end of a [MatrixCase]: writes, flushes, reads or does not, at every event, as the dice say;
/// checks the bytes that come, each of which follows from its position. On its channel's loop.
final class MatrixEnd implements ChannelHandler {
    private static final int[] LENGTHS = {0, 1, 2, 64, 511, 513, 4096, 16_384, 20_000, 65_536};
    private static final int MOST = 200_000;
    private static final int REMEMBERED = 60;

    private record Told(Promise<Void> promise, long from, long to) {}

    final String name;
    private final MatrixCase of;
    private final Random dice;
    private final long key;
    private final boolean chunks;
    private final ArrayDeque<String> log = new ArrayDeque<>();
    private final List<Told> promises = new ArrayList<>();
    final CompletableFuture<Channel> active = new CompletableFuture<>();
    private int ops;
    private int depth;
    private boolean inputClosed;
    private boolean inactive;
    private @Nullable Channel channel;
    @Nullable MatrixEnd other;

    volatile long written;
    volatile long flushed;
    volatile long arrived;

    /// All is said and flushed.
    volatile boolean done;

    /// It has closed, aborted, or shut its output down.
    volatile boolean ended;

    MatrixEnd(MatrixCase of, String name, long seed, boolean chunks) {
        this.of = of;
        this.name = name;
        this.dice = new Random(seed);
        this.key = seed >>> 1;
        this.chunks = chunks;
        this.ops = 1 + dice.nextInt(40);
    }

    private void fail(String what) {
        of.fail(name + ": " + what);
    }

    private synchronized void log(String what) {
        if (log.size() == REMEMBERED) {
            log.removeFirst();
        }
        log.add(what);
    }

    synchronized String story() {
        return name
                + " (wrote "
                + written
                + ", flushed "
                + flushed
                + ", got "
                + arrived
                + ", done "
                + done
                + ", ended "
                + ended
                + "):\n  "
                + String.join("\n  ", log);
    }

    private Channel channel() {
        if (channel == null) {
            throw new AssertionError("not added");
        }
        return channel;
    }

    private MatrixEnd other() {
        if (other == null) {
            throw new AssertionError("alone");
        }
        return other;
    }

    // ---- what it is told ----

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        log("active");
        active.complete(ctx.channel());
        act();
        pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        log("inactive");
        inactive = true;
        ended = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer bytes = (Buffer) message) {
            log("read " + bytes.readableBytes() + " from " + arrived);
            take(bytes);
        }
        act();
    }

    private void take(Buffer bytes) {
        MatrixEnd from = other();
        long at = arrived;
        byte[] came = new byte[bytes.readableBytes()];
        bytes.readBytes(came);
        for (int i = 0; i < came.length; i++) {
            if (came[i] != TrafficStream.byteAt(from.key + at + i)) {
                fail("another byte at " + (at + i));
                return;
            }
        }
        arrived = at + came.length;
        if (arrived > from.written) {
            fail("got " + arrived + " bytes of " + from.written);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        log("read complete");
        act();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        log("writable: " + ctx.channel().isWritable());
        act();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        act();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        log("input closed");
        inputClosed = true;
        act();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log("caught " + cause);
        if (!of.mayHappen(cause)) {
            java.io.StringWriter trace = new java.io.StringWriter();
            cause.printStackTrace(new java.io.PrintWriter(trace));
            fail("caught " + trace);
        }
        ctx.channel().abort();
    }

    // ---- what it does ----

    private void pump() {
        if (inactive) {
            return;
        }
        act();
        if (!channel().autoRead()) {
            if (done) {
                log("reads by itself");
                channel().autoRead(true);
                channel().read();
            } else if (dice.nextInt(3) == 0) {
                channel().read();
            }
        }
        finish();
        channel()
                .eventLoop()
                .schedule(this::pump, done ? 300_000 : dice.nextInt(300_000), TimeUnit.NANOSECONDS);
    }

    private void act() {
        if (depth > 2 || inactive || ended) {
            return;
        }
        depth++;
        try {
            while (ops > 0 && !ended && dice.nextInt(3) > 0) {
                ops--;
                act(dice.nextInt(16));
            }
        } finally {
            depth--;
        }
    }

    private void act(int what) {
        switch (what) {
            case 0, 1, 2, 3 -> write(false);
            case 4, 5, 6, 7 -> write(true);
            case 8, 9 -> flush();
            case 10 -> {
                log("autoRead off");
                channel().autoRead(false);
            }
            case 11 -> {
                log("autoRead on");
                channel().autoRead(true);
                channel().read();
            }
            case 12 -> channel().read();
            case 13 -> of.maybeEnd(this);
            default -> channel().eventLoop().execute(this::act);
        }
    }

    private void write(boolean andFlush) {
        int length = LENGTHS[dice.nextInt(LENGTHS.length)];
        length = dice.nextBoolean() ? length : dice.nextInt(length + 1);
        if (written + length > MOST) {
            return;
        }
        Promise<Void> promise = null;
        long from = written;
        written = from + length;
        if (dice.nextInt(3) > 0) {
            promise = channel().newPromise();
            promises.add(new Told(promise, from, from + length));
        }
        boolean pieces = chunks && dice.nextInt(4) == 0;
        log(
                (pieces ? "writes pieces " : "writes ")
                        + length
                        + " from "
                        + from
                        + (promise == null ? "" : " with promise")
                        + (andFlush ? ", flushes" : ""));
        channel().write(pieces ? pieces(from, length) : bytes(from, length), promise);
        if (andFlush) {
            flush();
        }
    }

    private Buffer bytes(long from, int length) {
        byte[] bytes = TrafficStream.bytes(key + from, length);
        return BufferAllocator.pooled().allocate(length).writeBytes(bytes);
    }

    private Chunks pieces(long from, int length) {
        int piece = 1 + dice.nextInt(10_000);
        int count = (length + piece - 1) / piece;
        return Chunks.of(
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        bytes(
                                                from + (long) i * piece,
                                                Math.min(piece, length - i * piece)))
                        .iterator());
    }

    private void flush() {
        if (channel().isOpen() && !ended) { // what is flushed behind a close is not promised
            log("flushes");
            flushed = written;
            channel().flush();
        }
    }

    // ---- the end ----

    private void finish() {
        if (ended || ops > 0) {
            return;
        }
        if (!done) {
            flush();
            done = true;
            log("done");
        }
        of.finish(this);
    }

    boolean hasHeardTheEnd() {
        return inputClosed;
    }

    void shutdownOutput() {
        log("shuts down");
        ended = true;
        channel().shutdownOutput();
    }

    void close() {
        log("closes");
        ended = true;
        var _ = channel().close();
    }

    void abort() {
        log("aborts");
        ended = true;
        var _ = channel().abort();
    }

    /// After both have closed.
    ///
    /// @param whole whether what was flushed had to arrive, and to be told so
    void check(boolean whole) {
        if (!inactive) {
            fail("closed without having been inactive");
        }
        if (whole && other().arrived < flushed) {
            fail("flushed " + flushed + ", of which arrived " + other().arrived);
        }
        for (Told told : promises) {
            if (!told.promise.isDone()) {
                fail("a promise is not done, of " + told);
            }
            boolean empty = told.to == told.from; // where it ends does not tell if it was flushed
            if (!told.promise.isDone() || empty) {
                continue;
            }
            if (whole && told.to <= flushed && !told.promise.isSuccess()) {
                fail("flushed and arrived, but told " + told.promise.cause() + ": " + told);
            } else if (!of.mayFlush() && told.promise.isSuccess() && told.to > flushed) {
                fail("told of success, but not flushed: " + told);
            }
        }
    }
}
