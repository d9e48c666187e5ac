package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttLimits;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Will;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.http.model.HeaderName;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A broker of MQTT 3.1, 3.1.1 and 5 in memory: sessions, retained messages, wills and shared
/// subscriptions, on one port over TCP and WebSocket, in the clear and over TLS. Anybody may do
/// anything within limits of memory: what a client is sent waits up to 1 MiB, then messages of QoS
/// 1 and 2 are dropped, those of QoS 0 as soon as it does not keep up.
///
/// Try it: `mosquitto_sub -t 'a/#' -v` and `mosquitto_pub -t a/b -m hello`
///
/// One lock guards everything: a message goes to many connections, whose loops differ.
public final class MqttBroker {
    /// A payload comes whole, however long.
    static final MqttLimits LIMITS =
            MqttLimits.DEFAULT.wholePayload(MqttLimits.DEFAULT.packetBytes());

    /// MQTT 5.0, 6: clients name the subprotocol. Those of 3.1 have one of their own.
    static final WebSocketSettings WEB_SOCKET =
            WebSocketSettings.DEFAULT.subprotocols("mqtt", "mqttv3.1").pieces(true);

    /// Clients that are known, connected or not.
    static final int MAX_CLIENTS = 10_000;

    /// More than a session keeps may wait to be sent, as it is sent again on a new connection.
    private static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(32 << 10, 64 << 10, 4 << 20);

    private final Map<String, MqttBrokerClient> clients = new HashMap<>();
    private final LinkedHashSet<MqttBrokerConnection> written = new LinkedHashSet<>();
    private int assigned;
    final MqttBrokerTopics topics = new MqttBrokerTopics();

    private MqttBroker() {}

    public static void main(String[] args) {
        Example.main(1883, args, MqttBroker::start);
    }

    static Example.Running start(Options options) {
        MqttBroker broker = new MqttBroker();
        return Example.tcp(
                        options.withoutTls(),
                        new TcpOrWebSocket(
                                Example.tls(options),
                                broker::serve,
                                WEB_SOCKET,
                                request ->
                                        WEB_SOCKET.subprotocols().stream()
                                                .anyMatch(
                                                        name ->
                                                                request.headers()
                                                                        .containsToken(
                                                                                HeaderName
                                                                                        .SEC_WEBSOCKET_PROTOCOL,
                                                                                name)),
                                () -> WebSocketStream.binary(broker::serve)))
                .andThen(broker::closeSessions);
    }

    private void serve(Channel channel) throws IOException {
        MqttEncoder encoder = new MqttEncoder();
        channel.setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
        channel.pipeline()
                .addLast(new DecoderHandler<>(MqttDecoder.server(LIMITS)))
                .addLast(new EncoderHandler<>(MqttMessage.class, encoder))
                .addLast(new MqttBrokerConnection(this, encoder));
    }

    /// Finds or makes the session that a CONNECT is for; null if there are too many. The lock is
    /// held, as for all that follow.
    @Nullable MqttBrokerClient client(Connect connect) {
        String id = connect.clientId();
        MqttBrokerClient known = id.isEmpty() ? null : clients.get(id);
        if (known != null) {
            known.takeOver();
            // Taking over may have ended a session that was not to outlive its connection.
            if (!connect.cleanStart() && clients.get(id) == known) {
                return known;
            }
            known.abandon();
        }
        if (clients.size() == MAX_CLIENTS) {
            return null;
        }
        MqttBrokerClient made = new MqttBrokerClient(this, id.isEmpty() ? freeId() : id);
        clients.put(made.id, made);
        return made;
    }

    private String freeId() {
        String id;
        do {
            id = "weft-" + ++assigned;
        } while (clients.containsKey(id));
        return id;
    }

    void remove(MqttBrokerClient client) {
        if (clients.remove(client.id, client)) {
            topics.unsubscribe(client);
            client.session.close();
        }
    }

    /// Handles a message of a client or a will; its payload stays the caller's.
    ReasonCode publish(Publish publish, @Nullable MqttBrokerClient from) {
        if (publish.topic().isOfServer()) {
            return ReasonCode.NOT_AUTHORIZED;
        }
        if (publish.retain() && !topics.retain(publish)) {
            return ReasonCode.QUOTA_EXCEEDED;
        }
        Map<MqttBrokerClient, MqttBrokerTopics.Match> matches = new LinkedHashMap<>();
        topics.match(publish.topic(), from, matches);
        matches.forEach(
                (client, match) ->
                        client.deliver(
                                publish, publish.retain() && match.retainAsPublished(), match));
        return matches.isEmpty() ? ReasonCode.NO_MATCHING_SUBSCRIBERS : ReasonCode.SUCCESS;
    }

    void publish(Will will) {
        try (Buffer payload = BufferAllocator.pooled().allocate(256)) {
            will.payload().writeTo(payload);
            var _ =
                    publish(
                            new Publish(
                                    will.topic(),
                                    payload,
                                    will.qos(),
                                    will.retain(),
                                    false,
                                    0,
                                    will.properties().without(MqttProperty.WILL_DELAY_INTERVAL)),
                            null);
        }
    }

    void written(MqttBrokerConnection connection) {
        written.add(connection);
    }

    /// Flushes all that messages of one read were written to.
    void flush() {
        // A flush may end a connection, whose will then is written to others.
        while (!written.isEmpty()) {
            written.removeFirst().flush();
        }
    }

    private synchronized void closeSessions() {
        clients.values().forEach(client -> client.session.close());
        clients.clear();
    }
}
