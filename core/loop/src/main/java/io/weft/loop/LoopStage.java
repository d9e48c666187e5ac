package io.weft.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A stage that a loop does not wait for, if the loop is what would have to complete it. Nor for
/// any that depends on it.
final class LoopStage<T extends @Nullable Object> extends CompletableFuture<T> {
    private final BooleanSupplier inLoop;

    /// @param inLoop true for the threads that must not wait
    LoopStage(BooleanSupplier inLoop) {
        this.inLoop = inLoop;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new LoopStage<>(inLoop);
    }

    @Override
    public T join() {
        refuseToBlockTheLoop();
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        refuseToBlockTheLoop();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        refuseToBlockTheLoop();
        return super.get(timeout, unit);
    }

    private void refuseToBlockTheLoop() {
        if (!isDone() && inLoop.getAsBoolean()) {
            throw new BlockingOperationException(
                    "wait for " + this + " by its own loop (expected: another thread, or a stage)");
        }
    }
}
