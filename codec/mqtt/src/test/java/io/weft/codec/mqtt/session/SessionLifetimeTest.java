package io.weft.codec.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.Will;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SessionLifetimeTest {
    private static final long FOREVER = 0xFFFF_FFFFL;

    private long now;
    private final SessionLifetime lifetime = new SessionLifetime(() -> now);

    private static MqttProperties seconds(MqttProperty<Long> property, long seconds) {
        return MqttProperties.of(property, seconds);
    }

    private static Will will(long delay) {
        return new Will(
                Topic.of("gone"),
                QoS.AT_LEAST_ONCE,
                false,
                seconds(MqttProperty.WILL_DELAY_INTERVAL, delay),
                Binary.EMPTY);
    }

    private void begin(long expiry, long delay) {
        lifetime.begin(
                Connect.of(MqttVersion.V5, "me")
                        .properties(seconds(MqttProperty.SESSION_EXPIRY_INTERVAL, expiry))
                        .will(will(delay)),
                ConnAck.accepted(false));
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void nothingIsDueWhileThereIsAConnection() {
        begin(0, 0);
        pass(100);
        assertThat(lifetime.left()).isEqualTo(Long.MAX_VALUE);
        assertThat(lifetime.isOver()).isFalse();
        assertThat(lifetime.takeWill()).isNull();
    }

    @Test
    void willIsDueAtOnceWithoutADelay() {
        begin(60, 0);
        lifetime.end();
        assertThat(lifetime.left()).isZero();
        assertThat(lifetime.takeWill()).isEqualTo(will(0));
        assertThat(lifetime.takeWill()).isNull();
        assertThat(lifetime.left()).isEqualTo(TimeUnit.SECONDS.toNanos(60));
        pass(60);
        assertThat(lifetime.isOver()).isTrue();
    }

    @Test
    void willWaitsForItsDelay() {
        begin(FOREVER, 10);
        lifetime.end();
        pass(9);
        assertThat(lifetime.takeWill()).isNull();
        assertThat(lifetime.left()).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        pass(1);
        assertThat(lifetime.takeWill()).isNotNull();
        assertThat(lifetime.left()).isEqualTo(Long.MAX_VALUE);
        pass(FOREVER);
        assertThat(lifetime.isOver()).isFalse();
    }

    @Test
    void willIsDueWhenTheSessionEndsBeforeItsDelay() {
        begin(5, 10);
        lifetime.end();
        pass(5);
        assertThat(lifetime.takeWill()).isNotNull();
        assertThat(lifetime.isOver()).isTrue();
    }

    @Test
    void connectionsWithinTheDelayDropTheWill() {
        begin(FOREVER, 10);
        lifetime.end();
        pass(9);
        begin(FOREVER, 20);
        lifetime.end();
        pass(10); // the first one's delay, and more
        assertThat(lifetime.takeWill()).isNull();
        pass(10);
        assertThat(lifetime.takeWill()).isEqualTo(will(20));
    }

    @Test
    void connectionsRenewTheTime() {
        begin(10, 0);
        lifetime.end();
        pass(9);
        begin(10, 0);
        pass(100);
        lifetime.end();
        pass(9);
        assertThat(lifetime.isOver()).isFalse();
    }

    @Test
    void abandonedSessionsPublishTheirWills() {
        begin(FOREVER, 100);
        lifetime.end();
        lifetime.abandon();
        assertThat(lifetime.takeWill()).isNotNull();
        assertThat(lifetime.isOver()).isTrue();
    }

    @Test
    void normalDisconnectDropsTheWill() {
        begin(10, 0);
        lifetime.disconnect(Disconnect.normal());
        lifetime.end();
        assertThat(lifetime.takeWill()).isNull();
    }

    @Test
    void otherDisconnectsKeepTheWillAndMayChangeTheTime() {
        begin(10, 0);
        lifetime.disconnect(
                new Disconnect(
                        ReasonCode.DISCONNECT_WITH_WILL,
                        seconds(MqttProperty.SESSION_EXPIRY_INTERVAL, 20)));
        lifetime.end();
        assertThat(lifetime.takeWill()).isNotNull();
        pass(19);
        assertThat(lifetime.isOver()).isFalse();
        pass(1);
        assertThat(lifetime.isOver()).isTrue();
    }

    @Test
    void sessionsThatWereToEndWithTheirConnectionAreNotProlonged() {
        begin(0, 0);
        Disconnect disconnect =
                new Disconnect(
                        ReasonCode.SUCCESS, seconds(MqttProperty.SESSION_EXPIRY_INTERVAL, 1));
        assertThatThrownBy(() -> lifetime.disconnect(disconnect))
                .hasFieldOrPropertyWithValue("reason", ReasonCode.PROTOCOL_ERROR)
                .hasFieldOrPropertyWithValue("reply", Disconnect.of(ReasonCode.PROTOCOL_ERROR));
        lifetime.end();
        assertThat(lifetime.takeWill()).as("not a normal end").isNotNull();
    }

    @Test
    void serversMayKeepSessionsForShorterThanAsked() {
        lifetime.begin(
                Connect.of(MqttVersion.V5, "me")
                        .properties(seconds(MqttProperty.SESSION_EXPIRY_INTERVAL, FOREVER)),
                new ConnAck(
                        false,
                        ReasonCode.SUCCESS,
                        seconds(MqttProperty.SESSION_EXPIRY_INTERVAL, 7)));
        lifetime.end();
        assertThat(lifetime.left()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
    }

    @Test
    void sessionsBefore5EndWithTheirConnectionIfTheyAreClean() {
        lifetime.begin(Connect.of(MqttVersion.V3_1_1, "me"), ConnAck.accepted(false));
        lifetime.end();
        assertThat(lifetime.isOver()).isTrue();
        lifetime.begin(
                Connect.of(MqttVersion.V3_1_1, "me").cleanStart(false), ConnAck.accepted(false));
        lifetime.end();
        pass(FOREVER);
        assertThat(lifetime.isOver()).isFalse();
    }
}
