package io.weft.transport.udt.machine;

import java.util.SplittableRandom;

/// UDT's native congestion control, DAIMD (draft-gg-udt-03, 6.2): a window that grows with each
/// ACK at first; then a rate that grows the more the further it is below the capacity of the path,
/// and drops by a ninth for losses, at random moments within one period of congestion, so that
/// flows do not drop together.
final class RateControl {
    /// Interval at which the rate is changed, ACKs are sent and rates are sampled.
    static final int SYN_MICROS = 10_000;

    static final long SYN_NANOS = SYN_MICROS * 1_000L;

    private static final double FIRST_WINDOW = 16;
    private static final double LEAST_PERIOD = 1;

    /// One packet in this time at the least, so that a peer's NAKs cannot stop a sender.
    private static final double GREATEST_PERIOD = 1_000_000;

    private static final double BETA = 1.5e-6;
    private static final double DECREASE = 1.125;

    /// 0.875^5 is about a half, by which the rate drops at most within a period of congestion.
    private static final int MOST_DECREASES = 5;

    private final int segment;
    private final SplittableRandom random;

    /// Microseconds between two packets.
    private double period = LEAST_PERIOD;

    /// Packets in flight.
    private double window = FIRST_WINDOW;

    private boolean slowStart = true;
    private boolean lost;
    private double minPeriod = LEAST_PERIOD;
    private long lastChange;
    private long lastAck;
    private long lastDecrease;
    private double periodAtDecrease = LEAST_PERIOD;
    private double averageReports;
    private int reports;
    private int reportsADecrease = 1;
    private int decreases;

    /// @param segment packets' size with all headers, in bytes
    /// @param first sequence number of the first packet
    RateControl(int segment, long first, long now, SplittableRandom random) {
        this.segment = segment;
        this.random = random;
        lastChange = now;
        lastAck = first;
        lastDecrease = first - 1;
    }

    double period() {
        return Math.max(period, minPeriod);
    }

    int window() {
        return (int) window;
    }

    boolean isSlowStart() {
        return slowStart;
    }

    /// Limits the rate.
    ///
    /// @param bytesASecond 0: no limit
    void limit(long bytesASecond) {
        minPeriod = bytesASecond <= 0 ? LEAST_PERIOD : 1e6 * segment / bytesASecond;
    }

    /// An ACK has come.
    ///
    /// @param rate packets a second that arrive, 0 when not known
    /// @param capacity packets a second that the path could carry
    /// @param rtt in microseconds
    /// @param flow packets that the receiver has room for
    void acknowledged(long ack, long now, int rate, int capacity, long rtt, int flow) {
        if (now - lastChange < SYN_NANOS) {
            return;
        }
        lastChange = now;
        if (slowStart) {
            window += ack - lastAck;
            lastAck = ack;
            if (window > flow) {
                endSlowStart(rate, rtt);
            }
            return;
        }
        window = rate / 1e6 * (rtt + SYN_MICROS) + FIRST_WINDOW;
        if (lost) {
            lost = false;
            return;
        }
        period = period * SYN_MICROS / (period * increase(capacity) + SYN_MICROS);
        period = Math.max(period, minPeriod);
    }

    /// Returns the packets more in the next interval.
    private double increase(int capacity) {
        double least = 1.0 / segment;
        double free = capacity - 1e6 / period;
        if (period > periodAtDecrease) {
            free = Math.min(free, capacity / 9.0);
        }
        if (free < 1) {
            return least;
        }
        double power = StrictMath.ceil(StrictMath.log10(free * segment * 8));
        return Math.max(StrictMath.pow(10, power) * BETA / segment, least);
    }

    private void endSlowStart(int rate, long rtt) {
        slowStart = false;
        period = rate > 0 ? 1e6 / rate : (rtt + SYN_MICROS) / window;
    }

    /// The receiver reports losses.
    ///
    /// @param first number of the report
    /// @param sent last number that was sent
    void lost(long first, long sent, int rate, long rtt) {
        if (slowStart) {
            endSlowStart(rate, rtt);
            if (rate > 0) {
                return; // 6.2: the rate is that of arrivals now, so it is not decreased as well
            }
        }
        lost = true;
        if (first > lastDecrease) {
            periodAtDecrease = period;
            averageReports = Math.ceil(averageReports * 0.875 + reports * 0.125);
            reports = 1;
            decreases = 1;
            reportsADecrease = 1 + (int) (averageReports * random.nextDouble());
            decrease(sent);
        } else if (decreases++ < MOST_DECREASES && ++reports % reportsADecrease == 0) {
            decrease(sent);
        }
    }

    private void decrease(long sent) {
        period = Math.min(Math.ceil(period * DECREASE), GREATEST_PERIOD);
        lastDecrease = sent;
    }

    /// Nothing was acknowledged for long.
    void timedOut(int rate, long rtt) {
        if (slowStart) {
            endSlowStart(rate, rtt);
        }
    }

    /// The receiver warns of growing delay.
    void warned(long sent) {
        decrease(sent);
    }
}
