package io.weft.bench.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/// One JMH thread that hands tasks to a single-thread executor and waits until they have run. JMH
/// keeps the states of its threads on cache lines of their own.
@State(Scope.Thread)
public class Producer {
    // By ordered store: the executor's thread is the only one that adds while the producer waits.
    private static final AtomicIntegerFieldUpdater<Producer> RAN =
            AtomicIntegerFieldUpdater.newUpdater(Producer.class, "ran");

    private final Thread thread = Thread.currentThread();
    private final Runnable count = this::count;
    private final Runnable last = this::runLast;
    private final Runnable working = this::runWorking;

    private volatile int ran;

    private volatile boolean done;

    private int burn; // published with each task

    private void count() {
        RAN.lazySet(this, ran + 1);
    }

    private void runLast() {
        count();
        done = true;
        LockSupport.unpark(thread);
    }

    /// Hands over `tasks` tasks, sleeps until the last one has run, and checks that all of them
    /// have.
    void handOver(Executor executor, int tasks) {
        done = false;
        RAN.lazySet(this, 0);
        for (int i = 1; i < tasks; i++) {
            executor.execute(count);
        }
        executor.execute(last);
        while (!done) {
            LockSupport.park(this);
        }
        check(tasks);
    }

    /// Like [#handOver], but spins, and each task burns `work` tokens of JMH's.
    void burst(Executor executor, int tasks, int work) {
        RAN.lazySet(this, 0);
        Runnable task = work == 0 ? count : working;
        burn = work;
        for (int i = 0; i < tasks; i++) {
            executor.execute(task);
        }
        while (ran < tasks) {
            // as the benchmark that this is a port of: not even a hint to the processor
        }
    }

    private void runWorking() {
        Blackhole.consumeCPU(burn);
        count();
    }

    private void check(int tasks) {
        if (ran != tasks) {
            throw new IllegalStateException("tasks run: " + ran + " (expected: " + tasks + ")");
        }
    }
}
