package io.weft.loop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/// An executor that a task holds up: what comes meanwhile waits.
final class Held {
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Held() {}

    /// Returns when `executor` runs the task that holds it up until [#letGo].
    static Held hold(Executor executor) throws InterruptedException {
        Held held = new Held();
        executor.execute(held::run);
        held.running.await();
        return held;
    }

    private void run() {
        running.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new AssertionError("not what it waits for", e);
        }
    }

    void letGo() {
        go.countDown();
    }
}
