package io.weft.loop;

/// The source of a loop's time. As with [System#nanoTime], the values mean nothing by themselves:
/// only differences do, and they are compared by subtraction, so that wrapping around is harmless.
public interface Clock {
    /// The current time in nanoseconds from an arbitrary origin. Any thread may ask.
    long nanoTime();

    /// The clock of the JVM, [System#nanoTime].
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
