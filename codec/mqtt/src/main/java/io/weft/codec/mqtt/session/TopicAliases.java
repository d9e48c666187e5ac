package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.rules.Peer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Topic aliases of one connection, in both directions (MQTT 5.0, 3.3.2.3.4).
final class TopicAliases {
    /// Bytes of a topic that an alias saves nothing of.
    private static final int SHORT = 4;

    /// Aliases that are used, whatever the peer allows.
    private static final int MOST = 64;

    private final int inMaximum;
    private @Nullable Topic @Nullable [] in;
    private final int outMaximum;
    private final Map<Topic, MqttProperties> out = new HashMap<>();

    /// @param inMaximum aliases that the peer may use
    /// @param outMaximum aliases that it allows
    TopicAliases(int inMaximum, int outMaximum) {
        this.inMaximum = inMaximum;
        this.outMaximum = Math.min(MOST, outMaximum);
    }

    /// Returns the message with its topic and without an alias.
    ///
    /// @throws io.weft.codec.mqtt.MqttException when there is no such alias; the message stays the
    ///     caller's
    Publish resolve(Publish publish, Peer peer) {
        MqttProperties properties = publish.properties();
        if (properties.isEmpty() || !properties.contains(MqttProperty.TOPIC_ALIAS)) {
            return publish;
        }
        int alias = (int) properties.number(MqttProperty.TOPIC_ALIAS, 0);
        if (alias > inMaximum) {
            throw peer.fault(
                    ReasonCode.TOPIC_ALIAS_INVALID,
                    "topic alias: " + alias + " (expected: at most " + inMaximum + ")");
        }
        Topic topic = publish.topic();
        @Nullable Topic[] known = in;
        if (topic.isNone()) {
            Topic found = known == null || alias >= known.length ? null : known[alias];
            if (found == null) {
                throw peer.protocol("topic alias: " + alias + " (expected: one with a topic)");
            }
            topic = found;
        } else {
            known = grown(known, alias);
            known[alias] = topic;
            in = known;
        }
        return new Publish(
                topic,
                publish.payload(),
                publish.qos(),
                publish.retain(),
                publish.duplicate(),
                publish.packetId(),
                properties.without(MqttProperty.TOPIC_ALIAS));
    }

    private @Nullable Topic[] grown(@Nullable Topic @Nullable [] known, int alias) {
        if (known != null && alias < known.length) {
            return known;
        }
        int length = Math.min(inMaximum + 1, Math.max(8, 2 * alias));
        return known == null ? new @Nullable Topic[length] : java.util.Arrays.copyOf(known, length);
    }

    /// Returns the message as it is to be sent: with an alias instead of its topic, or beside it
    /// the first time.
    Publish shorten(Publish publish) {
        Topic topic = publish.topic();
        if (outMaximum == 0 || topic.length() <= SHORT) {
            return publish;
        }
        MqttProperties alias = out.get(topic);
        boolean known = alias != null;
        if (alias == null) {
            if (out.size() == outMaximum) {
                return publish;
            }
            alias = MqttProperties.of(MqttProperty.TOPIC_ALIAS, out.size() + 1);
            out.put(topic, alias);
        }
        MqttProperties properties = publish.properties();
        if (!properties.isEmpty()) {
            int number = (int) alias.number(MqttProperty.TOPIC_ALIAS, 0);
            alias = properties.with(MqttProperty.TOPIC_ALIAS, number);
        }
        return new Publish(
                known ? Topic.NONE : topic,
                publish.payload(),
                publish.qos(),
                publish.retain(),
                publish.duplicate(),
                publish.packetId(),
                alias);
    }
}
