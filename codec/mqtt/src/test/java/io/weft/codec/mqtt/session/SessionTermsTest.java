package io.weft.codec.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PubAck;
import io.weft.codec.mqtt.PubRel;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.Wire;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A peer may state other limits with each connection of a session; those of the current one hold.
class SessionTermsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Connect connect(long maximumPacketSize) {
        return Connect.of(MqttVersion.V5, "me")
                .properties(MqttProperties.of(MqttProperty.MAXIMUM_PACKET_SIZE, maximumPacketSize));
    }

    private static SessionPair pair(Connect connect) {
        return new SessionPair(SessionLimits.DEFAULT, connect, ConnAck.accepted(false));
    }

    @Test
    void messagesThatAreTooLargeForThePeerCountAsSent() {
        try (SessionPair pair = pair(connect(20))) {
            String large = "x".repeat(20);
            assertThat(pair.server.publish("a", large, QoS.AT_MOST_ONCE, 1)).isFalse();
            assertThat(pair.server.publish("a", large, QoS.AT_LEAST_ONCE, 2)).isTrue();
            assertThat(pair.server.publish("a", "small", QoS.EXACTLY_ONCE, 3)).isTrue();
            pair.passAll();
            assertThat(pair.client.delivered).containsExactly("a small");
            assertThat(pair.server.completed).containsExactly("2 PACKET_TOO_LARGE", "3 SUCCESS");
            assertThat(pair.server.session.pending()).isZero();
        }
    }

    @Test
    void aliasesDoNotMakePacketsTooLarge() {
        MqttProperties properties =
                MqttProperties.of(MqttProperty.MAXIMUM_PACKET_SIZE, 20L)
                        .with(MqttProperty.TOPIC_ALIAS_MAXIMUM, 5);
        Connect connect = Connect.of(MqttVersion.V5, "me").properties(properties);
        try (SessionPair pair = pair(connect)) {
            pair.server.publish("topic/of/me", "1234", QoS.AT_MOST_ONCE, 0); // 20 bytes
            assertThat(Wire.encode(MqttVersion.V5, pair.server.sent.remove())).hasSize(20);
        }
    }

    @Test
    void messagesThatBecomeTooLargeAreDroppedWhenTheyAreSentAgain() {
        Connect first = connect(1_000);
        try (SessionPair pair = pair(first)) {
            String large = "x".repeat(100);
            pair.server.publish("a", large, QoS.AT_LEAST_ONCE, 1);
            pair.server.publish("a", large, QoS.EXACTLY_ONCE, 2);
            pair.server.publish("a", "small", QoS.EXACTLY_ONCE, 3);
            pair.connect = connect(50);
            pair.reconnect(true);
            // The identifier of the second one is known, perhaps; the peer has to forget it.
            assertThat(pair.server.sent).contains(PubRel.of(2));
            pair.passAll();
            assertThat(pair.client.delivered).containsExactly("a small");
            assertThat(pair.server.completed)
                    .containsExactlyInAnyOrder("1 PACKET_TOO_LARGE", "2 SUCCESS", "3 SUCCESS");
        }
    }

    @Test
    void propertiesAreLeftOutWhenTheClientComesBackWithAnOlderVersion() {
        MqttProperties text = MqttProperties.of(MqttProperty.CONTENT_TYPE, "text/plain");
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.server.session.end();
            pair.client.session.end();
            for (QoS qos : new QoS[] {QoS.AT_LEAST_ONCE, QoS.EXACTLY_ONCE}) {
                var _ = pair.server.session.publish(Wire.publish("a", "" + qos, qos, 0, text), 1);
            }
            pair.connect = Connect.of(MqttVersion.V3_1_1, "me").cleanStart(false);
            pair.reconnect(true);
            var _ =
                    pair.server.session.publish(
                            Wire.publish("a", "none", QoS.AT_MOST_ONCE, 0, text), 2);
            pair.passAll();
            assertThat(pair.client.delivered)
                    .containsExactly("a AT_LEAST_ONCE", "a EXACTLY_ONCE", "a none");
        }
    }

    private static void publish(SessionPair.Side side, String payload, QoS qos, long seconds) {
        MqttProperties expiry = MqttProperties.of(MqttProperty.MESSAGE_EXPIRY_INTERVAL, seconds);
        assertThat(side.session.publish(Wire.publish("a", payload, qos, 0, expiry), seconds))
                .isTrue();
    }

    @Test
    void messagesExpireWhileTheyWaitForTheirClient() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.server.session.end();
            pair.client.session.end();
            publish(pair.server, "short", QoS.AT_LEAST_ONCE, 10);
            publish(pair.server, "long", QoS.EXACTLY_ONCE, 60);
            pair.now = 20 * SECOND;
            pair.reconnect(true);
            Publish sent = (Publish) pair.server.sent.getFirst();
            assertThat(sent.properties().number(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 0))
                    .isEqualTo(40);
            pair.passAll();
            assertThat(pair.client.delivered).containsExactly("a long");
            assertThat(pair.server.expired).containsExactly(10L);
            assertThat(pair.server.session.pending()).isZero();
        }
    }

    @Test
    void messagesThatWereBegunDoNotExpire() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            publish(pair.server, "begun", QoS.EXACTLY_ONCE, 10);
            pair.now = 20 * SECOND;
            pair.reconnect(true);
            pair.passAll();
            assertThat(pair.client.delivered).containsExactly("a begun");
        }
    }

    @Test
    void expiredMessagesMakeRoomForOthers() {
        SessionLimits limits = new SessionLimits(1, 1, 1_000);
        try (SessionPair pair =
                new SessionPair(limits, Connect.of(MqttVersion.V5, "me"), ConnAck.accepted(true))) {
            pair.server.session.end();
            publish(pair.server, "1", QoS.AT_LEAST_ONCE, 10);
            publish(pair.server, "2", QoS.AT_LEAST_ONCE, 10);
            assertThat(pair.server.publish("a", "3", QoS.AT_LEAST_ONCE, 0)).isFalse();
            pair.now = 10 * SECOND;
            assertThat(pair.server.publish("a", "4", QoS.AT_LEAST_ONCE, 0)).isTrue();
            assertThat(pair.server.expired).containsExactly(10L, 10L);
        }
    }

    @Test
    void messagesOfClientsDoNotExpireBeforeTheServerHasThem() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.server.session.end();
            pair.client.session.end();
            publish(pair.client, "mine", QoS.AT_LEAST_ONCE, 10);
            pair.now = 20 * SECOND;
            pair.reconnect(true);
            pair.passAll();
            assertThat(pair.server.delivered).containsExactly("a mine");
        }
    }

    private static SessionPair offering(MqttProperties properties) {
        return new SessionPair(
                SessionLimits.DEFAULT,
                Connect.of(MqttVersion.V5, "me"),
                new ConnAck(false, ReasonCode.SUCCESS, properties));
    }

    private static Publish retained() {
        return Publish.of(Topic.of("a"), Wire.buffer("x"), QoS.AT_LEAST_ONCE)
                .with(QoS.AT_LEAST_ONCE, true, 0, MqttProperties.NONE);
    }

    @Test
    void clientsSendOnlyWhatTheServerSupports() {
        try (SessionPair pair =
                offering(
                        MqttProperties.of(MqttProperty.MAXIMUM_QOS, 1)
                                .with(MqttProperty.RETAIN_AVAILABLE, false))) {
            assertThat(pair.client.publish("a", "x", QoS.EXACTLY_ONCE, 1)).isTrue();
            assertThat(pair.client.session.publish(retained(), 2)).isTrue();
            assertThat(pair.client.completed)
                    .containsExactly("1 QOS_NOT_SUPPORTED", "2 RETAIN_NOT_SUPPORTED");
            assertThat(pair.client.sent).isEmpty();
            pair.server.publish("a", "the other way", QoS.EXACTLY_ONCE, 3);
            pair.passAll();
            assertThat(pair.client.delivered).containsExactly("a the other way");
        }
    }

    @Test
    void serversRefuseWhatTheyHaveSaidNotToSupport() {
        try (SessionPair pair =
                offering(
                        MqttProperties.of(MqttProperty.MAXIMUM_QOS, 1)
                                .with(MqttProperty.RETAIN_AVAILABLE, false))) {
            MqttSession server = pair.server.session;
            assertThatThrownBy(() -> server.received(Wire.publish("a", "x", QoS.EXACTLY_ONCE, 1)))
                    .hasFieldOrPropertyWithValue("reason", ReasonCode.QOS_NOT_SUPPORTED);
            assertThatThrownBy(
                            () ->
                                    server.received(
                                            retained()
                                                    .with(
                                                            QoS.AT_LEAST_ONCE,
                                                            true,
                                                            1,
                                                            MqttProperties.NONE)))
                    .hasFieldOrPropertyWithValue("reason", ReasonCode.RETAIN_NOT_SUPPORTED);
        }
    }

    @Test
    void identifiersThatAreInUseAreRefused() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            var _ = pair.server.session.received(Wire.publish("a", "1", QoS.EXACTLY_ONCE, 7));
            var _ = pair.server.session.received(Wire.publish("a", "2", QoS.AT_LEAST_ONCE, 7));
            assertThat(pair.server.delivered).containsExactly("a 1");
            assertThat(pair.server.sent.getLast())
                    .isEqualTo(
                            new PubAck(
                                    7, ReasonCode.PACKET_IDENTIFIER_IN_USE, MqttProperties.NONE));
        }
    }
}
