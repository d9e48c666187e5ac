package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// An outbound connection on its way: the promise of it, what fills its pipeline, and how long it
/// may take.
final class ConnectAttempt {
    final Promise<Channel> promise;
    final ChannelInitializer initializer;
    private final Timeout timeout;

    /// From now on a cancelled promise or the passing of [ChannelOption#CONNECT_TIMEOUT] ends the
    /// attempt.
    ConnectAttempt(
            Channel channel,
            SocketAddress address,
            Promise<Channel> promise,
            ChannelInitializer initializer) {
        this.promise = promise;
        this.initializer = initializer;
        promise.addListener(
                outcome -> {
                    if (outcome.isCancelled()) {
                        channel.life().closeNow(true);
                    }
                });
        Duration patience = channel.options().get(ChannelOption.CONNECT_TIMEOUT);
        timeout =
                channel.eventLoop()
                        .schedule(
                                () ->
                                        channel.life()
                                                .connectFailed(
                                                        new SocketTimeoutException(
                                                                "connect "
                                                                        + address
                                                                        + ": timed out after "
                                                                        + patience)),
                                TimeUnit.NANOSECONDS.convert(patience), // 292 years at most
                                TimeUnit.NANOSECONDS);
    }

    /// The attempt has an outcome.
    void end() {
        timeout.cancel();
    }
}
