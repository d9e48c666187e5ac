package io.weft.transport.serial;

import java.time.Duration;

/// The moment at which bytes that arrived are read, as `VMIN` and `VTIME` of
/// [termios(3)](https://man7.org/linux/man-pages/man3/termios.3.html), but kept by the loop.
///
/// Protocols that mark the end of a message by silence (Modbus RTU) read whole messages so.
///
/// @param atLeast bytes that are read together, 1 to 4096
/// @param silence after which fewer are read; zero: never, but at the end of input
public record ReadTiming(int atLeast, Duration silence) {
    /// The most bytes that are waited for: as many as the kernel keeps of a port's input.
    public static final int MAX_AT_LEAST = 4096;

    /// Bytes are read as they come.
    public static final ReadTiming AT_ONCE = new ReadTiming(1, Duration.ZERO);

    public ReadTiming {
        if (atLeast < 1 || atLeast > MAX_AT_LEAST) {
            throw new IllegalArgumentException(
                    "atLeast: " + atLeast + " (expected: 1 to " + MAX_AT_LEAST + ")");
        }
        if (silence.isNegative()) {
            throw new IllegalArgumentException("silence: " + silence + " (expected: >= 0)");
        }
    }

    /// Bytes are read when none has come for as long as `silence`, or 4096 have.
    ///
    /// @throws IllegalArgumentException unless `silence` is positive
    public static ReadTiming untilSilence(Duration silence) {
        if (!silence.isPositive()) {
            throw new IllegalArgumentException("silence: " + silence + " (expected: > 0)");
        }
        return new ReadTiming(MAX_AT_LEAST, silence);
    }
}
