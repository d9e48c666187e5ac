package io.weft.bench.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Windows of a second each, in which compilers work for some milliseconds.
class WarmUpTest {
    private long now;
    private long worked;

    private int run(int... millis) throws IOException, InterruptedException {
        return run(WarmUp.QUIET, millis);
    }

    private int run(double quiet, int... millis) throws IOException, InterruptedException {
        int[] window = {0};
        return new WarmUp(() -> worked, () -> now, quiet)
                .run(
                        () -> {
                            int each = Math.min(window[0]++, millis.length - 1);
                            worked += TimeUnit.MILLISECONDS.toNanos(millis[each]);
                            now += TimeUnit.SECONDS.toNanos(1);
                        });
    }

    @Test
    void endWithTheWindowInWhichCompilersWorkLittle() throws IOException, InterruptedException {
        assertThat(run(500, 480, 90, 30)).isEqualTo(4);
    }

    @Test
    void takeNoWindowForTimesInWhichCompilersWork() throws IOException, InterruptedException {
        assertThat(run(WarmUp.QUIET_FOR_TIMES, 500, 30, 3, 1)).isEqualTo(4);
    }

    @Test
    void takeOneWindowOfAServerWithoutCompilers() throws IOException, InterruptedException {
        assertThat(run(0)).isOne();
    }

    @Test
    void endWithTheLastWindowAllTheSame() throws IOException, InterruptedException {
        assertThat(run(500)).isEqualTo(WarmUp.MOST);
    }

    @Test
    void findNoCompilersInAProgramThatIsNoJvm() throws IOException, InterruptedException {
        Process other = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(new Compilers(other.pid()).nanos()).isZero();
            assertThat(new Compilers(ProcessHandle.current().pid()).nanos()).isPositive();
        } finally {
            other.destroy();
        }
    }
}
