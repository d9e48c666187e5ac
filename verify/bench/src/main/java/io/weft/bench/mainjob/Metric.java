package io.weft.bench.mainjob;

/// The figures that are reported of every side under every load.
enum Metric {
    THROUGHPUT("throughput", "requests/s", true),
    P99("p99 latency", "us", false),
    CPU("cpu", "s/million requests", false),
    SYSCALLS("system calls", "calls/request", false),
    ALLOCATED("allocated", "B/request", false);

    /// Less than this counts as this: 0 bytes against 1 byte would be infinitely better.
    private static final double FLOOR = 0.01;

    final String label;
    final String unit;
    final boolean higherIsBetter;

    Metric(String label, String unit, boolean higherIsBetter) {
        this.label = label;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /// Tells if it is a [Cost], counted in windows of its own, under wrk alone.
    boolean isCounted() {
        return this == SYSCALLS || this == ALLOCATED;
    }

    /// NaN when a sample does not tell.
    double of(Sample sample) {
        return switch (this) {
            case THROUGHPUT -> sample.requestsPerSecond();
            case P99 -> sample.p99Micros();
            case CPU -> sample.cpuPerMillion();
            case SYSCALLS, ALLOCATED -> Double.NaN;
        };
    }

    /// NaN when a cost does not tell.
    double of(Cost cost) {
        return switch (this) {
            case THROUGHPUT, P99, CPU -> Double.NaN;
            case SYSCALLS -> cost.syscallsPerRequest();
            case ALLOCATED -> cost.bytesPerRequest();
        };
    }

    /// Returns the factor by which one value is better than another; above 1 if it is better.
    double ratio(double value, double than) {
        double a = Math.max(value, FLOOR);
        double b = Math.max(than, FLOOR);
        return higherIsBetter ? a / b : b / a;
    }
}
