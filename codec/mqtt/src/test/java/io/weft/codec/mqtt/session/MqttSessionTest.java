package io.weft.codec.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PacketType;
import io.weft.codec.mqtt.PingReq;
import io.weft.codec.mqtt.PubAck;
import io.weft.codec.mqtt.PubComp;
import io.weft.codec.mqtt.PubRec;
import io.weft.codec.mqtt.PubRel;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.Wire;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MqttSessionTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static MqttProperties of(MqttProperty<Integer> property, int value) {
        return MqttProperties.of(property, value);
    }

    @Test
    void messagesOfQos0GoAndAreDroppedWithoutAConnection() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            assertThat(pair.client.publish("a", "x", QoS.AT_MOST_ONCE, 0)).isTrue();
            pair.passAll();
            assertThat(pair.server.delivered).containsExactly("a x");
            pair.client.session.end();
            assertThat(pair.client.publish("a", "y", QoS.AT_MOST_ONCE, 0)).isFalse();
        }
    }

    @Test
    void messageWhoseDeliveryFailedIsDeliveredWhenItComesAgain() {
        for (QoS qos : new QoS[] {QoS.AT_LEAST_ONCE, QoS.EXACTLY_ONCE}) {
            try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
                pair.server.failure = new IllegalStateException("no room");
                pair.client.publish("a", "x", qos, 1);
                assertThatThrownBy(pair.client::pass).isSameAs(pair.server.failure);
                pair.server.failure = null;
                pair.reconnect(true);
                pair.passAll();
                assertThat(pair.server.delivered).as("%s", qos).containsExactly("a x");
                assertThat(pair.client.completed).containsExactly("1 SUCCESS");
            }
        }
    }

    /// CONNACK of 3.1 has no flag for it.
    @Test
    void sessionsOf31AreResumedUnlessTheyWereToBeClean() {
        for (boolean clean : new boolean[] {false, true}) {
            Connect connect = Connect.of(MqttVersion.V3_1, "me").cleanStart(clean);
            try (SessionPair pair =
                    new SessionPair(SessionLimits.DEFAULT, connect, ConnAck.accepted(false))) {
                pair.client.publish("a", "x", QoS.EXACTLY_ONCE, 1);
                pair.client.session.end();
                pair.client.session.begin(connect, ConnAck.accepted(false));
                assertThat(pair.client.lost).hasSize(clean ? 1 : 0);
                assertThat(pair.client.sent).hasSize(clean ? 1 : 2);
            }
        }
    }

    @Test
    void nextMessagesWaitForTheReceiveMaximum() {
        MqttProperties two = of(MqttProperty.RECEIVE_MAXIMUM, 2);
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me"),
                        new ConnAck(false, ReasonCode.SUCCESS, two))) {
            for (int i = 0; i < 5; i++) {
                pair.client.publish("a", "m" + i, QoS.EXACTLY_ONCE, i);
            }
            assertThat(pair.client.sent).hasSize(2);
            assertThat(pair.client.session.pending()).isEqualTo(5);
            pair.passAll();
            assertThat(pair.server.delivered)
                    .containsExactly("a m0", "a m1", "a m2", "a m3", "a m4");
            assertThat(pair.client.completed).hasSize(5);
        }
    }

    @Test
    void peersAboveTheReceiveMaximumAreRefused() {
        MqttProperties one = of(MqttProperty.RECEIVE_MAXIMUM, 1);
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me"),
                        new ConnAck(false, ReasonCode.SUCCESS, one))) {
            var _ = pair.server.session.received(Wire.publish("a", "x", QoS.EXACTLY_ONCE, 1));
            MqttException e =
                    catchThrowableOfType(
                            MqttException.class,
                            () ->
                                    pair.server.session.received(
                                            Wire.publish("a", "y", QoS.EXACTLY_ONCE, 2)));
            assertThat(e.reason()).isEqualTo(ReasonCode.RECEIVE_MAXIMUM_EXCEEDED);
            assertThat(e.reply()).isEqualTo(Disconnect.of(ReasonCode.RECEIVE_MAXIMUM_EXCEEDED));
        }
    }

    @Test
    void refusedMessagesEndWithTheirReason() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.server.answer = ReasonCode.NOT_AUTHORIZED;
            pair.client.publish("a", "x", QoS.AT_LEAST_ONCE, 1);
            pair.client.publish("a", "y", QoS.EXACTLY_ONCE, 2);
            pair.passAll();
            assertThat(pair.client.completed)
                    .containsExactly("1 NOT_AUTHORIZED", "2 NOT_AUTHORIZED");
            pair.server.answer = ReasonCode.SUCCESS;
            pair.client.publish("a", "z", QoS.EXACTLY_ONCE, 3);
            pair.passAll();
            assertThat(pair.client.completed).contains("3 SUCCESS");
        }
    }

    @Test
    void aliasesStandForTopicsThatComeAgain() {
        MqttProperties five = of(MqttProperty.TOPIC_ALIAS_MAXIMUM, 2);
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me").properties(five),
                        ConnAck.accepted(false))) {
            for (String topic : List.of("long/a", "long/b", "long/c", "long/a", "long/c")) {
                pair.server.publish(topic, "x", QoS.AT_LEAST_ONCE, 0);
            }
            assertThat(pair.server.sent.stream().map(p -> ((Publish) p).topic().isNone()))
                    .containsExactly(false, false, false, true, false);
            pair.passAll();
            assertThat(pair.client.delivered)
                    .containsExactly("long/a x", "long/b x", "long/c x", "long/a x", "long/c x");
        }
    }

    @Test
    void aliasesThatWereNotOfferedAreRefused() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            MqttException e =
                    catchThrowableOfType(
                            MqttException.class,
                            () ->
                                    pair.server.session.received(
                                            Wire.publish(
                                                    "a",
                                                    "x",
                                                    QoS.AT_MOST_ONCE,
                                                    0,
                                                    of(MqttProperty.TOPIC_ALIAS, 1))));
            assertThat(e.reason()).isEqualTo(ReasonCode.TOPIC_ALIAS_INVALID);
        }
    }

    @Test
    void unknownAliasesAreRefused() {
        MqttProperties five = of(MqttProperty.TOPIC_ALIAS_MAXIMUM, 5);
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me"),
                        new ConnAck(false, ReasonCode.SUCCESS, five))) {
            Publish publish =
                    new Publish(
                            Topic.NONE,
                            Wire.buffer("x"),
                            QoS.AT_MOST_ONCE,
                            false,
                            false,
                            0,
                            of(MqttProperty.TOPIC_ALIAS, 5));
            assertThatThrownBy(() -> pair.server.session.received(publish))
                    .isInstanceOf(MqttException.class)
                    .hasMessageContaining("topic alias: 5");
        }
    }

    @Test
    void messagesAreSentAgainInTheirOrderAsDuplicates() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.client.publish("a", "1", QoS.EXACTLY_ONCE, 1);
            pair.client.publish("a", "2", QoS.AT_LEAST_ONCE, 2);
            pair.client.publish("a", "3", QoS.EXACTLY_ONCE, 3);
            pair.client.pass();
            pair.server.pass(); // PUBREC of the first
            pair.reconnect(true);
            pair.client.publish("a", "4", QoS.AT_LEAST_ONCE, 4);
            assertThat(pair.client.sent.stream().map(MqttPacket::type))
                    .containsExactly(
                            PacketType.PUBREL,
                            PacketType.PUBLISH,
                            PacketType.PUBLISH,
                            PacketType.PUBLISH);
            assertThat(
                            pair.client.sent.stream()
                                    .filter(p -> p instanceof Publish)
                                    .map(p -> ((Publish) p).duplicate()))
                    .containsExactly(true, true, false);
            pair.passAll();
            assertThat(pair.server.delivered).containsExactly("a 1", "a 2", "a 3", "a 4");
            assertThat(pair.client.session.pending()).isZero();
        }
    }

    @Test
    void lostSessionsGiveTheirMessagesBack() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.client.publish("a", "1", QoS.EXACTLY_ONCE, 1);
            pair.client.pass();
            pair.server.pass();
            pair.client.publish("a", "2", QoS.EXACTLY_ONCE, 2);
            pair.reconnect(false);
            assertThat(pair.client.lost).containsExactly("2 2");
            assertThat(pair.client.completed).containsExactly("1 SUCCESS");
            assertThat(pair.client.session.pending()).isZero();
        }
    }

    @Test
    void messagesWaitForTheFirstConnectionWithinLimits() {
        SessionLimits limits = new SessionLimits(1, 2, 10);
        try (SessionPair pair =
                new SessionPair(
                        limits, Connect.of(MqttVersion.V3_1_1, "me"), ConnAck.accepted(false))) {
            pair.client.session.end();
            pair.server.session.end();
            assertThat(pair.client.publish("a", "12345678901", QoS.AT_LEAST_ONCE, 0)).isFalse();
            assertThat(pair.client.publish("a", "1", QoS.AT_LEAST_ONCE, 1)).isTrue();
            assertThat(pair.client.publish("a", "2", QoS.AT_LEAST_ONCE, 2)).isTrue();
            assertThat(pair.client.publish("a", "3", QoS.AT_LEAST_ONCE, 3)).isTrue();
            assertThat(pair.client.publish("a", "4", QoS.AT_LEAST_ONCE, 4)).isFalse();
            pair.reconnect(false);
            assertThat(pair.client.sent).hasSize(1);
            pair.passAll();
            assertThat(pair.server.delivered).containsExactly("a 1", "a 2", "a 3");
        }
    }

    @Test
    void topicsAndPropertiesOfWaitingMessagesCount() {
        SessionLimits limits = new SessionLimits(10, 10, 100);
        try (SessionPair pair =
                new SessionPair(limits, Connect.of(MqttVersion.V5, "me"), ConnAck.accepted(true))) {
            assertThat(pair.client.publish("x".repeat(100), "1", QoS.AT_LEAST_ONCE, 1)).isFalse();
            MqttProperties user = MqttProperties.NONE.withUser("a", "x".repeat(100));
            Publish heavy = Wire.publish("a", "1", QoS.AT_LEAST_ONCE, 0, user);
            assertThat(pair.client.session.publish(heavy, 2)).isFalse();
            assertThat(pair.client.publish("x".repeat(98), "1", QoS.AT_LEAST_ONCE, 3)).isTrue();
        }
    }

    @Test
    void acknowledgementsOfTheWrongKindAreRefused() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.client.publish("a", "1", QoS.EXACTLY_ONCE, 1);
            pair.client.publish("a", "2", QoS.AT_LEAST_ONCE, 2);
            MqttSession session = pair.client.session;
            for (MqttPacket wrong :
                    List.of(
                            PubAck.of(1),
                            PubRec.of(2),
                            PubComp.of(1),
                            new SubAck(9, MqttProperties.NONE, List.of(ReasonCode.SUCCESS)))) {
                assertThatThrownBy(() -> session.received(wrong)).isInstanceOf(MqttException.class);
            }
            assertThat(session.received(PubAck.of(77))).isTrue();
            assertThat(session.received(PubComp.of(77))).isTrue();
            assertThat(session.received(PubRec.of(77))).isTrue();
            assertThat(pair.client.sent.getLast())
                    .isEqualTo(
                            new PubRel(
                                    77,
                                    ReasonCode.PACKET_IDENTIFIER_NOT_FOUND,
                                    MqttProperties.NONE));
        }
    }

    @Test
    void requestsHaveIdentifiersOfTheirOwn() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.client.publish("a", "1", QoS.AT_LEAST_ONCE, 1);
            int id =
                    pair.client.session.subscribe(
                            MqttProperties.NONE,
                            List.of(Subscription.of(TopicFilter.of("a"), QoS.AT_MOST_ONCE)));
            int other =
                    pair.client.session.unsubscribe(
                            MqttProperties.NONE, List.of(TopicFilter.of("a")));
            assertThat(List.of(id, other)).containsExactly(2, 3);
            SubAck ack = new SubAck(id, MqttProperties.NONE, List.of(ReasonCode.SUCCESS));
            assertThat(pair.client.session.received(ack)).isFalse();
            assertThatThrownBy(() -> pair.client.session.received(ack))
                    .isInstanceOf(MqttException.class);
        }
    }

    @Test
    void clientPingsWhenItHasNothingElseToSay() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V3_1_1)) { // every minute
            assertThat(pair.client.session.tick()).isEqualTo(60 * SECOND);
            pair.now = 30 * SECOND;
            pair.client.publish("a", "x", QoS.AT_MOST_ONCE, 0);
            assertThat(pair.client.session.tick()).isEqualTo(60 * SECOND);
            pair.now = 90 * SECOND;
            assertThat(pair.client.session.tick()).isEqualTo(60 * SECOND);
            assertThat(pair.client.sent.getLast()).isEqualTo(PingReq.INSTANCE);
            pair.passAll();
            pair.now = 149 * SECOND;
            assertThat(pair.client.session.tick()).isEqualTo(SECOND);
            assertThat(pair.client.sent).isEmpty();
        }
    }

    @Test
    void clientGivesUpAServerThatDoesNotAnswer() {
        try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
            pair.now = 60 * SECOND;
            var _ = pair.client.session.tick();
            pair.now = 120 * SECOND;
            MqttException e =
                    catchThrowableOfType(MqttException.class, () -> pair.client.session.tick());
            assertThat(e.reply()).isEqualTo(Disconnect.of(ReasonCode.KEEP_ALIVE_TIMEOUT));
        }
    }

    @Test
    void serverGivesUpAClientAfterOneAndAHalfKeepAlives() {
        MqttProperties ten = of(MqttProperty.SERVER_KEEP_ALIVE, 10);
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me"),
                        new ConnAck(false, ReasonCode.SUCCESS, ten))) {
            pair.now = 14 * SECOND;
            assertThat(pair.server.session.tick()).isEqualTo(SECOND);
            pair.now = 15 * SECOND;
            assertThatThrownBy(() -> pair.server.session.tick())
                    .isInstanceOf(MqttException.class)
                    .hasMessageContaining("keep-alive");
        }
    }

    @Test
    void withoutKeepAliveNothingIsDue() {
        try (SessionPair pair =
                new SessionPair(
                        SessionLimits.DEFAULT,
                        Connect.of(MqttVersion.V5, "me").keepAlive(0),
                        ConnAck.accepted(false))) {
            pair.now = Long.MAX_VALUE / 2;
            assertThat(pair.server.session.tick()).isEqualTo(Long.MAX_VALUE);
            assertThat(pair.client.session.tick()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void messagesThatAreLostAndPublishedAgainAreSentOnce() {
        Connect connect = Connect.of(MqttVersion.V5, "me");
        for (boolean completed : new boolean[] {false, true}) {
            try (SessionPair pair = SessionPair.of(MqttVersion.V5)) {
                pair.client.publish("a", "x", QoS.EXACTLY_ONCE, 1);
                if (completed) {
                    pair.client.pass();
                    pair.server.pass(); // PUBREC
                }
                pair.client.onForgotten = () -> pair.client.publish("a", "y", QoS.AT_LEAST_ONCE, 2);
                pair.client.lose();
                pair.client.session.begin(connect, ConnAck.accepted(false));
                assertThat(pair.client.sent).hasSize(1);
                assertThat(((Publish) pair.client.sent.element()).duplicate()).isFalse();
                pair.server.session.end();
                pair.server.session.begin(connect, ConnAck.accepted(false));
                pair.passAll();
                assertThat(pair.client.completed).contains("2 SUCCESS");
            }
        }
    }

    @Test
    void messagesLeaveIdentifiersForSubscriptions() {
        try (SessionPair pair =
                new SessionPair(
                        new SessionLimits(65_535, 0, 100_000),
                        Connect.of(MqttVersion.V5, "me"),
                        ConnAck.accepted(false))) {
            for (int i = 0; i < 65_535; i++) {
                assertThat(pair.client.publish("a", "", QoS.AT_LEAST_ONCE, i)).isTrue();
            }
            List<Subscription> all =
                    List.of(Subscription.of(TopicFilter.of("#"), QoS.AT_LEAST_ONCE));
            int id = pair.client.session.subscribe(MqttProperties.NONE, all);
            assertThat(id).isGreaterThan(64_511);
            assertThat(pair.client.sent).hasSize(64_511 + 1);
            for (int i = 1; i < 1024; i++) {
                var _ = pair.client.session.subscribe(MqttProperties.NONE, all);
            }
            for (int i = 1; i <= 64_511; i++) {
                var _ = pair.client.session.received(PubAck.of(i));
            }
            assertThat(pair.client.sent).hasSize(65_535 + 1024);
            assertThat(pair.client.session.pending()).isEqualTo(1024);
        }
    }

    @Test
    void refusedRequestsLeaveTheirIdentifier() {
        SessionHandler refusing =
                new SessionHandler() {
                    @Override
                    public void send(MqttPacket packet) {
                        throw new IllegalArgumentException("too large");
                    }

                    @Override
                    public ReasonCode deliver(Publish publish) {
                        throw new AssertionError("delivered (expected: nothing)");
                    }
                };
        List<TopicFilter> filters = List.of(TopicFilter.of("a"));
        try (MqttSession session = MqttSession.client(SessionLimits.DEFAULT, refusing, () -> 0)) {
            session.begin(Connect.of(MqttVersion.V5, "me"), ConnAck.accepted(false));
            for (int i = 0; i < 1025; i++) {
                assertThatThrownBy(() -> session.subscribe(MqttProperties.NONE, List.of()))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> session.unsubscribe(MqttProperties.NONE, filters))
                        .hasMessage("too large");
            }
        }
    }
}
