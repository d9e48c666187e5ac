package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A peer that does exactly what its script says, step by step: the only handler of a channel, on
/// either side of a connection, on any transport.
///
/// ```java
/// var peer = new ScriptedPeer().expects("PING").sends("PO").waits(Duration.ofSeconds(1)).sends("NG").resets();
/// new Bootstrap(host.group(1)).handler(ch -> ch.pipeline().addLast(peer)).connect(address);
/// sim.run(Duration.ofSeconds(5));
/// peer.check();
/// ```
///
/// Its channel should allow half-closure where the script expects the end of input. On the
/// channel's loop; a simulation's thread may look at it between its rounds.
public final class ScriptedPeer implements ChannelHandler {
    /// Does something, or returns false to be asked again when something has come.
    @FunctionalInterface
    private interface Step {
        boolean done(Channel channel);
    }

    private final ArrayDeque<Step> script = new ArrayDeque<>();
    private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    private int taken;
    private boolean inputClosed;
    private boolean inactive;
    private boolean waiting;
    private @Nullable Throwable failure;
    private int done;

    public ScriptedPeer() {}

    // ---- the script ----

    /// Waits for exactly these ASCII characters; others fail.
    public ScriptedPeer expects(String ascii) {
        byte[] expected = ascii.getBytes(StandardCharsets.US_ASCII);
        return step(
                _ -> {
                    byte[] all = arrived.toByteArray();
                    if (all.length - taken < expected.length) {
                        return false;
                    }
                    byte[] bytes = Arrays.copyOfRange(all, taken, taken + expected.length);
                    taken += expected.length;
                    if (!Arrays.equals(bytes, expected)) {
                        throw new IllegalStateException(
                                "arrived: "
                                        + new String(bytes, StandardCharsets.ISO_8859_1)
                                        + " (expected: "
                                        + ascii
                                        + ")");
                    }
                    return true;
                });
    }

    /// Waits for `count` bytes, whatever they are.
    public ScriptedPeer expectsBytes(int count) {
        return step(
                _ -> {
                    boolean enough = arrived.size() - taken >= count;
                    taken += enough ? count : 0;
                    return enough;
                });
    }

    /// Waits for the end of input.
    public ScriptedPeer expectsEnd() {
        return step(_ -> inputClosed);
    }

    /// Waits until the connection is gone.
    public ScriptedPeer expectsClose() {
        return step(_ -> inactive);
    }

    /// Sends these ASCII characters.
    public ScriptedPeer sends(String ascii) {
        return action(
                channel ->
                        channel.writeAndFlush(
                                channel.allocator().allocate(ascii.length()).writeAscii(ascii)));
    }

    /// Does nothing for a while, but goes on to read.
    public ScriptedPeer waits(Duration time) {
        boolean[] over = new boolean[1];
        return step(
                channel -> {
                    if (!over[0] && !waiting) {
                        waiting = true;
                        channel.eventLoop()
                                .schedule(
                                        () -> {
                                            waiting = false;
                                            over[0] = true;
                                            proceed(channel);
                                        },
                                        time.toNanos(),
                                        TimeUnit.NANOSECONDS);
                    }
                    return over[0];
                });
    }

    /// Reads no more, until [#reads].
    public ScriptedPeer stopsReading() {
        return action(channel -> channel.autoRead(false));
    }

    /// Reads again.
    public ScriptedPeer reads() {
        return action(channel -> channel.autoRead(true));
    }

    /// Sends FIN.
    public ScriptedPeer endsOutput() {
        return action(Channel::shutdownOutput);
    }

    public ScriptedPeer closes() {
        return action(Channel::close);
    }

    /// Sends RST.
    public ScriptedPeer resets() {
        return action(Channel::abort);
    }

    private ScriptedPeer action(Consumer<Channel> action) {
        return step(
                channel -> {
                    action.accept(channel);
                    return true;
                });
    }

    private ScriptedPeer step(Step step) {
        script.add(step);
        return this;
    }

    // ---- the outcome ----

    /// Returns the number of steps that have been done.
    public int done() {
        return done;
    }

    /// Returns the bytes that have come and that no step expected, as Latin-1 text.
    public String unexpected() {
        return arrived.toString(StandardCharsets.ISO_8859_1).substring(taken);
    }

    /// @throws AssertionError when a step failed, or some are left
    public void check() {
        if (failure != null || !script.isEmpty()) {
            throw new AssertionError(
                    "steps done: " + done + ", left: " + script.size() + ", arrived: " + arrived,
                    failure);
        }
    }

    private void proceed(Channel channel) {
        try {
            while (failure == null && !script.isEmpty()) {
                Step next = script.getFirst();
                if (!next.done(channel)) {
                    return;
                }
                script.remove(next);
                done++;
            }
        } catch (RuntimeException e) {
            failure = e;
            channel.abort();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        proceed(ctx.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer buffer = (Buffer) message) {
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            arrived.writeBytes(bytes);
        }
        proceed(ctx.channel());
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        inputClosed = true;
        proceed(ctx.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        inactive = true;
        proceed(ctx.channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            failure = cause;
        }
        ctx.channel().abort();
    }
}
