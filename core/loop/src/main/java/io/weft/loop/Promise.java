package io.weft.loop;

import io.weft.loop.guard.Faults;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A [Future] and the right to complete it. The first completion counts; any thread may make it.
///
/// One field holds everything: null (pending, no thread waits), a stack of [Waiting] (pending), or
/// the result. It changes by compare-and-set only, and never again once it is a result, so that the
/// thread that swaps the stack for a result owns the stack and calls each listener exactly once.
/// Entries are pushed without a lock; those of waits that were given up leave under one.
public final class Promise<V> implements Future<V> {
    private static final VarHandle STATE = stateHandle();
    private static final Object NULL = new Object();
    private static final Waiting UNCANCELLABLE = new Waiting(null, null, true);

    // Listeners that complete a promise whose listeners complete a promise ...: from this depth on
    // by way of the queue.
    private static final int MAX_DEPTH = 8;
    private static final ThreadLocal<Nesting> NESTING = ThreadLocal.withInitial(Nesting::new);

    private final EventExecutor executor;
    private volatile @Nullable Object state;

    /// An entry of the stack: a `Consumer` to call, a `Thread` to unpark, or null, which only says
    /// uncancellable.
    private static final class Waiting {
        private final @Nullable Object who;
        private final boolean uncancellable;

        /// Changed under the promise's lock, where the entry behind this one leaves. A thread that
        /// walks the stack meanwhile may still come past that one.
        private @Nullable Waiting next;

        Waiting(@Nullable Object who, @Nullable Waiting next, boolean uncancellable) {
            this.who = who;
            this.next = next;
            this.uncancellable = uncancellable;
        }
    }

