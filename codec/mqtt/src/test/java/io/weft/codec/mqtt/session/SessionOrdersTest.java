package io.weft.codec.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// All orders in which packets of two sessions may arrive, with connections that are lost at every
/// moment: messages of QoS 1 arrive, those of QoS 2 once.
class SessionOrdersTest {
    /// Events of one run.
    private enum Event {
        TO_SERVER,
        TO_CLIENT,
        LOST
    }

    private int runs;

    @ParameterizedTest
    @CsvSource({
        "V5, AT_LEAST_ONCE, 1, 3, 10",
        "V5, EXACTLY_ONCE, 1, 3, 10",
        "V5, AT_LEAST_ONCE, 2, 2, 2",
        "V5, EXACTLY_ONCE, 2, 1, 2",
        "V5, EXACTLY_ONCE, 2, 2, 1",
        "V3_1_1, EXACTLY_ONCE, 2, 1, 2",
        "V3_1, AT_LEAST_ONCE, 2, 2, 2",
        "V3_1_1, EXACTLY_ONCE, 1, 3, 1",
    })
    void messagesArriveWhateverIsLost(
            MqttVersion version, QoS qos, int messages, int losses, int window) {
        for (boolean fromClient : List.of(true, false)) {
            runs = 0;
            explore(
                    new ArrayDeque<>(),
                    new Case(version, qos, messages, losses, window, fromClient));
            assertThat(runs).isGreaterThan(losses * 10);
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private record Case(
            MqttVersion version,
            QoS qos,
            int messages,
            int losses,
            int window,
            boolean fromClient) {}

    /// Runs the events, and then each that may come next.
    private void explore(ArrayDeque<Event> events, Case c) {
        runs++;
        boolean toServer;
        boolean toClient;
        try (SessionPair pair = run(events, c)) {
            toServer = !pair.client.sent.isEmpty();
            toClient = !pair.server.sent.isEmpty();
            check(pair, c, !toServer && !toClient, events);
        }
        if (toServer) {
            next(events, Event.TO_SERVER, c);
        }
        if (toClient) {
            next(events, Event.TO_CLIENT, c);
        }
        long lost = events.stream().filter(e -> e == Event.LOST).count();
        if (lost < c.losses && (toServer || toClient)) {
            next(events, Event.LOST, c);
        }
    }

    private void next(ArrayDeque<Event> events, Event event, Case c) {
        events.addLast(event);
        explore(events, c);
        events.removeLast();
    }

    private static SessionPair run(ArrayDeque<Event> events, Case c) {
        MqttProperties window =
                c.version.isV5()
                        ? MqttProperties.of(MqttProperty.RECEIVE_MAXIMUM, c.window)
                                .with(MqttProperty.TOPIC_ALIAS_MAXIMUM, 1)
                        : MqttProperties.NONE;
        SessionPair pair =
                new SessionPair(
                        new SessionLimits(c.window, 10, 1000),
                        Connect.of(c.version, "me").properties(window),
                        new ConnAck(false, ReasonCode.SUCCESS, window));
        SessionPair.Side from = c.fromClient ? pair.client : pair.server;
        for (int i = 0; i < c.messages; i++) {
            assertThat(from.publish("topic", "m" + i, c.qos, i)).isTrue();
        }
        for (Event event : events) {
            switch (event) {
                case TO_SERVER -> pair.client.pass();
                case TO_CLIENT -> pair.server.pass();
                case LOST -> pair.reconnect(true);
            }
        }
        return pair;
    }

    private static void check(SessionPair pair, Case c, boolean quiet, ArrayDeque<Event> events) {
        SessionPair.Side from = c.fromClient ? pair.client : pair.server;
        SessionPair.Side to = c.fromClient ? pair.server : pair.client;
        for (int i = 0; i < c.messages; i++) {
            String message = "topic m" + i;
            long times = to.delivered.stream().filter(message::equals).count();
            if (c.qos == QoS.EXACTLY_ONCE) {
                assertThat(times).as("%s %s", events, to.delivered).isLessThanOrEqualTo(1);
            }
            String token = i + " SUCCESS";
            assertThat(from.completed.stream().filter(token::equals).count())
                    .isLessThanOrEqualTo(1);
            if (from.completed.contains(token) || quiet) {
                assertThat(times).as("%s %s", events, to.delivered).isPositive();
            }
        }
        if (quiet) {
            assertThat(from.session.pending()).as("%s", events).isZero();
            assertThat(from.completed).hasSize(c.messages);
        }
        // First deliveries keep the order of their publication.
        assertThat(to.delivered.stream().distinct().toList()).isSorted();
    }
}
