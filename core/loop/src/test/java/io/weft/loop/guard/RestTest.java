package io.weft.loop.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestTest {
    private static final long FOREVER = TimeUnit.DAYS.toNanos(1);

    private final Rest rest = new Rest();

    @Test
    void aRestIsEndedByALoopThatGoesOn() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> ended =
                CompletableFuture.supplyAsync(
                        () ->
                                rest.take(
                                        () -> {
                                            begun.countDown();
                                            return true;
                                        },
                                        FOREVER));
        begun.await();
        rest.end();
        assertThat(ended.join()).isTrue();
    }

    @Test
    void noneIsTakenWhenALoopWorks() {
        assertThat(rest.take(() -> false, FOREVER)).isTrue();
    }

    @Test
    void aRestEndsByItself() {
        assertThat(rest.take(() -> true, 1)).isFalse();
    }

    @Test
    void endingNoneDoesNothing() {
        rest.end();
        assertThat(rest.take(() -> true, 1)).isFalse();
    }
}
