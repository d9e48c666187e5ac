package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PingReq;
import io.weft.codec.mqtt.PingResp;
import io.weft.codec.mqtt.PubComp;
import io.weft.codec.mqtt.PubRec;
import io.weft.codec.mqtt.PubRel;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.Will;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Clients of the broker that break off, come in storms and ask for much.
@Timeout(300)
class HostileMqttClientsTest {
    @RegisterExtension final RunningMqttBroker broker = new RunningMqttBroker();

    @Test
    void resetsInTheMiddleOfPacketsLeaveNothing() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        byte[] traffic =
                MqttPeer.wire(
                        new MqttEncoder(MqttVersion.V5),
                        Connect.of(MqttVersion.V5, "r"),
                        new Subscribe(
                                1,
                                MqttProperties.NONE,
                                List.of(Subscription.of(TopicFilter.of("#"), QoS.EXACTLY_ONCE))),
                        MqttPeer.message("a", "x".repeat(3_000), QoS.EXACTLY_ONCE, true, 2),
                        MqttPeer.message("a", "x".repeat(3_000), QoS.AT_LEAST_ONCE, false, 3),
                        PingReq.INSTANCE);
        for (int i = 0; i < 100; i++) {
            Socket socket = broker.connect();
            socket.getOutputStream().write(traffic, 0, random.nextInt(traffic.length));
            socket.setSoLinger(true, 0);
            socket.close();
        }
        try (MqttPeer peer = broker.peer("p")) {
            peer.send(PingReq.INSTANCE);
            assertThat(peer.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    @Test
    void packetsMayComeByteByByte() throws Exception {
        try (MqttPeer to = broker.peer("to");
                Socket socket = broker.connect()) {
            to.subscribe("a", QoS.AT_MOST_ONCE);
            socket.setTcpNoDelay(true);
            for (byte b :
                    MqttPeer.wire(
                            new MqttEncoder(MqttVersion.V5),
                            Connect.of(MqttVersion.V5, "slow"),
                            MqttPeer.message("a", "hello", QoS.AT_MOST_ONCE, false, 0))) {
                socket.getOutputStream().write(b);
            }
            assertThat(to.message()).isEqualTo("a hello 0");
        }
    }

    @Test
    void takeoverStormsLeaveOneConnection() throws Exception {
        int storms = 8;
        int each = 40;
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("after", QoS.AT_LEAST_ONCE);
            for (int i = 0; i < storms; i++) {
                threads.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            for (int k = 0; k < each; k++) {
                                                accepted.addAndGet(takeOver(k));
                                            }
                                        }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(accepted).hasPositiveValue();
            try (MqttPeer last = broker.peer(MqttPeer.kept("one"))) {
                last.subscribe("one", QoS.AT_LEAST_ONCE);
                assertThat(to.publish("one", "only", false).reason().isError()).isFalse();
                assertThat(last.message()).isEqualTo("one only 1");
                last.send(PingReq.INSTANCE);
                assertThat(last.next()).isEqualTo(PingResp.INSTANCE); // and not a second one
                assertThat(last.publish("after", "storm", false).reason().isError()).isFalse();
            }
            assertThat(to.message()).isEqualTo("after storm 1");
        }
    }

    /// Connects as the one client, and is thrown out or goes; returns 1 if it was let in.
    private int takeOver(int turn) {
        try (MqttPeer peer = broker.stranger(MqttPeer.kept("one"))) {
            boolean in = !peer.connect().reason().isError();
            if (turn % 3 == 0) {
                peer.reset();
            } else if (turn % 3 == 1) {
                peer.send(MqttPeer.message("one", "x", QoS.AT_MOST_ONCE, false, 0));
            }
            return in ? 1 : 0;
        } catch (Exception | AssertionError e) {
            return 0; // another one was faster
        }
    }

    @Test
    void willsOfQoS2ComeOnceAndAreRetained() throws Exception {
        Will will =
                new Will(
                        Topic.of("gone"),
                        QoS.EXACTLY_ONCE,
                        true,
                        MqttProperties.NONE,
                        Binary.of("bye"));
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("gone", QoS.EXACTLY_ONCE);
            broker.peer(Connect.of(MqttVersion.V5, "me").will(will)).reset();
            try (Publish publish = to.next(Publish.class)) {
                assertThat(publish.qos()).isEqualTo(QoS.EXACTLY_ONCE);
                assertThat(publish.payload().readString(UTF_8)).isEqualTo("bye");
                to.send(PubRec.of(publish.packetId()));
                assertThat(to.next(PubRel.class).packetId()).isEqualTo(publish.packetId());
                to.send(PubComp.of(publish.packetId()), PingReq.INSTANCE);
            }
            assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
            try (MqttPeer late = broker.peer("late")) {
                late.subscribe("gone", QoS.AT_MOST_ONCE);
                assertThat(late.message()).isEqualTo("gone bye 0 retained");
            }
        }
    }

    @Test
    void messagesOfQoS2AreDeliveredOnceOverResets() throws Exception {
        try (MqttPeer to = broker.peer("to")) {
            to.subscribe("a", QoS.AT_LEAST_ONCE);
            for (int i = 0; i < 5; i++) { // sent again and again, never released
                try (MqttPeer from = broker.peer(MqttPeer.kept("from"))) {
                    from.send(duplicate(i > 0));
                    assertThat(from.next(PubRec.class).packetId()).isEqualTo(7);
                    from.reset();
                }
            }
            try (MqttPeer from = broker.peer(MqttPeer.kept("from"))) {
                from.send(new PubRel(7, PubRel.of(7).reason(), MqttProperties.NONE));
                assertThat(from.next(PubComp.class).packetId()).isEqualTo(7);
            }
            assertThat(to.message()).isEqualTo("a once 1");
            to.send(PingReq.INSTANCE);
            assertThat(to.next()).isEqualTo(PingResp.INSTANCE);
        }
    }

    private static Publish duplicate(boolean again) {
        Publish first = MqttPeer.message("a", "once", QoS.EXACTLY_ONCE, false, 7);
        return new Publish(
                first.topic(), first.payload(), first.qos(), false, again, 7, first.properties());
    }

    @Test
    void retainedFloodsAndFilterFloodsAreBounded() throws Exception {
        try (MqttPeer from = broker.peer("from");
                MqttPeer to = broker.peer("to")) {
            for (int i = 0; i < 10_500; i++) {
                from.send(MqttPeer.message("r/" + i, "v", QoS.AT_MOST_ONCE, true, 0));
            }
            assertThat(from.publish("r/none", "v", true).reason().isError()).isTrue();
            // The same filters again and again: each asks for all retained messages.
            List<Subscription> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(Subscription.of(TopicFilter.of("r/+/" + i % 2 + "/#"), QoS.AT_MOST_ONCE));
            }
            for (int i = 0; i < 5; i++) {
                to.send(new Subscribe(i + 1, MqttProperties.NONE, all));
            }
            // No topic is below: nothing is sent, however long it is looked for.
            int acknowledged = 0;
            while (acknowledged < 5) {
                if (to.next() instanceof SubAck) {
                    acknowledged++;
                }
            }
        }
    }
}
