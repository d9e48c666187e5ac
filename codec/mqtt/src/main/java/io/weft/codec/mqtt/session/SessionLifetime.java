package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Will;
import io.weft.codec.mqtt.rules.Peer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The time for which a server keeps a session without a connection, and the will of its client. A
/// pure machine without timers, beside an [MqttSession] of a server.
///
/// After [#end], and whenever [#left] is over, the server publishes the will that [#takeWill]
/// returns, and then forgets the session if it [is over][#isOver].
///
/// **Threads.** One at a time.
public final class SessionLifetime {
    /// The session expiry interval of sessions that do not end.
    private static final long FOREVER = 0xFFFF_FFFFL;

    private static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier nanos;
    private @Nullable Will will;
    private MqttVersion version = MqttVersion.V3_1_1;
    private long expirySeconds;
    private boolean connected;
    private boolean abandoned;
    private long endedAt;

    /// @param nanos a clock that never goes back, such as `System::nanoTime`
    public SessionLifetime(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Begins a connection. A will of an earlier one that is not due is dropped (MQTT 5.0,
    /// 3.1.3.2.2).
    public void begin(Connect connect, ConnAck ack) {
        connected = true;
        version = connect.version();
        will = connect.will();
        long asked =
                version.isV5()
                        ? connect.properties().number(MqttProperty.SESSION_EXPIRY_INTERVAL, 0)
                        : connect.cleanStart() ? 0 : FOREVER;
        expirySeconds = ack.properties().number(MqttProperty.SESSION_EXPIRY_INTERVAL, asked);
    }

    /// Handles the client's DISCONNECT: a normal one drops the will, and it may change the session
    /// expiry interval. Then [#end] the connection.
    ///
    /// @throws MqttException when the interval was zero and is not to be any longer
    public void disconnect(Disconnect disconnect) {
        long expiry =
                disconnect.properties().number(MqttProperty.SESSION_EXPIRY_INTERVAL, expirySeconds);
        if (expirySeconds == 0 && expiry != 0) {
            // MQTT 5.0, 3.14.2.2.2
            Peer peer = new Peer(true, version);
            peer.begun = true;
            throw peer.protocol(
                    "session expiry interval: "
                            + expiry
                            + " (expected: 0, since CONNECT has said so)");
        }
        expirySeconds = expiry;
        if (disconnect.reason() == ReasonCode.SUCCESS) {
            will = null; // MQTT 5.0, 3.14.4
        }
    }

    /// Ends the connection, in whatever way.
    public void end() {
        if (connected) {
            connected = false;
            endedAt = nanos.getAsLong();
        }
    }

    /// Ends the session: another one begins for its client. Its will is due now.
    public void abandon() {
        end();
        abandoned = true;
    }

    /// Tells if the server is to forget the session.
    public boolean isOver() {
        return abandoned || left(expirySeconds) == 0;
    }

    /// Returns the will if it is due, once: after its delay, or when the session is over. Null
    /// otherwise.
    public @Nullable Will takeWill() {
        Will due = will;
        if (due == null || !(isOver() || left(delay(due)) == 0)) {
            return null;
        }
        will = null;
        return due;
    }

    /// Returns the nanoseconds until a will is due or the session is over; `Long.MAX_VALUE` for
    /// never.
    public long left() {
        long left = abandoned ? 0 : left(expirySeconds);
        Will waiting = will;
        return waiting == null ? left : Math.min(left, left(delay(waiting)));
    }

    private static long delay(Will will) {
        return will.properties().number(MqttProperty.WILL_DELAY_INTERVAL, 0);
    }

    private long left(long seconds) {
        if (connected || seconds == FOREVER) {
            return NEVER;
        }
        return Math.max(0, TimeUnit.SECONDS.toNanos(seconds) - (nanos.getAsLong() - endedAt));
    }
}
