package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.Auth;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PingReq;
import io.weft.codec.mqtt.PingResp;
import io.weft.codec.mqtt.PubAck;
import io.weft.codec.mqtt.PubComp;
import io.weft.codec.mqtt.PubRec;
import io.weft.codec.mqtt.PubRel;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.UnsubAck;
import io.weft.codec.mqtt.Unsubscribe;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/// One side of a session: the exchanges of QoS 0, 1 and 2 in both directions, the peer's receive
/// maximum, topic aliases, keep-alive, and what is sent again on the next connection. A pure
/// machine without I/O, for clients and servers.
///
/// **Connections.** A session outlives them: [#begin] when CONNECT and CONNACK have gone, [#end]
/// when the connection is over. What is published meanwhile waits within [SessionLimits].
///
/// **Packets** that arrive go to [#received], which answers PUBLISH, its acknowledgements and pings
/// by itself and says of others that they are the application's. Payloads come whole: the decoder's
/// [wholePayload][io.weft.codec.mqtt.MqttLimits#wholePayload] is as large as its packets.
///
/// **Expiry.** A server's session drops messages whose message expiry interval ends while they
/// wait, and takes the time that others have waited off theirs.
///
/// **Errors.** A peer that breaks the protocol is a [MqttException], whose reply is to be sent
/// before the connection is closed; then [#end] it.
///
/// **Threads.** One at a time.
public final class MqttSession implements AutoCloseable {
    private final boolean isServer;
    private final SessionHandler handler;
    private final LongSupplier nanos;
    private final OutboundMessages outbound;
    private final InboundMessages inbound;

    private final Requests requests;

    // Of the current connection.
    private boolean connected;
    private Terms terms;
    private TopicAliases aliases = new TopicAliases(0, 0);
    private KeepAlive keepAlive;
    private boolean sending;

    private MqttSession(
            boolean isServer, SessionLimits limits, SessionHandler handler, LongSupplier nanos) {
        this.isServer = isServer;
        this.handler = handler;
        this.nanos = nanos;
        outbound = new OutboundMessages(limits, isServer);
        inbound = new InboundMessages(handler);
        requests = new Requests(outbound);
        terms = Terms.none(isServer);
        keepAlive = new KeepAlive(isServer, 0, 0);
    }

    /// The server's side.
    ///
    /// @param nanos a clock that never goes back, such as `System::nanoTime`
    public static MqttSession server(
            SessionLimits limits, SessionHandler handler, LongSupplier nanos) {
        return new MqttSession(true, limits, handler, nanos);
    }

    /// The client's side.
    ///
    /// @param nanos a clock that never goes back, such as `System::nanoTime`
    public static MqttSession client(
            SessionLimits limits, SessionHandler handler, LongSupplier nanos) {
        return new MqttSession(false, limits, handler, nanos);
    }

    /// Begins a connection, of which `connect` and `ack` were the first packets: they say what both
    /// sides take. Sends what the last connection left, if the session is present; else forgets it,
    /// on a client by way of [SessionHandler#lost]. A client of 3.1, which is not told, takes it to
    /// be present unless it wanted a clean one.
    ///
    /// @throws IllegalStateException while there is a connection
    /// @throws IllegalArgumentException unless the connection was accepted
    public void begin(Connect connect, ConnAck ack) {
        if (connected) {
            throw new IllegalStateException("session: connected (expected: ended before)");
        }
        if (ack.reason().isError()) {
            throw new IllegalArgumentException(
                    "reason: " + ack.reason() + " (expected: an accepted connection)");
        }
        connected = true;
        terms = Terms.of(isServer, connect, ack);
        aliases = new TopicAliases(terms.mostAliasesIn, terms.mostAliasesOut);
        int seconds =
                (int) ack.properties().number(MqttProperty.SERVER_KEEP_ALIVE, connect.keepAlive());
        keepAlive = new KeepAlive(isServer, seconds, nanos.getAsLong());
        // CONNACK of 3.1 does not tell: what a client does not want to be forgotten is there.
        boolean untold = !isServer && connect.version() == MqttVersion.V3_1;
        boolean lost = !ack.sessionPresent() && (!untold || connect.cleanStart());
        List<Outbound> forgotten = lost ? forget() : List.of();
        // Before the handler is told: what it publishes then is sent already, and not left over.
        List<Outbound> released = outbound.resume();
        for (Outbound out : forgotten) {
            if (out.publish == null) {
                handler.completed(out.token, ReasonCode.SUCCESS); // the peer had it
            } else {
                handler.lost(out.token, out.publish);
            }
        }
        for (Outbound out : released) {
            send(PubRel.of(out.packetId));
        }
        sendNext();
    }

