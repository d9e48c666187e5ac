package io.weft.transport.kqueue;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Kevent;
import io.weft.ffi.KqueueCalls;
import io.weft.ffi.NativeAccess;
import io.weft.transport.posix.ReadinessEngine;
import java.util.concurrent.atomic.AtomicLong;

/// The kqueue engine on Linux, over a scripted kqueue with the layout of macOS.
public final class ScriptedKqueueProvider implements EngineProvider {
    /// Calls of `kevent` of all queues.
    static final AtomicLong CALLS = new AtomicLong();

    /// Counts the calls.
    private record Counted(KqueueCalls real) implements KqueueCalls {
        @Override
        public int kqueue() {
            return real.kqueue();
        }

        @Override
        public int kevent(
                int queue,
                long changes,
                int changeCount,
                long events,
                int eventCount,
                long timeoutNanos) {
            CALLS.incrementAndGet();
            return real.kevent(queue, changes, changeCount, events, eventCount, timeoutNanos);
        }

        @Override
        public int close(int queue) {
            return real.close(queue);
        }
    }

    @Override
    public String name() {
        return "scripted-kqueue";
    }

    /// Never chosen unless it is named.
    @Override
    public int priority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public String probe() throws EngineUnavailableException {
        create().close();
        return "scripted";
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        String os = System.getProperty("os.name");
        if (!os.equals("Linux")) {
            throw new EngineUnavailableException("os: " + os + " (expected: Linux)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new EngineUnavailableException(refusal);
        }
        Kevent layout = Kevent.MACOS;
        return new ReadinessEngine(
                new KqueueQueue(new Counted(new ScriptedKqueue(layout)), layout));
    }
}
