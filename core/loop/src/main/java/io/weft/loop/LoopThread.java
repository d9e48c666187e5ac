package io.weft.loop;

import org.jspecify.annotations.Nullable;

/// A thread that finds its [LoopLocal] values without a hash table. Loops have such threads unless they are given a
/// factory; a factory may make them too. Any other thread works as well, only slower.
public final class LoopThread extends Thread {
    /// By index of the local; touched by this thread only.
    @Nullable Object[] locals = LoopLocal.NONE;

    /// A thread called `name` that is no daemon.
    public LoopThread(Runnable task, String name) {
        super(task, name);
        setDaemon(false);
    }
}
