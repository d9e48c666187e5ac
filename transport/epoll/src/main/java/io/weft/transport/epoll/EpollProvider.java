package io.weft.transport.epoll;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.NativeAccess;
import io.weft.transport.posix.ReadinessEngine;

/// Offers the epoll engine on Linux with native access.
public final class EpollProvider implements EngineProvider {
    private static final long PROBE_NANOS = 1_000_000_000;

    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public int priority() {
        return 20;
    }

    @Override
    public String probe() throws EngineUnavailableException {
        String os = System.getProperty("os.name");
        if (!os.equals("Linux")) {
            throw new EngineUnavailableException("os: " + os + " (expected: Linux)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new EngineUnavailableException(refusal);
        }
        EpollQueue queue = new EpollQueue();
        Engine engine = new ReadinessEngine(queue);
        try {
            engine.wakeup();
            engine.poll(PROBE_NANOS);
            return "kernel "
                    + System.getProperty("os.version")
                    + ", timeouts to the "
                    + (queue.hasNanoseconds() ? "nanosecond" : "millisecond");
        } catch (IllegalStateException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        } finally {
            engine.close();
        }
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        return new ReadinessEngine(new EpollQueue());
    }
}
