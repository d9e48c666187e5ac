package io.weft.buffer.leak;

/// The log of a detector, for tests that leak on purpose.
public final class LeakLog {
    private LeakLog() {}

    public static void mute(LeakDetector detector) {
        detector.leaks.log = _ -> {};
    }
}
