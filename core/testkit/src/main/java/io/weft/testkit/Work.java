package io.weft.testkit;

/// Counts what instrumented code does: its branches and calls. For [WorkMeter] alone, public
/// because the counted copies of classes call it.
public final class Work {
    private static long count;

    private Work() {}

    /// One branch or call.
    public static void tick() {
        count++;
    }

    /// Returns the number of branches and calls since the last call of this method.
    public static long take() {
        long n = count;
        count = 0;
        return n;
    }
}
