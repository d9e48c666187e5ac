package io.weft.http.client.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The time for which a channel may lie idle, in virtual time.
class PooledChannelTest {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final Duration HALF = Duration.ofSeconds(30);

    /// Timers are coarse.
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final EmbeddedChannel embedded = new EmbeddedChannel();
    private final PooledChannel channel = new PooledChannel();
    private int expirations;

    @BeforeEach
    void add() {
        channel.added(embedded.channel());
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    private void idle() {
        channel.idle(MOST, () -> expirations++);
    }

    private int after(Duration time) {
        embedded.advance(time);
        return expirations;
    }

    @Test
    void expiresOnceHoweverOftenItIsToldThatItIsIdle() {
        idle();
        embedded.advance(HALF);
        idle();
        assertThat(after(HALF.plus(SLACK))).isEqualTo(1);
    }

    @Test
    void anExpirationThatCameTooLateBeginsTheTimeAnew() {
        idle();
        assertThat(after(MOST.plus(SLACK))).isEqualTo(1);
        idle();
        assertThat(after(HALF)).isEqualTo(1);
        assertThat(after(MOST)).isEqualTo(2);
    }

    @Test
    void useInBetweenBeginsTheTimeAnew() {
        idle();
        embedded.advance(HALF);
        channel.busy();
        idle();
        assertThat(after(HALF.plus(SLACK))).isZero();
        assertThat(after(HALF)).isEqualTo(1);
    }

    @Test
    void doesNotExpireInUse() {
        idle();
        channel.busy();
        assertThat(after(MOST.multipliedBy(2))).isZero();
        idle();
        assertThat(after(MOST.plus(SLACK))).isEqualTo(1);
    }

    @Test
    void doesNotExpireWhenItHasEnded() {
        idle();
        channel.ended();
        assertThat(after(MOST.multipliedBy(2))).isZero();
    }
}
