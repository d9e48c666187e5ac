package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelPipeline;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One end of a connection: at every event it does something by the dice, and checks what it is
/// told. On its channel's loop.
final class TrafficEnd implements ChannelHandler {
    private static final int[] LENGTHS = {
        0, 1, 2, 64, 1000, 4096, 16_383, 16_384, 16_385, 65_536, 100_000, 1 << 20
    };
    private static final int REMEMBERED = 80;
    private static final Object EVENT = new Object();

    private enum Life {
        NEW,
        ACTIVE,
        INACTIVE
    }

    final String name;
    final TrafficStream out;
    final TrafficStream in;
    final CompletableFuture<Channel> active = new CompletableFuture<>();
    private final TrafficCase of;
    private final Random random;
    private final ArrayDeque<String> log = new ArrayDeque<>();
    private final List<Promise<Void>> promises = new ArrayList<>();
    private final List<ChannelHandler> guests = new ArrayList<>();

    private Life life = Life.NEW;
    private int ops;
    private int depth;
    private int issued;
    private int encoded;
    private int flushedChunks;
    private boolean toldWritable = true;
    private boolean mayRead;
    private boolean inBatch;
    private boolean asked;
    private boolean inputClosed;
    private @Nullable ChannelHandlerContext ctx;

    /// Everything that this end has to say was flushed, or given up.
    volatile boolean done;

    /// It has begun to close, or is closed.
    volatile boolean ending;

    TrafficEnd(TrafficCase of, String name, long seed, TrafficStream out, TrafficStream in) {
        this.of = of;
        this.name = name;
        this.out = out;
        this.in = in;
        this.random = new Random(seed);
        this.ops = 1 + random.nextInt(random.nextInt(60) + 1);
    }

    void fail(String what) {
        of.fail(name + ": " + what);
    }

    synchronized void log(String what) {
        if (log.size() == REMEMBERED) {
            log.removeFirst();
        }
        log.add(what);
    }

    synchronized String story() {
        return name
                + " (wrote "
                + out.written
                + ", flushed "
                + out.flushed
                + ", got "
                + in.arrived
                + ", done "
                + done
                + ", ending "
                + ending
                + ", "
                + life
                + "):\n  "
                + String.join("\n  ", log);
    }

    void encoded() {
        encoded++;
    }

    /// All that was encoded is flushed.
    void flushed() {
        flushedChunks = encoded;
    }

