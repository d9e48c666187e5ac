package io.weft.eventloop;

import static io.weft.eventloop.Log.LOG;

import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.loop.LoopThread;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A descriptor, or a channel of the JDK, that another owner keeps, such as a C library, and that a
/// loop watches for it; made by [EventLoop#watch]. Loop only.
///
/// It has to be closed before the descriptor is. A loop that shuts down closes it.
public final class Readiness implements AutoCloseable {
    /// Is told what can be done. On the loop; must not block. What it throws is logged and ends the
    /// watch.
    @FunctionalInterface
    public interface Listener {
        /// Reading, or writing, would not block; or there is an error or a hang-up, which the
        /// attempt will tell. Called again in each round until the cause is gone, the
        /// [interest][Readiness#interest] has changed, or the watch is closed.
        void ready(Readiness source, boolean readable, boolean writable) throws Exception;
    }

    private final EventLoop loop;
    private final Listener listener;
    private @Nullable ReadyHandle handle;

    Readiness(EventLoop loop, Listener listener) {
        this.loop = loop;
        this.listener = listener;
    }

    void watchedBy(ReadyHandle watching) {
        handle = watching;
    }

    ReadyEvents events() {
        return new ReadyEvents() {
            @Override
            public void ready(boolean readable, boolean writable) {
                tell(readable, writable);
            }

            @Override
            public void failed(IOException cause) {
                LOG.failure("a descriptor cannot be watched any more", cause);
                close();
            }
        };
    }

    private void tell(boolean readable, boolean writable) {
        if (handle == null) {
            return;
        }
        LoopThread.working();
        try {
            listener.ready(this, readable, writable);
        } catch (Throwable t) {
            LOG.failure("a listener of a descriptor threw; it is watched no more", t);
            close();
        }
    }

    /// Sets the operations to report from now on; initially neither.
    ///
    /// @throws IllegalStateException when closed
    public void interest(boolean readable, boolean writable) {
        if (handle == null) {
            throw new IllegalStateException("readiness: closed (expected: open)");
        }
        handle.interest(readable, writable);
    }

    /// False once it was closed, or the descriptor was.
    public boolean isOpen() {
        return handle != null;
    }

    /// Ends watching; the descriptor stays open. Closing twice changes nothing.
    @Override
    public void close() {
        ReadyHandle watching = handle;
        if (watching != null) {
            handle = null;
            Watches.of(loop).closed(this);
            watching.close();
        }
    }
}
