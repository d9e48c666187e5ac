package io.weft.handler.tls;

import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The one thing that a connection waits for, with what follows when it has not come in time.
final class Deadline {
    private @Nullable Timeout timeout;

    boolean isSet() {
        return timeout != null;
    }

    /// Runs `missed` after `patience`, in place of what was waited for before.
    void set(ChannelHandlerContext ctx, Duration patience, Runnable missed) {
        cancel();
        timeout =
                ctx.eventLoop()
                        .schedule(
                                missed,
                                TimeUnit.NANOSECONDS.convert(patience),
                                TimeUnit.NANOSECONDS);
    }

    void cancel() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }
}
