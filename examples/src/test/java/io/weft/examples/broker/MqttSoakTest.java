package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.QoS;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Served;
import io.weft.examples.Soak;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients with sessions lose their connections at random, and nothing that the QoS promises.
class MqttSoakTest {
    /// Messages that have not arrived: fewer than a session keeps.
    private static final int WINDOW = 100;

    /// The token of messages of QoS 0, which nothing is told of.
    private static final long UNSURE = -2;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// The messages of a topic that have come, in order.
    private static final class Arrived {
        private final Map<String, Integer> next = new HashMap<>();
        private final Set<String> seen = new HashSet<>();
        private int first;
        private int unsure;
        private int lastUnsure = -1;

        /// @param message a topic, which ends with its QoS, and a number
        void add(String message) {
            String topic = message.substring(0, message.indexOf(' '));
            int number = Integer.parseInt(message.substring(topic.length() + 1));
            if (topic.endsWith("/0")) {
                unsure++; // it may be lost, but comes once, and in order
                assertThat(number).as(topic).isGreaterThan(lastUnsure);
                lastUnsure = number;
            } else if (seen.add(message)) {
                first++;
                assertThat(number).as(topic).isEqualTo(next.merge(topic, 1, Integer::sum) - 1);
            } else {
                assertThat(topic).as(message + " again").endsWith("/1");
            }
            seen.remove(topic + " " + (number - 2 * WINDOW)); // too long ago to come again
        }
    }

    @ParameterizedTest
    @CsvSource({"V3_1, V3_1", "V3_1_1, V5", "V5, V3_1_1", "V5, V5"})
    void nothingIsLostWithConnections(MqttVersion from, MqttVersion to) throws Exception {
        Soak soak = new Soak("mqtt " + from + " to " + to);
        try (Served broker = Served.start(MqttBroker::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            LosingMqttClient sub = new LosingMqttClient(group, broker.address(), to, "sub", "s/#");
            LosingMqttClient pub = new LosingMqttClient(group, broker.address(), from, "pub", null);
            assertThat(sub.subscribed.poll(120, TimeUnit.SECONDS)).isNotNull();
            Arrived arrived = new Arrived();
            int[] sent = {0, 0, 0};
            int all = 0;
            int unsure = 0;
            while (soak.goesOn()) {
                if (soak.oneIn(4)) {
                    pub.publish("s/0", "" + unsure++, QoS.AT_MOST_ONCE, UNSURE);
                }
                int qos = 1 + soak.below(2);
                pub.publish(
                        "s/" + qos,
                        "" + sent[qos]++,
                        qos == 1 ? QoS.AT_LEAST_ONCE : QoS.EXACTLY_ONCE,
                        all++);
                if (soak.oneIn(20)) {
                    (soak.oneIn(2) ? pub : sub).lose(soak.oneIn(2));
                }
                while (all - arrived.first >= WINDOW) {
                    arrived.add(next(sub));
                }
            }
            while (arrived.first < all) {
                arrived.add(next(sub));
            }
            for (int i = 0; i < all; i++) {
                assertThat(pub.completed.poll(120, TimeUnit.SECONDS)).isNotNull().isNotEqualTo(-1L);
            }
            assertThat(arrived.unsure).isLessThanOrEqualTo(unsure);
            assertThat(arrived.next.values().stream().mapToInt(n -> n).sum()).isEqualTo(all);
            assertThat(pub.lost() + sub.lost()).isPositive();
            pub.close();
            sub.close();
        }
    }

    private static String next(LosingMqttClient sub) throws InterruptedException {
        String message = sub.delivered.poll(120, TimeUnit.SECONDS);
        assertThat(message).as("a message that was sent").isNotNull();
        return message;
    }
}
