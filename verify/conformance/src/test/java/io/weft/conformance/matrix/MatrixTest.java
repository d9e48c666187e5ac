package io.weft.conformance.matrix;

import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Handlers in combination: pipelines by dice over every transport, closed, aborted and half-closed
/// at any moment. What arrives is the beginning of what was sent, and all of it where the end is
/// orderly; every promise is told once, and the truth; events keep their [grammar][GrammarCheck];
/// no buffer is left, and nobody waits for ever.
///
/// Some seeds run always, which follow from `io.weft.test.seed`, and those that ever failed. With
/// `-Dio.weft.matrix.seconds=N` fresh ones do for so long on each transport. A failure prints its
/// seed: `-Dio.weft.matrix.seed=N` runs that one again, and with `seconds` again and again.
@EveryTransport
@Timeout(3600)
class MatrixTest {
    private static final long SECONDS = Long.getLong("io.weft.matrix.seconds", 0);

    private static final long SEED = Long.getLong("io.weft.test.seed", 1);

    private static final long[] FAILED_ONCE = {16, 23, 81, 126, -1498393201801540L};

    /// Seeds from [#SEED] on.
    private static final int ALWAYS = 12;

    private final Rig rig;

    MatrixTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @BeforeAll
    static void prepare() throws Exception {
        MatrixLayer.prepare();
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void whatIsFlushedArrivesThroughAnyPipeline() throws Exception {
        rig.checkGrammarStrictly();
        Long given = Long.getLong("io.weft.matrix.seed");
        if (given != null) {
            repeat(given);
        } else if (SECONDS == 0) {
            runCommitted();
        } else {
            runFresh();
        }
    }

    /// Once, or for [#SECONDS]: what threads and the kernel do differs.
    private void repeat(long seed) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        do {
            run(seed);
        } while (System.nanoTime() - end < 0);
    }

    private void runCommitted() throws Exception {
        for (long seed : FAILED_ONCE) {
            run(seed);
        }
        for (long seed = SEED; seed < SEED + ALWAYS; seed++) {
            run(seed);
        }
    }

    private void runFresh() throws Exception {
        long first = new Random().nextInt() * 1_000_000L;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long next = first;
        List<Throwable> failures = new ArrayList<>();
        while (System.nanoTime() - end < 0 && failures.size() < 10) {
            try {
                run(next++);
            } catch (AssertionError e) {
                failures.add(e);
            }
        }
        System.out.println(
                "matrix over "
                        + rig.transport()
                        + ": "
                        + (next - first)
                        + " connections from seed "
                        + first);
        report(failures);
    }

    private static void report(List<Throwable> failures) {
        if (!failures.isEmpty()) {
            AssertionError all = new AssertionError(failures.size() + " seeds fail");
            failures.forEach(all::addSuppressed);
            throw all;
        }
    }

    private void run(long seed) throws Exception {
        new MatrixCase(rig, seed).run();
    }
}
