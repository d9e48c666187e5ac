package io.weft.eventloop.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import org.junit.jupiter.api.Test;

class BlockingPoolTest {
    @Test
    void callFailsWhereNoThreadCanBeStarted() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        BlockingPool pool =
                new BlockingPool(
                        "test",
                        1,
                        1,
                        _ -> {
                            throw noThread;
                        });
        Promise<String> promise = new ManualExecutor().newPromise();
        pool.run(promise, () -> "done");
        assertThat(promise.cause()).isSameAs(noThread);
    }
}
