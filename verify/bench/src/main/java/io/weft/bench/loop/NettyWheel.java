package io.weft.bench.loop;

import io.netty.util.HashedWheelTimer;
import io.netty.util.TimerTask;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/// Netty's [HashedWheelTimer] in virtual time: its worker's steps are called one by one by the
/// thread that owns this, instead of by its own thread between two sleeps.
final class NettyWheel {
    private static final String WORKER = "io.netty.util.HashedWheelTimer$Worker";
    private static final String BUCKET = "io.netty.util.HashedWheelTimer$HashedWheelBucket";
    private static final int STARTED = 1;

    private static final VarHandle TICK;
    private static final VarHandle START_TIME;
    private static final MethodHandle PROCESS_CANCELLED;
    private static final MethodHandle TRANSFER;
    private static final MethodHandle EXPIRE;
    private static final VarHandle STATE;
    private static final VarHandle WORKER_OF;
    private static final VarHandle WHEEL;

    static {
        try {
            MethodHandles.Lookup in =
                    MethodHandles.privateLookupIn(HashedWheelTimer.class, MethodHandles.lookup());
            Class<?> worker = in.findClass(WORKER);
            Class<?> bucket = in.findClass(BUCKET);
            MethodHandles.Lookup inWorker = MethodHandles.privateLookupIn(worker, in);
            TICK = inWorker.findVarHandle(worker, "tick", long.class);
            PROCESS_CANCELLED = step(inWorker, worker, "processCancelledTasks");
            TRANSFER = step(inWorker, worker, "transferTimeoutsToBuckets");
            EXPIRE =
                    MethodHandles.privateLookupIn(bucket, in)
                            .findVirtual(
                                    bucket,
                                    "expireTimeouts",
                                    MethodType.methodType(void.class, long.class))
                            .asType(MethodType.methodType(void.class, Object.class, long.class));
            START_TIME = in.findVarHandle(HashedWheelTimer.class, "startTime", long.class);
            STATE = in.findVarHandle(HashedWheelTimer.class, "workerState", int.class);
            WORKER_OF = in.findVarHandle(HashedWheelTimer.class, "worker", worker);
            WHEEL = in.findVarHandle(HashedWheelTimer.class, "wheel", bucket.arrayType());
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HashedWheelTimer timer;
    private final Object worker;
    private final Object[] buckets;
    private final long tickNanos;
    private long tick;

    /// A wheel of `buckets`, rounded up to a power of two, one of which is a tick of `tickNanos`.
    NettyWheel(long tickNanos, int buckets) {
        this.tickNanos = tickNanos;
        timer =
                new HashedWheelTimer(
                        Thread.ofPlatform().daemon().factory(),
                        tickNanos,
                        TimeUnit.NANOSECONDS,
                        buckets,
                        false);
        worker = WORKER_OF.get(timer);
        this.buckets = (Object[]) WHEEL.get(timer);
        STATE.setVolatile(timer, STARTED);
        setTime();
    }

    private static MethodHandle step(MethodHandles.Lookup in, Class<?> worker, String name)
            throws ReflectiveOperationException {
        return in.findVirtual(worker, name, MethodType.methodType(void.class))
                .asType(MethodType.methodType(void.class, Object.class));
    }

    /// A timeout counts from the time of the last tick on.
    void arm(TimerTask task, long nanos) {
        timer.newTimeout(task, nanos, TimeUnit.NANOSECONDS);
    }

    /// Does the worker's work of one tick.
    void tick() {
        tick++;
        setTime();
        Object bucket = buckets[(int) (tick - 1) & (buckets.length - 1)];
        try {
            PROCESS_CANCELLED.invokeExact(worker);
            TRANSFER.invokeExact(worker);
            EXPIRE.invokeExact(bucket, tick * tickNanos);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
        TICK.set(worker, tick);
    }

    /// Deadlines are taken from the clock less this; so it is the clock that stands still, but for
    /// the time a tick takes.
    private void setTime() {
        START_TIME.setVolatile(timer, System.nanoTime() - tick * tickNanos);
    }
}
