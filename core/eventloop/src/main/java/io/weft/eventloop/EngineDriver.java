package io.weft.eventloop;

import static io.weft.eventloop.Log.LOG;

import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.Engine;
import io.weft.loop.LoopDriver;
import org.jspecify.annotations.Nullable;

/// Does what the engine does between tasks, and ends the resources before the loop ends.
///
/// An engine that does not start leaves a loop that opens nothing and says why, but runs its tasks,
/// and ends.
final class EngineDriver implements LoopDriver {
    private final EventLoop loop;
    private final Engine engine;

    /// Driver that moves the loop: the engine, or in its place one that only sleeps.
    private volatile LoopDriver moving;

    /// The thread that has its blocks from this. One that had some before keeps them: it may drive
    /// several loops.
    private @Nullable Thread attached;

    EngineDriver(EventLoop loop, Engine engine) {
        this.loop = loop;
        this.engine = engine;
        this.moving = engine;
    }

    /// The first receive may come when descriptors have run out, and then no class can be loaded.
    /// If memory has run out, the classes are loaded all the same, and there may be some later: a
    /// loop starts once.
    private static void loadAllocator() {
        try {
            BufferAllocator.pooled().allocate(1).release();
        } catch (MemoryLimitException | OutOfMemoryError e) {
            LOG.debug("a loop starts without memory for buffers", e);
        }
    }

    @Override
    public void start() {
        loadAllocator();
        try {
            if (BufferAllocator.pooled().attachThread(() -> loop.execute(() -> {}))) {
                attached = Thread.currentThread();
            }
            engine.start();
        } catch (Throwable t) {
            LOG.failure("an engine did not start; its loop opens no channels", t);
            loop.engine().notStarted(t);
            LoopDriver parking = LoopDriver.parking();
            parking.start();
            moving = parking;
        }
    }

    @Override
    public void entered(@Nullable Thread thread) {
        loop.entered(thread);
    }

    @Override
    public void poll(long timeoutNanos) {
        // Also wakes a loop that would sleep on memory which nobody needs any more.
        long untilTrim = BufferAllocator.pooled().idle(loop.clock().nanoTime());
        int waiting = loop.engine().awaitingTurn();
        moving.poll(waiting == 0 ? Math.min(timeoutNanos, untilTrim) : 0);
        loop.engine().turned(waiting);
    }

    @Override
    public void wakeup() {
        moving.wakeup();
    }

    @Override
    public void shuttingDown() {
        loop.engine().closeAll();
    }

    @Override
    public boolean isIdle() {
        return loop.engine().isIdle();
    }

    @Override
    public void close() {
        try {
            loop.engine().abortAll();
        } finally {
            try {
                engine.close();
            } finally {
                if (attached == Thread.currentThread()) {
                    BufferAllocator.pooled().detachThread();
                }
            }
        }
    }
}
