package io.weft.http.grpc;

import io.weft.http.model.HeaderName;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The value of `grpc-timeout`: up to eight digits and a unit.
final class GrpcTimeout {
    static final HeaderName NAME = HeaderName.of("grpc-timeout");

    private static final int MAX_DIGITS = 8;
    private static final long MOST = 99_999_999;

    /// 73 years: clocks that count nanoseconds overflow beyond.
    static final long MOST_NANOS = Long.MAX_VALUE / 4;

    private static final String UNITS = "numSMH";

    private GrpcTimeout() {}

    /// Writes a time in the smallest unit that has room for it, rounded up: a deadline must not
    /// come before the caller's. Longer ones than `99999999H` are that.
    static String encode(Duration timeout) {
        long nanos = nanos(timeout);
        for (int i = 0; i < UNITS.length(); i++) {
            long unit = unit(UNITS.charAt(i)).toNanos(1);
            long value = nanos / unit + (nanos % unit == 0 ? 0 : 1);
            if (value <= MOST) {
                return Long.toString(value) + UNITS.charAt(i);
            }
        }
        return MOST + "H";
    }

    /// Returns nanoseconds, from 0 to 73 years.
    static long nanos(Duration timeout) {
        try {
            return Math.clamp(timeout.toNanos(), 0, MOST_NANOS);
        } catch (ArithmeticException e) {
            return timeout.isNegative() ? 0 : MOST_NANOS;
        }
    }

    /// Returns nanoseconds, of 73 years at most, or null when the value is malformed.
    static @Nullable Long decode(String value) {
        int digits = value.length() - 1;
        if (digits < 1 || digits > MAX_DIGITS || UNITS.indexOf(value.charAt(digits)) < 0) {
            return null;
        }
        for (int i = 0; i < digits; i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return null;
            }
        }
        long nanos = unit(value.charAt(digits)).toNanos(Long.parseLong(value, 0, digits, 10));
        return Math.min(nanos, MOST_NANOS);
    }

    private static TimeUnit unit(char c) {
        return switch (c) {
            case 'n' -> TimeUnit.NANOSECONDS;
            case 'u' -> TimeUnit.MICROSECONDS;
            case 'm' -> TimeUnit.MILLISECONDS;
            case 'S' -> TimeUnit.SECONDS;
            case 'M' -> TimeUnit.MINUTES;
            default -> TimeUnit.HOURS;
        };
    }
}
