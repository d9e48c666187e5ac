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
    private final BooleanSupplier drives;
    private final BooleanSupplier inLoop;

    /// @param drives true for the threads that must not wait
    /// @param inLoop true for those of them that are in the loop
    LoopStage(BooleanSupplier drives, BooleanSupplier inLoop) {
        this.drives = drives;
        this.inLoop = inLoop;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new LoopStage<>(drives, inLoop);
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
        if (!isDone() && drives.getAsBoolean()) {
            throw BlockingOperationException.waitFor(this, inLoop.getAsBoolean(), "a stage");
        }
    }
}
