package io.weft.codec.mqtt.session;

import java.util.concurrent.TimeUnit;

/// The keep-alive of one connection, in nanoseconds of the session's clock.
final class KeepAlive {
    static final long NEVER = Long.MAX_VALUE;

    private final boolean isServer;
    private final long interval;
    private long received;
    private long sent;
    private boolean pinged;
    private long pingedAt;

    /// @param seconds 0 for none
    KeepAlive(boolean isServer, int seconds, long now) {
        this.isServer = isServer;
        interval = TimeUnit.SECONDS.toNanos(seconds);
        received = now;
        sent = now;
    }

    void received(long now) {
        received = now;
    }

    void answered() {
        pinged = false;
    }

    void sent(long now) {
        sent = now;
    }

    void pinged(long now) {
        pinged = true;
        pingedAt = now;
    }

    /// Tells if the peer has been silent for too long: a client for one and a half times its
    /// keep-alive (MQTT 5.0, 3.1.2.10), a server when a PINGREQ has no answer within one.
    boolean isExpired(long now) {
        if (interval == 0) {
            return false;
        }
        return isServer
                ? now - received >= interval + interval / 2
                : pinged && now - pingedAt >= interval;
    }

    /// Tells if a client has to send a PINGREQ now.
    boolean isPingDue(long now) {
        return !isServer && interval > 0 && !pinged && now - sent >= interval;
    }

    /// Nanoseconds until something may be due; [#NEVER] for nothing.
    long left(long now) {
        if (interval == 0) {
            return NEVER;
        }
        if (isServer) {
            return Math.max(0, received + interval + interval / 2 - now);
        }
        return Math.max(0, (pinged ? pingedAt : sent) + interval - now);
    }
}