    private Channel channel() {
        return context().channel();
    }

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new AssertionError("not added");
        }
        return ctx;
    }

    // ---- what it is told ----

    /// In front of all others: it hears of writability at once, and of every event before anybody
    /// could stop it.
    final class First implements ChannelHandler {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext first) {
            alive("writability");
            toldWritable = !toldWritable;
            log("writable: " + first.channel().isWritable());
            // A write that another thread has queued counts at once, and is told when it arrives.
            boolean counted = toldWritable && issued > encoded;
            if (first.channel().isActive()
                    && !counted
                    && toldWritable != first.channel().isWritable()) {
                fail("told of writability that has not changed: " + toldWritable);
            }
            first.fireChannelWritabilityChanged();
        }

        @Override
        public void channelRead(ChannelHandlerContext first, Object message) {
            alive("read");
            if (!inBatch) {
                inBatch = true;
                asked = false;
            }
            if (!mayRead) {
                fail("read without being asked for");
            }
            first.fireChannelRead(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext first) {
            alive("readComplete");
            inBatch = false;
            if (!first.channel().autoRead() && !asked) { // one without a read is no batch
                mayRead = false;
            }
            first.fireChannelReadComplete();
        }
    }

    private void alive(String event) {
        if (life != Life.ACTIVE) {
            fail(event + " while " + life);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        mayRead = added.channel().autoRead();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (life != Life.NEW) {
            fail("active while " + life);
        }
        life = Life.ACTIVE;
        active.complete(ctx.channel());
        act();
        pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (life != Life.ACTIVE) {
            fail("inactive while " + life);
        }
        life = Life.INACTIVE;
        ending = true;
        done = true;
        log("inactive");
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer bytes = (Buffer) message) {
            log("read " + bytes.readableBytes() + " from " + in.arrived);
            String wrong = in.take(bytes);
            if (wrong != null) {
                fail(wrong);
            }
        }
        act();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        log("read complete");
        act();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        act();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == EVENT) {
            act();
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        alive("inputClosed");
        if (inputClosed) {
            fail("input closed twice");
        }
        inputClosed = true;
        log("input closed");
        act();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log("caught " + cause);
        if (cause instanceof IOException && of.mayBreak()) {
            ctx.fireExceptionCaught(cause);
            return;
        }
        fail("caught " + cause);
        ctx.channel().abort();
    }

    // ---- what it does ----

    /// Goes on until the channel is closed, however few events there are.
    private void pump() {
        if (life != Life.ACTIVE) {
            return;
        }
        act();
        if (!channel().autoRead()) {
            if (done) {
                autoRead(true);
            } else if (random.nextInt(3) == 0) {
                askForInput();
            }
        }
        finish();
        channel()
                .eventLoop()
                .schedule(
                        this::pump, done ? 200_000 : random.nextInt(200_000), TimeUnit.NANOSECONDS);
    }

    private void act() {
        if (depth > 2 || life != Life.ACTIVE || ending) {
            return;
        }
        depth++;
        try {
            while (ops > 0 && !ending && random.nextInt(3) > 0) {
                ops--;
                act(random.nextInt(24));
            }
        } finally {
            depth--;
        }
    }

    private void act(int what) {
        switch (what) {
            case 0, 1, 2 -> write(false, false);
            case 3, 4, 5 -> write(true, false);
            case 6, 7, 8 -> write(false, true);
            case 9 -> write(true, true);
            case 10, 11 -> flush();
            case 12 -> writeByListener();
            case 13 -> writeFromElsewhere();
            case 14 -> writeFromTheMiddle();
            case 15 -> channel().pipeline().fireUserEventTriggered(EVENT);
            case 16 -> autoRead(false);
            case 17 -> autoRead(true);
            case 18 -> askForInput();
            case 19, 20 -> addGuest();
            case 21 -> removeGuest();
            case 22 -> of.maybeEnd(this, random);
            default -> channel().eventLoop().execute(this::act);
        }
    }

    private int length() {
        int length = LENGTHS[random.nextInt(random.nextInt(4) == 0 ? LENGTHS.length : 9)];
        return random.nextBoolean() ? length : random.nextInt(length + 1);
    }

    private @Nullable Promise<Void> promise(boolean wanted) {
        if (!wanted) {
            return null;
        }
        Promise<Void> promise = channel().newPromise();
        promises.add(promise);
        return promise;
    }

    private void write(boolean withPromise, boolean andFlush) {
        write(length(), promise(withPromise), andFlush);
    }

    private void write(int length, @Nullable Promise<Void> promise, boolean andFlush) {
        log(
                "writes "
                        + length
                        + (promise == null ? "" : " with promise")
                        + (andFlush ? ", flushes" : ""));
        issued++;
        if (andFlush) {
            channel().writeAndFlush(new TrafficChunk(length), promise);
        } else {
            channel().write(new TrafficChunk(length), promise);
        }
    }

    private void flush() {
        log("flushes");
        channel().flush();
    }

    private void writeByListener() {
        Promise<Void> promise = channel().newPromise();
        promises.add(promise);
        int more = random.nextInt(4);
        var _ =
                promise.addListener(
                        f -> {
                            log("listener " + (f.isSuccess() ? "of success" : "of failure"));
                            if (ending) {
                                channel().flush(); // must not send what was given up
                            } else if (life == Life.ACTIVE) {
                                ops += more;
                                act();
                                if (!ending && more > 1) {
                                    write(more > 2, true);
                                }
                            }
                        });
        write(length(), promise, random.nextBoolean());
    }

    private void writeFromElsewhere() {
        int length = length();
        Promise<Void> promise = promise(random.nextBoolean());
        boolean flush = random.nextBoolean();
        issued++;
        Channel channel = channel();
        of.elsewhere(
                () -> {
                    log("elsewhere writes " + length);
                    if (flush) {
                        channel.writeAndFlush(new TrafficChunk(length), promise);
                    } else {
                        channel.write(new TrafficChunk(length), promise);
                        channel.flush();
                    }
                });
    }

    private void writeFromTheMiddle() {
        ChannelHandlerContext middle = channel().pipeline().context("middle");
        if (middle == null) {
            fail("no middle");
            return;
        }
        log("middle writes");
        issued++;
        middle.write(new TrafficChunk(length()), promise(random.nextBoolean()));
        if (random.nextBoolean()) {
            middle.flush();
        }
    }

    private void autoRead(boolean on) {
        log("autoRead " + on);
        mayRead = on;
        asked = on;
        channel().autoRead(on);
    }

    private void askForInput() {
        log("asks");
        mayRead = true;
        asked = true;
        channel().read();
    }

    private void addGuest() {
        if (guests.size() > 4) {
            removeGuest();
            return;
        }
        ChannelHandler guest =
                random.nextBoolean()
                        ? new TrafficPass()
                        : new TrafficSlow(random.nextInt(300_000), random.nextBoolean());
        guests.add(guest);
        log("adds " + guest);
        ChannelPipeline pipeline = channel().pipeline();
        ChannelHandler encoder = pipeline.get(TrafficEncoder.class);
        if (random.nextBoolean() && encoder != null) {
            pipeline.addAfter(encoder, "guest" + random.nextLong(), guest);
        } else {
            pipeline.addBefore(this, "guest" + random.nextLong(), guest);
        }
    }

    private void removeGuest() {
        if (!guests.isEmpty()) {
            ChannelHandler guest = guests.remove(random.nextInt(guests.size()));
            log("removes " + guest);
            channel().pipeline().remove(guest);
        }
    }

    // ---- the end ----

    private void finish() {
        if (ending || ops > 0) {
            return;
        }
        if (issued != encoded || flushedChunks != encoded) {
            flush();
            return;
        }
        if (!done && (of.shuts() || promises.stream().allMatch(Promise::isDone))) {
            done = true;
            log("done");
        }
        if (done) {
            of.finish(this, random);
        }
    }

    void shutdownOutput() {
        log("shuts down");
        ending = true;
        channel().shutdownOutput();
    }

    void abort() {
        log("aborts");
        ending = true;
        var _ = channel().abort();
    }

    void close(boolean fromElsewhere) {
        log("closes");
        ending = true;
        if (fromElsewhere) {
            Channel channel = channel();
            of.elsewhere(channel::close);
        } else {
            var _ = channel().close();
        }
    }

    /// Writes some more of which nothing may arrive, and closes.
    void closeWithoutFlush() {
        for (int i = random.nextInt(4); i > 0; i--) {
            write(true, false);
        }
        close(false);
    }

    void closeAfterFlush() {
        for (int i = random.nextInt(4); i > 0; i--) {
            write(random.nextBoolean(), false);
        }
        flush();
        close(false);
    }

    boolean hasHeardTheEnd() {
        return inputClosed;
    }

    /// After the channel has closed.
    void check() {
        if (life != Life.INACTIVE) {
            fail("closed while " + life);
        }
        for (Promise<Void> promise : promises) {
            if (!promise.isDone()) {
                fail("a promise is not done");
            } else if (promise.cause() != null
                    && !(promise.cause() instanceof ClosedChannelException)) {
                fail("a promise failed of " + promise.cause());
            }
        }
    }
}