    private record Failure(Throwable cause) {
        Failure {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /// The depth of a thread in nested listeners.
    private static final class Nesting {
        private int depth; // on a loop
        private @Nullable ArrayDeque<Runnable> later; // where there is no loop any more
    }

    /// A pending promise whose listeners run on `executor`.
    public Promise(EventExecutor executor) {
        this.executor = executor;
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Promise.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A promise that has succeeded with `value`.
    public static <V> Promise<V> succeeded(EventExecutor executor, @Nullable V value) {
        Promise<V> promise = new Promise<>(executor);
        promise.state = value == null ? NULL : value;
        return promise;
    }

    /// A promise that has failed with `cause`.
    public static <V> Promise<V> failed(EventExecutor executor, Throwable cause) {
        Promise<V> promise = new Promise<>(executor);
        promise.state = new Failure(cause);
        return promise;
    }

    /// Succeeds with `value`; null is for operations that yield nothing.
    ///
    /// @return false when the promise was done already
    public boolean trySuccess(@Nullable V value) {
        return complete(value == null ? NULL : value, false);
    }

    /// Fails with `cause`.
    ///
    /// @return false when the promise was done already
    public boolean tryFailure(Throwable cause) {
        return complete(new Failure(cause), false);
    }

    /// Succeeds with `value`.
    ///
    /// @throws IllegalStateException when the promise was done already
    public Promise<V> setSuccess(@Nullable V value) {
        if (!trySuccess(value)) {
            throw new IllegalStateException("promise: " + this + " (expected: pending)");
        }
        return this;
    }

    /// Fails with `cause`.
    ///
    /// @throws IllegalStateException when the promise was done already; `cause` is suppressed in it
    public Promise<V> setFailure(Throwable cause) {
        if (!tryFailure(cause)) {
            var e = new IllegalStateException("promise: " + this + " (expected: pending)");
            e.addSuppressed(cause);
            throw e;
        }
        return this;
    }

    /// Rules out [#cancel] from now on: the operation has begun in earnest.
    ///
    /// @return false when the promise has been cancelled: do not begin
    public boolean setUncancellable() {
        for (; ; ) {
            Object s = state;
            if (isResult(s)) {
                return !isCancelled();
            }
            Waiting top = (Waiting) s;
            if (top != null && top.uncancellable) {
                return true;
            }
            Waiting marked = top == null ? UNCANCELLABLE : new Waiting(null, top, true);
            if (STATE.compareAndSet(this, s, marked)) {
                return true;
            }
        }
    }

    @Override
    public boolean cancel() {
        Object s = state;
        if (isResult(s) || (s instanceof Waiting top && top.uncancellable)) {
            return false; // before there is an exception with its stack
        }
        return complete(new Failure(new CancellationException("cancelled")), true);
    }

    @Override
    public EventExecutor executor() {
        return executor;
    }

    @Override
    public boolean isDone() {
        return isResult(state);
    }

    @Override
    public boolean isSuccess() {
        Object s = state;
        return isResult(s) && !(s instanceof Failure);
    }

    @Override
    public boolean isCancelled() {
        return state instanceof Failure f && f.cause instanceof CancellationException;
    }

    @Override
    public @Nullable Throwable cause() {
        return state instanceof Failure f ? f.cause : null;
    }

    @Override
    @SuppressWarnings("unchecked") // a result that is neither NULL nor a Failure was a V
    public @Nullable V now() {
        Object s = state;
        return isResult(s) && s != NULL && !(s instanceof Failure) ? (V) s : null;
    }

    private static boolean isResult(@Nullable Object s) {
        return s != null && !(s instanceof Waiting);
    }

    @Override
    public Promise<V> addListener(Consumer<? super Future<V>> listener) {
        Waiting waiting = push(Objects.requireNonNull(listener, "listener"));
        if (waiting == null) {
            deliver(new Waiting(listener, null, false), 1);
        }
        return this;
    }

    /// Null when the promise is done.
    private @Nullable Waiting push(Object who) {
        for (; ; ) {
            Object s = state;
            if (isResult(s)) {
                return null;
            }
            Waiting top = (Waiting) s;
            Waiting pushed = new Waiting(who, top, top != null && top.uncancellable);
            if (STATE.compareAndSet(this, s, pushed)) {
                return pushed;
            }
        }
    }

    private boolean complete(Object result, boolean cancelling) {
        for (; ; ) {
            Object s = state;
            if (isResult(s)) {
                return false;
            }
            Waiting top = (Waiting) s;
            if (cancelling && top != null && top.uncancellable) {
                return false;
            }
            if (STATE.compareAndSet(this, s, result)) {
                release(top);
                return true;
            }
        }
    }

    private void release(@Nullable Waiting top) {
        int listeners = 0;
        for (Waiting w = top; w != null; w = w.next) {
            if (w.who instanceof Thread thread) {
                LockSupport.unpark(thread);
            } else if (w.who != null) {
                listeners++;
            }
        }
        if (top != null && listeners > 0) {
            deliver(top, listeners);
        }
    }

    private void deliver(Waiting top, int listeners) {
        if (executor.inLoop()) {
            Nesting nesting = NESTING.get();
            if (nesting.depth < MAX_DEPTH) {
                nesting.depth++;
                try {
                    call(top, listeners);
                } finally {
                    nesting.depth--;
                }
                return;
            }
        }
        try {
            executor.executeUnbounded(() -> call(top, listeners));
        } catch (RejectedExecutionException _) {
            // The loop has ended: there is no thread left that this one could race with, and nobody
            // else to do it.
            callWithoutLoop(top, listeners);
        }
    }

    /// Instead of the queue that is no more, what comes of a listener waits for that listener to
    /// return.
    private void callWithoutLoop(Waiting top, int listeners) {
        Nesting nesting = NESTING.get();
        if (nesting.later != null) {
            nesting.later.add(() -> call(top, listeners));
            return;
        }
        var later = new ArrayDeque<Runnable>();
        nesting.later = later;
        try {
            call(top, listeners);
            for (Runnable next; (next = later.poll()) != null; ) {
                next.run();
            }
        } finally {
            nesting.later = null;
        }
    }

    /// Calls the listeners from the bottom of the stack, the oldest, to the top.
    private void call(Waiting top, int listeners) {
        if (top.next == null) {
            call(top);
            return;
        }
        Waiting[] order = new Waiting[listeners];
        int i = listeners;
        for (Waiting w = top; w != null; w = w.next) {
            if (w.who instanceof Consumer) {
                order[--i] = w;
            }
        }
        for (Waiting w : order) {
            call(w);
        }
    }

    @SuppressWarnings("unchecked") // only addListener pushes consumers
    private void call(Waiting waiting) {
        try {
            if (waiting.who instanceof Consumer<?> listener) {
                ((Consumer<? super Future<V>>) listener).accept(this);
            }
        } catch (Throwable t) {
            Faults.report("a listener threw", t);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // null only where null is the value that was set
    public V join() {
        boolean interrupted = false;
        Waiting me = null;
        while (!isDone()) {
            if (me == null) {
                refuseToBlockTheLoop();
                me = push(Thread.currentThread());
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = cause();
        switch (cause) {
            case null -> {}
            case CancellationException e -> throw e;
            default -> throw new CompletionException(cause);
        }
        return now();
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (isDone()) {
            return true;
        }
        refuseToBlockTheLoop();
        long nanos = unit.toNanos(timeout);
        long start = System.nanoTime();
        Waiting me = push(Thread.currentThread());
        try {
            while (!isDone()) {
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        } finally {
            if (me != null) {
                forget(me);
            }
        }
    }

    private void refuseToBlockTheLoop() {
        if (executor.isDriver()) {
            throw BlockingOperationException.waitFor(this, executor.inLoop(), "a listener");
        }
    }

    /// Takes the entry of a wait that was given up off the stack. No other entry moves, so that
    /// each finds its own; one at a time, as two neighbours that leave at once would bring one
    /// another back.
    private synchronized void forget(Waiting gone) {
        for (Object s = state; !isResult(s); s = state) {
            Waiting above = (Waiting) s;
            if (above != gone) {
                while (above != null && above.next != gone) {
                    above = above.next;
                }
                if (above != null) {
                    above.next = gone.next;
                }
                return;
            }
            // The mark of being uncancellable is not lost: the entry that `gone` has it from is
            // below.
            if (STATE.compareAndSet(this, gone, gone.next)) {
                return;
            }
        }
    }

    /// The number of entries of the stack, for tests.
    synchronized int waiting() {
        int count = 0;
        for (Waiting w = state instanceof Waiting top ? top : null; w != null; w = w.next) {
            count++;
        }
        return count;
    }

    @Override
    public CompletionStage<V> toCompletionStage() {
        CompletableFuture<V> stage = new LoopStage<>(executor::isDriver, executor::inLoop);
        addListener(
                future -> {
                    Throwable cause = future.cause();
                    if (cause == null) {
                        stage.complete(future.now());
                    } else {
                        stage.completeExceptionally(cause);
                    }
                });
        return stage;
    }

    @Override
    public String toString() {
        Object s = state;
        if (!isResult(s)) {
            return "Promise(pending)";
        }
        return s instanceof Failure f ? "Promise(failed: " + f.cause + ")" : "Promise(succeeded)";
    }
}
