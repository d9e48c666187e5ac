package io.weft.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class OpenExecutorTest {
    private static final int TASKS = 2_000;

    /// Without `jraft`, which needs Unsafe, and that is denied in tests.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "weft",
                "weftClq",
                "weftLtq",
                "weftLbq",
                "jraftDefault",
                "nettyDefault",
                "nettyNio",
                "jdkPool",
                "jdkVirtual"
            })
    void everySideRunsEveryTaskInOrderOnOneThread(String side) throws InterruptedException {
        List<Integer> ran = new ArrayList<>();
        CountDownLatch end = new CountDownLatch(TASKS);
        try (OpenExecutor open = OpenExecutor.open(side, TASKS)) {
            for (int i = 0; i < TASKS; i++) {
                int number = i;
                open.executor()
                        .execute(
                                () -> {
                                    ran.add(number);
                                    end.countDown();
                                });
            }
            end.await();
        }
        assertThat(ran).hasSize(TASKS).isSorted();
    }
}
