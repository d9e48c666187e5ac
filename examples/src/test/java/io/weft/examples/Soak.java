package io.weft.examples;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// The length and the choices of a soak: so many steps with a committed seed, or
/// `-Dio.weft.soak.seconds=N` and a seed that is printed.
public final class Soak {
    private static final int STEPS = 1_000;

    private final SplittableRandom random;
    private final long end;
    private int steps;

    public Soak(String name) {
        long seconds = Long.getLong("io.weft.soak.seconds", 0);
        long seed = Long.getLong("io.weft.test.seed", 1);
        random = new SplittableRandom(seed);
        end = seconds == 0 ? 0 : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        System.out.println(name + ": seed " + seed);
    }

    /// Tells if another step is to be made.
    public boolean goesOn() {
        return ++steps <= STEPS || (end != 0 && System.nanoTime() - end < 0);
    }

    public int step() {
        return steps;
    }

    /// One of `times` on average.
    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }
}
