package io.weft.transport.udt.machine;

/// The smoothed round-trip time and its variation, in microseconds (draft-gg-udt-03, 6.1).
final class RoundTrip {
    /// Largest value that is believed, of a peer or of a clock that leapt.
    private static final long MAX = 60_000_000;

    private long time = 10L * RateControl.SYN_MICROS;
    private long variation = time / 2;
    private boolean sampled;

    long time() {
        return time;
    }

    long variation() {
        return variation;
    }

    /// Returns the time after which an answer is missing, in nanoseconds.
    long patienceNanos() {
        return (time + 4 * variation) * 1_000;
    }

    /// Takes a sample; those that cannot be are left out.
    void sample(long micros) {
        if (micros <= 0 || micros > MAX) {
            return;
        }
        if (!sampled) {
            sampled = true;
            time = micros;
            variation = micros / 2;
            return;
        }
        variation = (3 * variation + Math.abs(micros - time)) / 4;
        time = (7 * time + micros) / 8;
    }
}
