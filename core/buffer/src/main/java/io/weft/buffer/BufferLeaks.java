package io.weft.buffer;

import io.weft.buffer.leak.LeakDetector;
import io.weft.buffer.leak.LeakDetector.Level;
import java.util.concurrent.ThreadLocalRandom;

/// The leak detector of buffers. What is off costs nothing: the flags are constants to the JIT.
final class BufferLeaks {
    static final LeakDetector DETECTOR = LeakDetector.ofBuffers();
    static final boolean ON = DETECTOR.level() != Level.DISABLED;
    static final boolean RECORDING = DETECTOR.level().atLeast(Level.ADVANCED);

    private static final int INTERVAL =
            DETECTOR.level() == Level.PARANOID ? 1 : DETECTOR.samplingInterval();

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
