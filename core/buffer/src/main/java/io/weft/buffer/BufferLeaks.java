package io.weft.buffer;

import io.weft.buffer.LeakDetector.Level;
import java.util.concurrent.ThreadLocalRandom;

/// The leak detector of buffers. What is off costs nothing: the flags are constants to the JIT.
final class BufferLeaks {
    static final LeakDetector DETECTOR = new LeakDetector("buffer");
    static final boolean ON = LeakDetector.LEVEL != Level.DISABLED;
    static final boolean RECORDING = LeakDetector.LEVEL.atLeast(Level.ADVANCED);

    private static final int INTERVAL =
            LeakDetector.LEVEL == Level.PARANOID ? 1 : LeakDetector.SAMPLING_INTERVAL;

    private BufferLeaks() {}

    /// Reports leaks that were found since the last time; where there are none this reads one
    /// field.
    static void check() {
        if (ON) {
            DETECTOR.check();
        }
    }

    /// Returns the number of buffers to let pass before the next one is followed: random, so that
    /// no pattern in the program's allocations hides one of them; one less than the sampling
    /// interval in the mean.
    static int draw() {
        return INTERVAL == 1 ? 0 : ThreadLocalRandom.current().nextInt(2 * INTERVAL - 1);
    }
}
