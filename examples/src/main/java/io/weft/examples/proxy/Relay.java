package io.weft.examples.proxy;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Passes what one connection receives to another, and the other way round. Each side stops reading
/// while the other takes no more (back-pressure), an end of input ends the other's output alone
/// (half-close), and a broken connection breaks the other. If nothing passes for a time in either
/// direction, both are aborted: half-closed ones too, or a peer that has vanished, or never ends
/// its half, would keep them.
///
/// Both channels have [io.weft.engine.ChannelOption#ALLOW_HALF_CLOSURE], and
/// [io.weft.engine.ChannelOption#READ_WHILE_UNWRITABLE], since a direction must not wait for the
/// other. They may be on different loops.
final class Relay implements ChannelHandler {
    private final Channel other;
    private final IdleTimeout idle;
    private @Nullable Relay back;
    private @Nullable ChannelHandlerContext ctx;
    private boolean broken;

    private Relay(Channel other, IdleTimeout idle) {
        this.other = other;
        this.idle = idle;
    }

    /// Makes a relay of two channels: of `a` on its loop now, and of `b` at the end of its
    /// pipeline. To be called on the loop of `b`, by its initializer.
    ///
    /// @param patience time without a byte in either direction after which both are aborted
    static void join(Channel a, Channel b, Duration patience) {
        IdleTimeout idle = new IdleTimeout(a, b, patience);
        Relay ofA = new Relay(b, idle);
        Relay ofB = new Relay(a, idle);
        ofA.back = ofB;
        ofB.back = ofA;
        b.pipeline().addLast("relay", ofB);
        idle.begin();
        if (a.eventLoop().inLoop()) {
            a.pipeline().addLast("relay", ofA);
        } else {
            a.eventLoop().execute(() -> a.pipeline().addLast("relay", ofA));
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        if (!context.channel().isOpen()) {
            other.close(); // it ended while the other was on its way
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        other.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        idle.happened();
        other.flush();
        if (!other.isWritable()) {
            context.suspendReading();
        }
    }

    /// This side takes more again: the other may read on.
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            idle.happened();
            Relay reader = Objects.requireNonNull(back);
            if (other.eventLoop().inLoop()) {
                reader.resume();
            } else {
                other.eventLoop().execute(reader::resume);
            }
        }
    }

    private void resume() {
        if (ctx != null && !ctx.isRemoved()) {
            ctx.resumeReading();
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext context) {
        other.shutdownOutput();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken = true;
        context.channel().abort();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (broken || idle.isExpired()) {
            other.abort();
        } else {
            other.close();
        }
        idle.end(); // an orderly close has time-outs of its own
    }

    /// The failure of a connection in a few words.
    static String reason(@Nullable Throwable cause) {
        return cause instanceof ClosedChannelException ? "closed" : String.valueOf(cause);
    }
}