    private List<Outbound> forget() {
        inbound.forget();
        requests.forget();
        return outbound.forget();
    }

    /// Ends the connection: nothing is sent until the next one begins.
    public void end() {
        connected = false;
        requests.end();
    }

    public boolean isConnected() {
        return connected;
    }

    /// Messages of QoS 1 and 2 that are not acknowledged, sent or not.
    public int pending() {
        return outbound.pending();
    }

    /// Sends a message, which becomes the session's, or keeps it until it can be sent. A message of
    /// QoS 0 is dropped without a connection.
    ///
    /// @param publish without a packet identifier, and with its topic's name
    /// @param token to tell its end by, see [SessionHandler#completed]
    /// @return false when it was dropped: for want of a connection, by a limit, or with QoS 0 as
    ///   the peer does not take it
    public boolean publish(Publish publish, long token) {
        if (publish.qos() == QoS.AT_MOST_ONCE) {
            if (!connected) {
                publish.close();
                return false;
            }
            Publish fitting = Outbound.restricted(publish, terms);
            if (terms.refusal(fitting) != null) {
                fitting.close();
                return false;
            }
            send(shortened(fitting));
            return true;
        }
        long now = nanos.getAsLong();
        if (!outbound.offer(publish, token, now)) {
            outbound.dropExpired(now).forEach(out -> handler.expired(out.token));
            if (!outbound.offer(publish, token, now)) {
                publish.close();
                return false;
            }
        }
        sendNext();
        return true;
    }

    private void sendNext() {
        if (sending) {
            return; // by the loop below
        }
        sending = true;
        try {
            for (Outbound out; connected && (out = outbound.next(terms.window)) != null; ) {
                send(out);
            }
        } finally {
            sending = false;
        }
    }

    private void send(Outbound out) {
        Publish publish = out.publish;
        if (publish == null) {
            throw new AssertionError("no message (expected: one that is queued)");
        }
        long now = nanos.getAsLong();
        if (out.isExpired(now)) {
            outbound.remove(out);
            handler.expired(out.token);
            return;
        }
        MqttProperties properties = terms.allowed(publish.properties());
        if (terms.isV5()) {
            properties = out.properties(properties, now);
        }
        Publish copy = Outbound.copy(publish, out.packetId, out.sent, properties);
        ReasonCode refusal = terms.refusal(copy);
        if (refusal == null) {
            out.sent = true;
            send(shortened(copy));
            return;
        }
        copy.close();
        if (out.sent && out.qos == QoS.EXACTLY_ONCE) {
            // The peer may know the identifier, and would take its next message for this one.
            outbound.dropPayload(out);
            send(PubRel.of(out.packetId));
        } else {
            outbound.remove(out);
            handler.completed(out.token, refusal);
        }
    }

    /// An alias beside its topic may be what does not fit.
    private Publish shortened(Publish publish) {
        return terms.isUnlimited() ? aliases.shorten(publish) : publish;
    }

    private void send(MqttPacket packet) {
        keepAlive.sent(nanos.getAsLong());
        handler.send(packet);
    }

    /// Sends a SUBSCRIBE and returns its packet identifier; SUBACK has the same.
    ///
    /// @throws IllegalStateException without a connection
    public int subscribe(MqttProperties properties, List<Subscription> subscriptions) {
        return request(id -> new Subscribe(id, properties, subscriptions));
    }

    /// Sends an UNSUBSCRIBE and returns its packet identifier; UNSUBACK has the same.
    ///
    /// @throws IllegalStateException without a connection
    public int unsubscribe(MqttProperties properties, List<TopicFilter> filters) {
        return request(id -> new Unsubscribe(id, properties, filters));
    }

    private int request(IntFunction<MqttPacket> packet) {
        int id = requests.begin(connected);
        try {
            send(packet.apply(id));
        } catch (RuntimeException | Error e) {
            requests.refused(id);
            throw e;
        }
        return id;
    }

