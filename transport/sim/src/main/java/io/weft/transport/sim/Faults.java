package io.weft.transport.sim;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// Rates of the faults in a simulation, and the latency of its network. Immutable.
public final class Faults {
    private final Map<Fault, Double> rates;
    private final long minLatency;
    private final long maxLatency;
    private final long jumpEvery;
    private final long longestJump;
    private final long partitionEvery;
    private final long longestPartition;

    private Faults(
            Map<Fault, Double> rates,
            long minLatency,
            long maxLatency,
            long jumpEvery,
            long longestJump,
            long partitionEvery,
            long longestPartition) {
        this.rates = rates;
        this.minLatency = minLatency;
        this.maxLatency = maxLatency;
        this.jumpEvery = jumpEvery;
        this.longestJump = longestJump;
        this.partitionEvery = partitionEvery;
        this.longestPartition = longestPartition;
    }

    /// Nothing goes wrong; a packet takes 50 to 500 microseconds.
    public static Faults none() {
        return new Faults(new EnumMap<>(Fault.class), 50_000, 500_000, 0, 0, 0, 0);
    }

    /// A bad day: everything goes wrong now and then.
    public static Faults rough() {
        return none().with(Fault.PARTIAL_SEND, 0.2)
                .with(Fault.PARTIAL_RECEIVE, 0.2)
                .with(Fault.DEFERRED_SEND, 0.5)
                .with(Fault.SPURIOUS_SEND, 0.1)
                .with(Fault.DELAY, 0.1)
                .with(Fault.REORDER, 0.5)
                .with(Fault.LATE_CLOSE, 0.3)
                .with(Fault.RESET, 0.005)
                .with(Fault.RESET_OVERTAKES, 0.5)
                .with(Fault.REFUSE, 0.01)
                .with(Fault.LOSE_SYN, 0.02)
                .with(Fault.SLOW, 0.02)
                .with(Fault.NARROW, 0.05)
                .with(Fault.SEND_ENOBUFS, 0.0005)
                .with(Fault.RECEIVE_ENOMEM, 0.0005)
                .with(Fault.ACCEPT_EMFILE, 0.01)
                .with(Fault.ACCEPT_ENOMEM, 0.005)
                .with(Fault.SOCKET_EMFILE, 0.002)
                .with(Fault.ADOPT_FAILS, 0.002)
                .with(Fault.LOSE_DATAGRAM, 0.05)
                .with(Fault.DUPLICATE_DATAGRAM, 0.02)
                .with(Fault.LATE_DATAGRAM, 0.1)
                .latency(Duration.ofNanos(20_000), Duration.ofMillis(80))
                .jumps(Duration.ofHours(6), Duration.ofHours(1))
                .partitions(Duration.ofHours(2), Duration.ofMinutes(20));
    }

    /// @param rate of the occasions on which it happens, 0 to 1
    public Faults with(Fault fault, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("rate: " + rate + " (expected: 0 to 1)");
        }
        Map<Fault, Double> changed = new EnumMap<>(Fault.class);
        changed.putAll(rates);
        changed.put(fault, rate);
        return new Faults(
                changed,
                minLatency,
                maxLatency,
                jumpEvery,
                longestJump,
                partitionEvery,
                longestPartition);
    }

    /// Sets the time that a packet takes, at least and at most.
    public Faults latency(Duration min, Duration max) {
        if (min.isNegative() || max.compareTo(min) < 0) {
            throw new IllegalArgumentException(
                    "latency: " + min + " to " + max + " (expected: 0 or more, ascending)");
        }
        return new Faults(
                rates,
                min.toNanos(),
                max.toNanos(),
                jumpEvery,
                longestJump,
                partitionEvery,
                longestPartition);
    }

    /// The machine sleeps: the clock leaps with nothing run in between.
    ///
    /// @param every on average; zero: never
    public Faults jumps(Duration every, Duration longest) {
        return new Faults(
                rates,
                minLatency,
                maxLatency,
                every.toNanos(),
                longest.toNanos(),
                partitionEvery,
                longestPartition);
    }

    /// Two hosts hear nothing of each other for a while.
    ///
    /// @param every on average; zero: never
    public Faults partitions(Duration every, Duration longest) {
        return new Faults(
                rates,
                minLatency,
                maxLatency,
                jumpEvery,
                longestJump,
                every.toNanos(),
                longest.toNanos());
    }

    public double rate(Fault fault) {
        Double rate = rates.get(fault);
        return rate == null ? 0 : rate;
    }

    long minLatency() {
        return minLatency;
    }

    long maxLatency() {
        return maxLatency;
    }

    long jumpEvery() {
        return jumpEvery;
    }

    long longestJump() {
        return longestJump;
    }

    long partitionEvery() {
        return partitionEvery;
    }

    long longestPartition() {
        return longestPartition;
    }
}
