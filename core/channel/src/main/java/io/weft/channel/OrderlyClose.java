package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.engine.ChannelOption;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.LoopEngine;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An orderly close in progress, on the channel's loop.
///
/// First, flushed bytes are sent, as long as the peer takes some of them within
/// [ChannelOption#CLOSE_TIMEOUT]. Then the channel sends FIN and **lingers**: it keeps its
/// descriptor until the peer's end (FIN or RST). A descriptor that is closed earlier answers later
/// input with a reset, which may destroy bytes that the peer has not read yet (RFC 9112, 9.6).
///
/// From the beginning, input is discarded: a peer that is blocked sending to us would never read.
/// The bounds are [ChannelOption#LINGER_TIMEOUT] from the FIN, and 1 MiB of input.
///
/// If the peer has already ended its output, no reset can follow, and the descriptor is closed at
/// once. The same holds if no byte was ever sent, since then none can be lost, and if the peer has
/// promised to send nothing more ([ChannelHandlerContext#expectNoInput]); unless unread input is
/// there already, which would make certain that the peer sees a reset for an end. See design
/// document 0018.
final class OrderlyClose implements Runnable {
    private static final int MAX_DISCARDED = 1 << 20;

    /// Neighbours in the loop's list of channels that linger.
    @Nullable OrderlyClose older;

    @Nullable OrderlyClose newer;

    private final Channel channel;
    private @Nullable Timeout timeout;
    private boolean lingering;

    /// The end of a turn of the loop is awaited before a timer is armed.
    private boolean awaitsTurn;

    private int discarded;

    /// Bytes that waited when the timer was armed, by their lowest bits: an object of this class
    /// has room for no more. If a peer takes just 4 GiB meanwhile, it counts as one that took none.
    private int pending;

    OrderlyClose(Channel channel) {
        this.channel = channel;
    }

    /// Tells if input may be under way, and if the reset that answers it has something to discard.
    private boolean mayBeReset() {
        return channel.outbound().hasSent() && !channel.inbound().expectsNone();
    }

    /// The call that looks for unread input is made only where else nothing would be waited for.
    private boolean mayLinger(StreamHandle handle) {
        return handle.lingers() && discardsInput() && (mayBeReset() || hadInput(handle));
    }

    /// Assumes input where the engine cannot tell: no timer would end a close that stops here.
    private boolean hadInput(StreamHandle handle) {
        try {
            return handle.discardInput();
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.debug("unread input of " + channel, e);
            return true;
        }
    }

    private long patience() {
        return nanos(ChannelOption.LINGER_TIMEOUT);
    }

    private long nanos(ChannelOption<Duration> patience) {
        return TimeUnit.NANOSECONDS.convert(channel.options().get(patience)); // 292 years at most
    }

    boolean isLingering() {
        return lingering;
    }

    /// Aborts when the peer takes nothing for as long as the time-out. The timer is armed a turn of
    /// the loop later: nearly always all has been sent by then.
    void awaitSent() {
        LoopEngine engine = channel.eventLoop().engine();
        awaitsTurn = engine.boundsTurns();
        if (awaitsTurn) {
            engine.nextTurn(this);
        } else {
            watch();
        }
    }

    private void watch() {
        pending = (int) channel.pendingBytes();
        timeout = schedule(nanos(ChannelOption.CLOSE_TIMEOUT));
    }

    private Timeout schedule(long nanos) {
        return channel.eventLoop().schedule(this, nanos, TimeUnit.NANOSECONDS);
    }

    /// Tells if input is to be received and thrown away, also while flushed bytes are still being
    /// sent.
    boolean discardsInput() {
        return patience() > 0 && !channel.inbound().isEnded() && discarded <= MAX_DISCARDED;
    }

    /// Everything flushed has been sent.
    void allSent(StreamHandle handle, boolean outputEnded) {
        if (lingering) {
            return;
        }
        cancelTimeout();
        if (!mayLinger(handle)) {
            channel.life().closeNow(false);
            return;
        }
        lingering = true;
        OpenChannels.of(channel.eventLoop()).lingering().add(this);
        timeout = schedule(patience());
        if (!outputEnded) {
            handle.shutdownOutput();
        }
        handle.receive(); // last: it may bring the end at once
    }

    /// Counts `bytes` of input that will not be read.
    ///
    /// @return true if more input is to be discarded
    boolean discarded(int bytes) {
        discarded += bytes;
        if (discarded > MAX_DISCARDED && lingering) {
            giveUp();
        }
        return discarded <= MAX_DISCARDED;
    }

    void inputEnded() {
        if (lingering) {
            giveUp();
        }
    }

    /// Closes a channel that lingers: everything has been sent, and a reset would take it back.
    void giveUp() {
        channel.life().closeNow(false);
    }

    /// The turn that is awaited, or a time, is over.
    @Override
    public void run() {
        if (awaitsTurn) {
            awaitsTurn = false;
            if (!lingering && channel.life().isClosing()) {
                watch();
            }
        } else if (lingering) {
            giveUp();
        } else if ((int) channel.pendingBytes() == pending) {
            channel.life().closeNow(true);
        } else {
            watch();
        }
    }

    /// The channel closes.
    void end() {
        cancelTimeout();
        if (lingering) {
            lingering = false;
            OpenChannels.of(channel.eventLoop()).lingering().remove(this);
        }
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }
}
