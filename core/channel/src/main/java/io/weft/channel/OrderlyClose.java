package io.weft.channel;

import io.weft.channel.spi.StreamHandle;
import io.weft.loop.Timeout;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An orderly close under way, on the channel's loop.
///
/// First what was flushed is sent, as long as the peer takes some of it within [ChannelOption#CLOSE_TIMEOUT].
///
/// A system answers a close with a reset when input is left that nobody read, and a reset may destroy what the peer has not
/// read yet (RFC 9112, 9.6). So where the peer has sent such input the channel **lingers**: it sends FIN, and discards input
/// until that ends; at most for [ChannelOption#LINGER_TIMEOUT], and at most 1 MiB. Where nothing has come it closes at once.
final class OrderlyClose {
    private static final long MAX_DISCARDED = 1 << 20;

    private final Channel channel;
    private @Nullable Timeout timeout;
    private boolean lingering;
    private long discarded;

    OrderlyClose(Channel channel) {
        this.channel = channel;
    }

    /// Gives up when the peer takes nothing for as long as the timeout.
    void awaitSent() {
        if (!channel.isClosing()) {
            return; // a promise that failed had a listener that aborted
        }
        long pending = channel.pendingBytes();
        timeout =
                schedule(
                        () -> {
                            if (channel.pendingBytes() == pending) {
                                channel.closeNow(true);
                            } else {
                                awaitSent();
                            }
                        },
                        channel.options().get(ChannelOption.CLOSE_TIMEOUT).toNanos());
    }

    private Timeout schedule(Runnable task, long nanos) {
        return channel.eventLoop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /// Everything flushed has been sent.
    void allSent(StreamHandle handle, boolean inputEnded) {
        if (lingering) {
            return;
        }
        end();
        long patience = channel.options().get(ChannelOption.LINGER_TIMEOUT).toNanos();
        if (inputEnded || patience == 0 || !handle.discardInput()) {
            channel.closeNow(false);
            return;
        }
        lingering = true;
        timeout = schedule(() -> channel.closeNow(false), patience);
        handle.shutdownOutput();
        handle.receive();
    }

    /// Input came that nobody will read.
    void discarded(int bytes) {
        discarded += bytes;
        if (discarded > MAX_DISCARDED) {
            channel.closeNow(false);
        }
    }

    void inputEnded() {
        if (lingering) {
            channel.closeNow(false);
        }
    }

    void end() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }
}