    /// Handles a packet of the peer, which becomes the session's unless it says that it is the
    /// application's.
    ///
    /// @return false for packets that the application handles: SUBSCRIBE, SUBACK and the like,
    ///   DISCONNECT, AUTH
    /// @throws MqttException when the peer breaks the protocol
    public boolean received(MqttPacket packet) {
        keepAlive.received(nanos.getAsLong());
        switch (packet) {
            case Publish publish -> published(publish);
            case PubAck ack -> acknowledged(ack.packetId(), ack.reason(), QoS.AT_LEAST_ONCE);
            case PubRec rec -> recorded(rec);
            case PubRel rel -> send(inbound.release(rel.packetId(), terms));
            case PubComp comp -> completed(comp);
            case PingReq _ -> send(PingResp.INSTANCE);
            case PingResp _ -> keepAlive.answered();
            case SubAck ack -> {
                requests.answered(ack.packetId(), terms.peer);
                return false;
            }
            case UnsubAck ack -> {
                requests.answered(ack.packetId(), terms.peer);
                return false;
            }
            case Connect _, ConnAck _, Subscribe _, Unsubscribe _, Disconnect _, Auth _ -> {
                return false;
            }
        }
        return true;
    }

    // ---- messages of the peer ----

    private void published(Publish publish) {
        Publish named;
        try {
            named = aliases.resolve(publish, terms.peer);
            terms.requireSupported(named);
            inbound.requireRoom(named, terms);
        } catch (MqttException e) {
            publish.close();
            throw e;
        }
        MqttPacket answer = inbound.deliver(named, terms);
        if (answer != null && connected) {
            send(answer);
        }
    }

    // ---- acknowledgements of the peer ----

    private void acknowledged(int packetId, ReasonCode reason, QoS qos) {
        Outbound out = outbound.find(packetId);
        if (out == null) {
            return; // of a session that the peer has kept longer
        }
        if (out.qos != qos) {
            throw terms.peer.protocol(
                    "acknowledgement of packet "
                            + packetId
                            + ": of "
                            + qos
                            + " (expected: "
                            + out.qos
                            + ")");
        }
        outbound.remove(out);
        handler.completed(out.token, reason);
        sendNext();
    }

    private void recorded(PubRec rec) {
        if (rec.reason().isError()) {
            acknowledged(rec.packetId(), rec.reason(), QoS.EXACTLY_ONCE);
            return;
        }
        Outbound out = outbound.find(rec.packetId());
        if (out == null) {
            ReasonCode reason =
                    terms.isV5() ? ReasonCode.PACKET_IDENTIFIER_NOT_FOUND : ReasonCode.SUCCESS;
            send(new PubRel(rec.packetId(), reason, MqttProperties.NONE));
            return;
        }
        if (out.qos != QoS.EXACTLY_ONCE) {
            throw terms.peer.protocol(
                    "PUBREC of packet " + rec.packetId() + ": of QoS 1 (expected: of QoS 2)");
        }
        outbound.dropPayload(out);
        send(PubRel.of(rec.packetId()));
    }

    private void completed(PubComp comp) {
        Outbound out = outbound.find(comp.packetId());
        if (out == null) {
            return;
        }
        if (out.publish != null) {
            throw terms.peer.protocol(
                    "PUBCOMP of packet " + comp.packetId() + ": before PUBREC (expected: behind)");
        }
        outbound.remove(out);
        // That the peer does not find the identifier means that it has released it before.
        handler.completed(out.token, ReasonCode.SUCCESS);
        sendNext();
    }

    // ---- time ----

    /// Keeps the connection alive: sends a PINGREQ when it is due.
    ///
    /// @return nanoseconds until this is to be called again; `Long.MAX_VALUE` for never
    /// @throws MqttException when the peer has been silent for too long
    public long tick() {
        if (!connected) {
            return KeepAlive.NEVER;
        }
        long now = nanos.getAsLong();
        if (keepAlive.isExpired(now)) {
            throw terms.peer.fault(
                    ReasonCode.KEEP_ALIVE_TIMEOUT,
                    "keep-alive: nothing received (expected: a packet in time)");
        }
        if (keepAlive.isPingDue(now)) {
            keepAlive.pinged(now);
            send(PingReq.INSTANCE);
        }
        return keepAlive.left(now);
    }

    /// Releases what the session holds. It is not used after.
    @Override
    public void close() {
        connected = false;
        outbound.release();
    }
}
