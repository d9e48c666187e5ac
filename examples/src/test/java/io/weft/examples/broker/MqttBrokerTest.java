package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PingReq;
import io.weft.codec.mqtt.PingResp;
import io.weft.codec.mqtt.PubRec;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.RetainHandling;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.Will;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Rules of the specification, and limits, as clients notice them packet by packet.
@Timeout(300)
class MqttBrokerTest {
    @RegisterExtension final RunningMqttBroker broker = new RunningMqttBroker();

    private static Connect v5(String id, MqttProperties properties) {
        return Connect.of(MqttVersion.V5, id).cleanStart(false).properties(properties);
    }

    private static Will will(MqttProperties properties) {
        return new Will(Topic.of("gone"), QoS.AT_LEAST_ONCE, false, properties, Binary.of("bye"));
    }

    private static Will will(long delay) {
        return will(MqttProperties.of(MqttProperty.WILL_DELAY_INTERVAL, delay));
    }

    @Test
    void messagesOf5ReachAClientThatComesBackWith311() throws Exception {
        MqttProperties text = MqttProperties.of(MqttProperty.CONTENT_TYPE, "text/plain");
        Connect old = Connect.of(MqttVersion.V3_1_1, "old").cleanStart(false);
        try (MqttPeer from = broker.peer("from")) {
            try (MqttPeer to = broker.peer(old)) {
                to.subscribe("a", QoS.AT_LEAST_ONCE);
                to.send(Disconnect.normal());
                assertThatThrownBy(to::next).isInstanceOf(EOFException.class);
            }
            from.send(MqttPeer.message("a", "x", QoS.AT_LEAST_ONCE, false, 1, text));
            from.next();
            try (MqttPeer to = broker.peer(old)) {
                assertThat(to.message()).isEqualTo("a x 1");
                from.send(MqttPeer.message("a", "y", QoS.AT_LEAST_ONCE, false, 1, text));
                assertThat(to.message()).isEqualTo("a y 1");
            }
        }
    }

    @Test
    void backlogOfASessionIsSentWhole() throws Exception {
        String large = "x".repeat(200_000);
        try (MqttPeer from = broker.peer("from")) {
            try (MqttPeer to = broker.peer(MqttPeer.kept("to"))) {
                to.subscribe("a", QoS.AT_LEAST_ONCE);
            }
            for (int i = 0; i < 5; i++) {
                from.publish("a", i + large, false);
            }
            try (MqttPeer to = broker.peer(MqttPeer.kept("to"))) {
                for (int i = 0; i < 5; i++) {
                    assertThat(to.message().equals("a " + i + large + " 1")).isTrue();
                }
            }
        }
    }

    @Test
    void packetsAreNotLargerThanClientsTake() throws Exception {
        try (MqttPeer from = broker.peer("from");
                MqttPeer to =
                        broker.peer(
                                v5(
                                        "to",
                                        MqttProperties.of(
                                                MqttProperty.MAXIMUM_PACKET_SIZE, 50L)))) {
            to.subscribe("a", QoS.AT_LEAST_ONCE);
            from.publish("a", "x".repeat(50), false);
            from.publish("a", "small", false);
            assertThat(to.message()).isEqualTo("a small 1");
        }
    }

    @Test
    void clientsThatTakeNoConnAckAreLeft() throws Exception {
        Connect connect = v5("to", MqttProperties.of(MqttProperty.MAXIMUM_PACKET_SIZE, 5L));
        try (MqttPeer to = broker.stranger(connect)) {
            assertThatThrownBy(to::connect).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void willsWaitForTheEndOfASessionThatIsAbandoned() throws Exception {
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("gone", QoS.AT_LEAST_ONCE);
            broker.peer(MqttPeer.kept("me").will(will(3_600))).reset();
            try (MqttPeer again =
                    broker.peer(MqttPeer.kept("me").will(will(3_600)))) { // nothing is published
                to.send(PingReq.INSTANCE);
                assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
                again.reset();
            }
            try (MqttPeer anew = broker.peer("me")) {
                assertThat(to.message()).isEqualTo("gone bye 1");
                anew.send(Disconnect.normal());
            }
        }
    }

    @Test
    void willsComeAfterTheirDelay() throws Exception {
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("gone", QoS.AT_LEAST_ONCE);
            broker.peer(MqttPeer.kept("me").will(will(1))).reset();
            assertThat(to.message()).isEqualTo("gone bye 1");
        }
    }

