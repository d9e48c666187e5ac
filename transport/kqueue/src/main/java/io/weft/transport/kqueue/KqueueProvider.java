package io.weft.transport.kqueue;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Kevent;
import io.weft.ffi.Kqueue;
import io.weft.ffi.NativeAccess;
import io.weft.transport.posix.ReadinessEngine;

/// Offers the kqueue engine on Linux, over the library that `io.weft.kqueue.library` names. The
/// engine is for macOS and FreeBSD, whose sockets are not known here yet.
public final class KqueueProvider implements EngineProvider {
    private static final long PROBE_NANOS = 1_000_000_000;

    @Override
    public String name() {
        return "kqueue";
    }

    @Override
    public int priority() {
        return 20;
    }

    private static KqueueQueue queue() throws EngineUnavailableException {
        String os = System.getProperty("os.name");
        String library = System.getProperty("io.weft.kqueue.library");
        if (library == null || !os.equals("Linux")) {
            throw new EngineUnavailableException(
                    "os: "
                            + os
                            + " (expected: Linux with io.weft.kqueue.library; the sockets of macOS"
                            + " and FreeBSD are not known yet)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new EngineUnavailableException(refusal);
        }
        try {
            return new KqueueQueue(Kqueue.ofLibrary(library), Kevent.LIBKQUEUE);
        } catch (UnsupportedOperationException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String probe() throws EngineUnavailableException {
        Engine engine = create();
        try {
            engine.wakeup();
            engine.poll(PROBE_NANOS);
            return System.getProperty("os.name") + " " + System.getProperty("os.version");
        } catch (IllegalStateException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        } finally {
            engine.close();
        }
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        return new ReadinessEngine(queue());
    }
}
