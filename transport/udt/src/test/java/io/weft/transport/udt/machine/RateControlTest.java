package io.weft.transport.udt.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The figures of draft-gg-udt-03, 6.2.
class RateControlTest {
    private static final long SYN = RateControl.SYN_NANOS;
    private static final int RTT = 20_000;
    private static final int FLOW = 25_600;

    private final RateControl control =
            new RateControl(1500, 0, 0, new SplittableRandom(Long.getLong("io.weft.test.seed", 1)));

    private long now;
    private long ack;

    private void acknowledge(int rate, int capacity) {
        now += SYN;
        ack += 10;
        control.acknowledged(ack, now, rate, capacity, RTT, FLOW);
    }

    /// Sets the rate, in packets a second, by the end of slow start.
    private void begin(int rate) {
        control.lost(1, 100, rate, RTT);
    }

    /// As [#begin], with a decrease by a loss, and without the interval in which nothing grows
    /// because of it.
    private void beginAndLose(int rate) {
        begin(rate);
        control.lost(200, 300, rate, RTT);
        acknowledge(rate, 1);
    }

    private double rate() {
        return 1e6 / control.period();
    }

    @Test
    void slowStartGrowsByWhatIsAcknowledged() {
        acknowledge(100, 1000);
        acknowledge(100, 1000);
        assertThat(control.window()).isEqualTo(16 + 20);
        assertThat(control.isSlowStart()).isTrue();
        assertThat(control.period()).isEqualTo(1);
    }

    @Test
    void slowStartEndsAtTheReceiversWindowWithTheRateOfArrivals() {
        control.acknowledged(FLOW, SYN, 5000, 10_000, RTT, FLOW);
        assertThat(control.isSlowStart()).isFalse();
        assertThat(rate()).isCloseTo(5000, within(1.0));
    }

    @Test
    void theLossThatEndsSlowStartLeavesTheRateOfArrivals() {
        begin(1000);
        assertThat(control.isSlowStart()).isFalse();
        assertThat(control.period()).isEqualTo(1000);
    }

    @Test
    void aLossTakesANinthOfTheRate() {
        begin(1000);
        control.lost(200, 300, 1000, RTT);
        assertThat(control.period()).isEqualTo(1125);
        control.lost(400, 500, 1000, RTT);
        assertThat(control.period()).isEqualTo(Math.ceil(1125 * 1.125));
    }

    @Test
    void withinOnePeriodOfCongestionTheRateHalvesAtMost() {
        begin(10_000);
        double before = control.period();
        for (int i = 0; i < 1000; i++) {
            control.lost(50, 400, 10_000, RTT);
        }
        assertThat(control.period() / before).isLessThan(Math.pow(1.125, 5) + 0.1);
    }

    @Test
    void afterALossOneIntervalBringsNoIncrease() {
        begin(1000);
        control.lost(200, 300, 1000, RTT);
        double before = control.period();
        acknowledge(1000, 100_000);
        assertThat(control.period()).isEqualTo(before);
        acknowledge(1000, 100_000);
        assertThat(control.period()).isLessThan(before);
    }

    /// Packets more in an interval, for the bandwidth that is free: ten times as many from one
    /// power of ten to the next. Below the rate of the last decrease, a ninth of the capacity
    /// counts as free at most.
    @ParameterizedTest
    @CsvSource({
        // packets a second that the path carries, packets more in an interval
        "84,        0.000667",
        "500,       0.001",
        "7000,      0.01",
        "70000,     0.1",
        "700000,    1.0",
    })
    void theRateGrowsTheMoreTheMoreIsFree(int capacity, double increase) {
        beginAndLose(90);
        double before = rate();
        acknowledge(90, capacity);
        double packets = (rate() - before) * RateControl.SYN_MICROS / 1e6;
        assertThat(packets).isCloseTo(increase, within(increase / 100));
    }

    @Test
    void theWindowIsWhatArrivesInARoundTripAndMore() {
        begin(1000);
        acknowledge(1000, 10_000);
        assertThat(control.window()).isEqualTo(1000 * (RTT + 10_000) / 1_000_000 + 16);
    }

    /// A rate that a report halts would never hear another acknowledgement.
    @Test
    void lossesLeaveAPacketASecond() {
        begin(1000);
        for (int i = 1; i < 1000; i++) {
            control.lost(1000L * i, 1000L * i + 10, 1, RTT);
        }
        assertThat(control.period()).isEqualTo(1_000_000);
    }

    @Test
    void aLimitBoundsTheRate() {
        control.limit(150_000);
        assertThat(rate()).isCloseTo(100, within(0.1));
    }
}