    @Test
    void willsAreDroppedByANormalDisconnectOnly() throws Exception {
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("gone", QoS.AT_LEAST_ONCE);
            for (ReasonCode reason : List.of(ReasonCode.SUCCESS, ReasonCode.DISCONNECT_WITH_WILL)) {
                try (MqttPeer me =
                        broker.peer(
                                v5("me", MqttProperties.NONE).will(will(MqttProperties.NONE)))) {
                    me.send(Disconnect.of(reason));
                    assertThatThrownBy(me::next).isInstanceOf(EOFException.class);
                }
            }
            assertThat(to.message()).isEqualTo("gone bye 1");
            to.send(PingReq.INSTANCE);
            assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    @Test
    void assignedIdentifiersAreThoseOfNobody() throws Exception {
        try (MqttPeer named = broker.peer(MqttPeer.kept("weft-1"));
                MqttPeer nameless = broker.stranger(Connect.of(MqttVersion.V5, ""))) {
            ConnAck ack = nameless.connect();
            assertThat(ack.properties().get(MqttProperty.ASSIGNED_CLIENT_IDENTIFIER))
                    .isEqualTo("weft-2");
            named.send(PingReq.INSTANCE);
            assertThat(named.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    @Test
    void sessionsThatEndAreNotProlonged() throws Exception {
        try (MqttPeer me = broker.peer("me")) {
            me.send(
                    new Disconnect(
                            ReasonCode.SUCCESS,
                            MqttProperties.of(MqttProperty.SESSION_EXPIRY_INTERVAL, 1L)));
            assertThat(me.next()).isEqualTo(Disconnect.of(ReasonCode.PROTOCOL_ERROR));
        }
    }

    @Test
    void nothingIsTakenBehindADisconnectOrAFault() throws Exception {
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("a", QoS.AT_MOST_ONCE);
            try (MqttPeer me = broker.peer("me")) {
                me.send(
                        Disconnect.normal(),
                        MqttPeer.message("a", "late", QoS.AT_MOST_ONCE, false, 0));
                assertThatThrownBy(me::next).isInstanceOf(EOFException.class);
            }
            try (MqttPeer me = broker.peer("me")) {
                // An alias that was not offered, and a good message in the same piece.
                me.send(
                        MqttPeer.message(
                                "a",
                                "bad",
                                QoS.AT_MOST_ONCE,
                                false,
                                0,
                                MqttProperties.of(MqttProperty.TOPIC_ALIAS, 17)),
                        MqttPeer.message("a", "late", QoS.AT_MOST_ONCE, false, 0));
                assertThat(me.next()).isEqualTo(Disconnect.of(ReasonCode.TOPIC_ALIAS_INVALID));
            }
            to.send(PingReq.INSTANCE);
            assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    @Test
    void subscriptionsOfAClientAreLimited() throws Exception {
        try (MqttPeer me = broker.peer("me")) {
            Subscription[] many = new Subscription[1_001];
            for (int i = 0; i < many.length; i++) {
                many[i] = Subscription.of(TopicFilter.of("a/" + i), QoS.AT_MOST_ONCE);
            }
            SubAck ack = me.subscribe(MqttProperties.NONE, many);
            assertThat(ack.reasons().subList(0, 1_000)).containsOnly(ReasonCode.SUCCESS);
            assertThat(ack.reasons().get(1_000)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            assertThat(me.subscribe("a/7", QoS.AT_LEAST_ONCE).reasons()) // which it has
                    .containsExactly(ReasonCode.GRANTED_QOS_1);
        }
    }

    @Test
    void retainedMessagesAreLimitedByTheirBytes() throws Exception {
        try (MqttPeer me = broker.peer("me")) {
            String large = "x".repeat(250_000);
            int taken = 0;
            while (taken < 100
                    && me.publish("r/" + taken, large, true).reason()
                            != ReasonCode.QUOTA_EXCEEDED) {
                taken++;
            }
            assertThat(taken).isEqualTo(67);
            assertThat(me.publish("r/1", large, true).reason().isError()).isFalse(); // replaces
            assertThat(me.publish("r/1", "", true).reason().isError()).isFalse(); // forgets
            assertThat(me.publish("r/100", large, true).reason().isError()).isFalse();
        }
    }

    @Test
    void allRetainedMessagesReachASubscriber() throws Exception {
        Set<String> expected = new TreeSet<>();
        String text = "x".repeat(1_000);
        try (MqttPeer from = broker.peer("from");
                MqttPeer to = broker.peer("to")) {
            for (int i = 0; i < 1_500; i++) {
                boolean qos1 = i % 2 == 0;
                from.send(
                        MqttPeer.message(
                                "r/" + i,
                                text,
                                qos1 ? QoS.AT_LEAST_ONCE : QoS.AT_MOST_ONCE,
                                true,
                                qos1 ? 1 : 0));
                if (qos1) {
                    from.next();
                }
                expected.add("r/" + i + " " + text + (qos1 ? " 1" : " 0") + " retained");
            }
            from.send(PingReq.INSTANCE);
            assertThat(from.next()).isEqualTo(PingResp.INSTANCE);
            to.subscribe("r/#", QoS.AT_LEAST_ONCE);
            Set<String> got = new TreeSet<>();
            for (int i = 0; i < 1_500; i++) {
                got.add(to.message());
            }
            assertThat(got.equals(expected)).isTrue();
        }
    }

    @Test
    void retainedMessagesExpire() throws Exception {
        MqttProperties soon = MqttProperties.of(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 0L);
        MqttProperties late = MqttProperties.of(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 3_600L);
        try (MqttPeer from = broker.peer("from");
                MqttPeer to = broker.peer("to")) {
            from.send(MqttPeer.message("r/soon", "x", QoS.AT_LEAST_ONCE, true, 1, soon));
            from.next();
            from.send(MqttPeer.message("r/late", "y", QoS.AT_LEAST_ONCE, true, 1, late));
            from.next();
            to.subscribe("r/#", QoS.AT_MOST_ONCE);
            try (Publish publish = to.next(Publish.class)) {
                assertThat(publish.topic()).isEqualTo(Topic.of("r/late"));
                assertThat(publish.properties().number(MqttProperty.MESSAGE_EXPIRY_INTERVAL, 0))
                        .isBetween(3_000L, 3_600L);
            }
            to.send(PingReq.INSTANCE);
            assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    private static Subscription subscription(
            String filter, boolean noLocal, boolean asPublished, RetainHandling handling) {
        return new Subscription(
                TopicFilter.of(filter), QoS.AT_LEAST_ONCE, noLocal, asPublished, handling);
    }

    @Test
    void retainHandlingDecidesWhoGetsRetainedMessages() throws Exception {
        try (MqttPeer me = broker.peer("me")) {
            me.publish("r", "kept", true);
            Subscription send = subscription("r", false, false, RetainHandling.SEND);
            Subscription isNew = subscription("r", false, false, RetainHandling.SEND_IF_NEW);
            Subscription never = subscription("r", false, false, RetainHandling.DO_NOT_SEND);
            List<String> got = new ArrayList<>();
            for (Subscription s : List.of(never, isNew, send, isNew)) {
                me.subscribe(MqttProperties.NONE, s);
                if (s == send) {
                    got.add(me.message());
                }
            }
            me.send(PingReq.INSTANCE);
            assertThat(me.next()).isEqualTo(PingResp.INSTANCE);
            assertThat(got).containsExactly("r kept 1 retained");
        }
    }

    @Test
    void optionsOfSubscriptionsAreKept() throws Exception {
        try (MqttPeer me = broker.peer("me");
                MqttPeer other = broker.peer("other")) {
            me.subscribe(
                    MqttProperties.of(MqttProperty.SUBSCRIPTION_IDENTIFIER, 3),
                    subscription("a/+", true, true, RetainHandling.SEND));
            me.subscribe(
                    MqttProperties.of(MqttProperty.SUBSCRIPTION_IDENTIFIER, 300),
                    subscription("a/#", true, false, RetainHandling.SEND));
            me.publish("a/b", "mine", false); // no local
            other.publish("a/b", "kept", true);
            try (Publish publish = me.next(Publish.class)) {
                assertThat(publish.retain()).as("as published").isTrue();
                assertThat(publish.properties().all(MqttProperty.SUBSCRIPTION_IDENTIFIER))
                        .containsExactlyInAnyOrder(3, 300);
            }
        }
    }

    @Test
    void clientsAreLeftAfterOneAndAHalfKeepAlives() throws Exception {
        try (MqttPeer me = broker.peer(Connect.of(MqttVersion.V5, "me").keepAlive(1))) {
            assertThat(me.next()).isEqualTo(Disconnect.of(ReasonCode.KEEP_ALIVE_TIMEOUT));
        }
    }

    @Test
    void clientsAboveTheReceiveMaximumAreLeft() throws Exception {
        try (MqttPeer me = broker.peer("me")) {
            Publish[] many = new Publish[257];
            for (int i = 0; i < many.length; i++) {
                many[i] = MqttPeer.message("a", "x", QoS.EXACTLY_ONCE, false, i + 1);
            }
            me.send(many);
            for (int i = 1; i <= 256; i++) {
                assertThat(me.next(PubRec.class).packetId()).isEqualTo(i);
            }
            assertThat(me.next()).isEqualTo(Disconnect.of(ReasonCode.RECEIVE_MAXIMUM_EXCEEDED));
        }
    }

    @Test
    void clientsThatDoNotReadCostOthersNothing() throws Exception {
        String text = "x".repeat(20_000);
        try (MqttPeer from = broker.peer("from");
                MqttPeer lazy = broker.peer("lazy");
                MqttPeer good = broker.peer("good")) {
            lazy.subscribe("#", QoS.AT_LEAST_ONCE);
            good.subscribe("last", QoS.AT_LEAST_ONCE);
            for (int i = 0; i < 2_000; i++) { // 40 MB
                from.send(MqttPeer.message("a", text, QoS.AT_MOST_ONCE, false, 0));
            }
            for (int i = 0; i < 200; i++) {
                from.publish("a", text, false);
            }
            from.publish("last", "one", false);
            assertThat(good.message()).isEqualTo("last one 1");
            try (Publish first = lazy.next(Publish.class)) { // it is still connected
                assertThat(first.topic()).isEqualTo(Topic.of("a"));
            }
        }
    }
}
