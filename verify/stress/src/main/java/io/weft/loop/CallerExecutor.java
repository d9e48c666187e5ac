package io.weft.loop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Runs each task on the thread that hands it over: no queue to make for each of a million states.
final class CallerExecutor implements EventExecutor {
    @Override
    public boolean inLoop() {
        return false;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Timeout schedule(Runnable task, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int pendingTasks() {
        return 0;
    }

    @Override
    public Clock clock() {
        return Clock.system();
    }

    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public Future<Void> terminationFuture() {
        throw new UnsupportedOperationException();
    }
}
