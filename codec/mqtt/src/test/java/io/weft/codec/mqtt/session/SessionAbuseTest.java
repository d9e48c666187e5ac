package io.weft.codec.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
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
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.UnsubAck;
import io.weft.codec.mqtt.Wire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Packets in any order, as only a broken or hostile peer sends them: a session refuses them with a
/// typed error or goes on, keeps its limits and leaks nothing.
class SessionAbuseTest {
    private static final int STEPS = 5_000;
    private static final SessionLimits LIMITS = new SessionLimits(4, 6, 300);
    private static final List<MqttVersion> VERSIONS = List.of(MqttVersion.values());

    private final SplittableRandom random =
            new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
    private final Set<Integer> inFlight = new HashSet<>();
    private final Set<Long> told = new HashSet<>();
    private long now;

    private final class Application implements SessionHandler {
        @Override
        public void send(MqttPacket packet) {
            if (packet instanceof Publish publish) {
                if (publish.qos() != QoS.AT_MOST_ONCE) {
                    inFlight.add(publish.packetId());
                    assertThat(inFlight).hasSizeLessThanOrEqualTo(LIMITS.inFlight());
                }
                publish.close();
            }
        }

        @Override
        public ReasonCode deliver(Publish publish) {
            assertThat(publish.topic().isNone()).isFalse();
            publish.close();
            return random.nextInt(5) == 0 ? ReasonCode.NOT_AUTHORIZED : ReasonCode.SUCCESS;
        }

        @Override
        public void completed(long token, ReasonCode reason) {
            assertThat(told.add(token)).as("told once").isTrue();
        }

        @Override
        public void expired(long token) {
            assertThat(told.add(token)).as("told once").isTrue();
        }

        @Override
        public void lost(long token, Publish publish) {
            publish.close();
            assertThat(told.add(token)).as("told once").isTrue();
        }
    }

    private int id() {
        return 1 + random.nextInt(8);
    }

    private Publish publish(boolean fromPeer) {
        QoS qos = QoS.of(random.nextInt(3));
        MqttProperties properties =
                random.nextInt(4) == 0
                        ? MqttProperties.of(
                                MqttProperty.MESSAGE_EXPIRY_INTERVAL, (long) random.nextInt(5))
                        : MqttProperties.NONE;
        boolean aliased = fromPeer && random.nextInt(3) == 0;
        if (aliased) {
            properties = properties.with(MqttProperty.TOPIC_ALIAS, 1 + random.nextInt(4));
        }
        Topic topic =
                aliased && random.nextBoolean()
                        ? Topic.NONE
                        : Topic.of("topic/" + random.nextInt(5));
        return new Publish(
                topic,
                Wire.buffer("x".repeat(random.nextInt(60))),
                qos,
                random.nextInt(5) == 0,
                false,
                fromPeer && qos != QoS.AT_MOST_ONCE ? id() : 0,
                properties);
    }

    private MqttPacket packet() {
        ReasonCode recorded =
                random.nextInt(3) == 0 ? ReasonCode.QUOTA_EXCEEDED : ReasonCode.SUCCESS;
        return switch (random.nextInt(9)) {
            case 0 -> PubAck.of(id());
            case 1 -> new PubRec(id(), recorded, MqttProperties.NONE);
            case 2 -> PubRel.of(id());
            case 3 -> PubComp.of(id());
            case 4 -> new SubAck(id(), MqttProperties.NONE, List.of(ReasonCode.SUCCESS));
            case 5 -> new UnsubAck(id(), MqttProperties.NONE, List.of(ReasonCode.SUCCESS));
            case 6 -> random.nextBoolean() ? PingReq.INSTANCE : PingResp.INSTANCE;
            default -> publish(true);
        };
    }

    private MqttProperties terms() {
        return MqttProperties.of(MqttProperty.RECEIVE_MAXIMUM, 1 + random.nextInt(5))
                .with(MqttProperty.TOPIC_ALIAS_MAXIMUM, random.nextInt(4))
                .with(MqttProperty.MAXIMUM_PACKET_SIZE, 30L + random.nextInt(60));
    }

    private void begin(MqttSession session) {
        MqttVersion version = VERSIONS.get(random.nextInt(3));
        boolean v5 = version.isV5();
        boolean present = random.nextInt(4) != 0 && version != MqttVersion.V3_1;
        inFlight.clear();
        session.begin(
                Connect.of(version, "me")
                        .properties(v5 ? terms() : MqttProperties.NONE)
                        .keepAlive(random.nextInt(20)),
                new ConnAck(present, ReasonCode.SUCCESS, v5 ? terms() : MqttProperties.NONE));
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void packetsInAnyOrderAreRefusedOrTaken(boolean server) {
        Application application = new Application();
        List<String> faults = new ArrayList<>();
        long tokens = 0;
        try (MqttSession session =
                server
                        ? MqttSession.server(LIMITS, application, () -> now)
                        : MqttSession.client(LIMITS, application, () -> now)) {
            for (int step = 0; step < STEPS; step++) {
                now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(500));
                if (!session.isConnected()) {
                    begin(session);
                }
                try {
                    switch (random.nextInt(6)) {
                        case 0, 1 -> {
                            long token = tokens++;
                            Publish mine = publish(false);
                            boolean waits = mine.qos() != QoS.AT_MOST_ONCE;
                            if (!session.publish(mine, token) || !waits) {
                                told.add(token);
                            }
                        }
                        case 2 -> {
                            if (random.nextInt(20) == 0) {
                                session.end();
                            }
                            var _ = session.tick();
                        }
                        case 3 -> {
                            if (random.nextInt(10) == 0) {
                                var _ =
                                        session.subscribe(
                                                MqttProperties.NONE,
                                                List.of(
                                                        Subscription.of(
                                                                TopicFilter.of("#"),
                                                                QoS.AT_MOST_ONCE)));
                            }
                        }
                        default -> receive(session);
                    }
                } catch (MqttException | IllegalStateException e) {
                    faults.add(String.valueOf(e.getMessage()));
                    session.end();
                }
                assertThat(session.pending())
                        .isLessThanOrEqualTo(LIMITS.inFlight() + LIMITS.queued());
            }
            assertThat(faults).hasSizeGreaterThan(50).allMatch(f -> f.contains("(expected: "));
            assertThat(tokens - told.size()).isEqualTo(session.pending());
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void receive(MqttSession session) {
        MqttPacket packet = packet();
        switch (packet) {
            case PubAck ack -> inFlight.remove(ack.packetId());
            case PubComp comp -> inFlight.remove(comp.packetId());
            case PubRec rec when rec.reason().isError() -> inFlight.remove(rec.packetId());
            default -> {}
        }
        var _ = session.received(packet);
    }
}
