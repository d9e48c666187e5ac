package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.Will;
import io.weft.examples.Options;
import io.weft.examples.Served;
import io.weft.loop.Future;
import java.io.DataInputStream;
import java.net.Socket;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Our broker and our client, in every version.
@ParameterizedClass
@EnumSource(MqttVersion.class)
record MqttExamplesTest(MqttVersion version) {
    /// A client and what it was sent.
    private record Peer(MqttClient client, BlockingQueue<String> messages)
            implements AutoCloseable {
        String next() throws InterruptedException {
            return messages.poll(300, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Peer connect(Served broker, Connect connect) {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        Options options =
                new Options(broker.address().getAddress(), broker.address().getPort(), "nio", 1);
        return new Peer(
                MqttClient.connect(
                        options, connect, (topic, text) -> messages.add(topic + " " + text)),
                messages);
    }

    private Peer connect(Served broker, String id) {
        return connect(broker, Connect.of(version, id));
    }

    @Test
    void messagesReachSubscribersInTheirOrder() throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer one = connect(broker, "one");
                Peer two = connect(broker, "two")) {
            assertThat(one.client.subscribe("a/+", QoS.EXACTLY_ONCE).join())
                    .isEqualTo(ReasonCode.GRANTED_QOS_2);
            for (QoS qos : QoS.values()) {
                for (int i = 0; i < 100; i++) {
                    var _ = two.client.publish("a/" + qos, "m" + i, qos);
                }
                for (int i = 0; i < 100; i++) {
                    assertThat(one.next()).isEqualTo("a/" + qos + " m" + i);
                }
            }
            assertThat(two.client.publish("$SYS/x", "y", QoS.AT_LEAST_ONCE).join())
                    .isEqualTo(version.isV5() ? ReasonCode.NOT_AUTHORIZED : ReasonCode.SUCCESS);
        }
    }

    @Test
    void sharesDistributeMessages() throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer one = connect(broker, "one");
                Peer two = connect(broker, "two");
                Peer from = connect(broker, "from")) {
            one.client.subscribe("$share/g/a/#", QoS.AT_LEAST_ONCE).join();
            two.client.subscribe("$share/g/a/#", QoS.AT_LEAST_ONCE).join();
            for (int i = 0; i < 4; i++) {
                from.client.publish("a/b", "m" + i, QoS.AT_LEAST_ONCE).join();
            }
            assertThat(one.next()).isEqualTo("a/b m0");
            assertThat(two.next()).isEqualTo("a/b m1");
            assertThat(one.next()).isEqualTo("a/b m2");
            assertThat(two.next()).isEqualTo("a/b m3");
        }
    }

    @Test
    void willsArePublishedWhenConnectionsBreak() throws Exception {
        Will will = Will.of(Topic.of("gone"), QoS.AT_LEAST_ONCE, true, Binary.of("bye"));
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer one = connect(broker, "one")) {
            one.client.subscribe("gone", QoS.AT_LEAST_ONCE).join();
            Peer taken = connect(broker, Connect.of(version, "two").will(will));
            try (Peer again = connect(broker, "two")) { // takes over
                assertThat(one.next()).isEqualTo("gone bye");
                again.client.subscribe("gone", QoS.AT_MOST_ONCE).join();
                assertThat(again.next()).isEqualTo("gone bye"); // retained
            }
            taken.close();
        }
    }

    @Test
    void sessionsKeepMessagesForTheirClients() throws Exception {
        MqttProperties hour = MqttProperties.of(MqttProperty.SESSION_EXPIRY_INTERVAL, 3600L);
        Connect connect = Connect.of(version, "kept").cleanStart(false);
        connect = version.isV5() ? connect.properties(hour) : connect;
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer from = connect(broker, "from")) {
            Peer kept = connect(broker, connect);
            kept.client.subscribe("a", QoS.EXACTLY_ONCE).join();
            kept.close();
            for (int i = 0; i < 3; i++) {
                from.client.publish("a", "m" + i, QoS.EXACTLY_ONCE).join();
            }
            try (Peer again = connect(broker, connect)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(again.next()).isEqualTo("a m" + i);
                }
            }
        }
    }

    @Test
    void faultsAreAnsweredAsTheVersionWants() throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Socket socket = broker.connect()) {
            socket.getOutputStream()
                    .write(
                            HexFormat.of()
                                    .parseHex(
                                            "100d00044d5154540502000000000030040001 2b00"
                                                    .replace(" ", "")));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readByte()).isEqualTo((byte) 0x20);
            in.skipNBytes(in.readByte());
            byte[] rest = in.readAllBytes();
            assertThat(rest).isEqualTo(HexFormat.of().parseHex("e00190"));
        }
    }

    @Test
    void refusedClientsAreTold() {
        Connect connect =
                Connect.of(MqttVersion.V5, "me")
                        .properties(MqttProperties.of(MqttProperty.AUTHENTICATION_METHOD, "x"));
        try (Served broker = Served.start(MqttBroker::start, "nio")) {
            assertThatThrownBy(() -> connect(broker, connect))
                    .hasStackTraceContaining("BAD_AUTHENTICATION_METHOD");
        }
    }

    @Test
    void namesThatAreNoneAreRefusedAtOnce() {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer one = connect(broker, "one")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.client.publish("a/#", "m", QoS.AT_LEAST_ONCE));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.client.subscribe("a/#/b", QoS.AT_LEAST_ONCE));
        }
    }

    @Test
    void closedConnectionsFailWhatIsAsked() throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                Peer gone = connect(broker, "one");
                Peer _ = connect(broker, "one")) { // takes over
            Future<ReasonCode> asked;
            do {
                asked = gone.client.subscribe("a", QoS.AT_LEAST_ONCE);
                assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            } while (asked.isSuccess());
            asked = gone.client.publish("a", "m", QoS.AT_LEAST_ONCE);
            assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(asked.cause()).hasMessage("connection closed");
        }
    }
}
