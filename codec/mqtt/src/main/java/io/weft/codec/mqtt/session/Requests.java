package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.rules.Peer;
import java.util.BitSet;

/// SUBSCRIBE and UNSUBSCRIBE of a session that have no answer yet, by packet identifier.
final class Requests {
    /// Messages leave so many identifiers.
    static final int MOST = 1024;

    private final OutboundMessages outbound;
    private final BitSet open = new BitSet();

    /// @param outbound whose identifiers they share
    Requests(OutboundMessages outbound) {
        this.outbound = outbound;
    }

    /// Returns the identifier of another one.
    ///
    /// @throws IllegalStateException without a connection, or when too many have no answer
    int begin(boolean connected) {
        if (!connected || open.cardinality() >= MOST) {
            throw new IllegalStateException(
                    "session: "
                            + (connected ? MOST + " requests without an answer" : "not connected")
                            + " (expected: connected, fewer requests)");
        }
        int id = outbound.takeId();
        open.set(id);
        return id;
    }

    /// @throws io.weft.codec.mqtt.MqttException when nothing was asked by this identifier
    void answered(int packetId, Peer peer) {
        if (!open.get(packetId)) {
            throw peer.protocol("packet identifier: " + packetId + " (expected: one of a request)");
        }
        open.clear(packetId);
        outbound.freeId(packetId);
    }

    /// Gives one up that was not sent.
    void refused(int packetId) {
        if (open.get(packetId)) {
            open.clear(packetId);
            outbound.freeId(packetId);
        }
    }

    /// Gives all up with their connection.
    void end() {
        open.stream().forEach(outbound::freeId);
        open.clear();
    }

    /// Gives all up when the identifiers are free already.
    void forget() {
        open.clear();
    }
}
