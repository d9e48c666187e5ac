package io.weft.transport.uring;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.NativeAccess;

/// Offers the io_uring engine where kernel 6.1 or newer, seccomp and native access allow it.
public final class UringProvider implements EngineProvider {
    @Override
    public String name() {
        return "io_uring";
    }

    @Override
    public int priority() {
        return 30;
    }

    @Override
    public String probe() throws EngineUnavailableException {
        requireLinux();
        UringEngine engine = new UringEngine();
        try {
            engine.start();
            engine.wakeup();
            engine.poll(Long.MAX_VALUE);
        } catch (IllegalStateException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        } finally {
            engine.close();
        }
        return "kernel "
                + System.getProperty("os.version")
                + ", multishot receive into provided buffers";
    }

    private static void requireLinux() throws EngineUnavailableException {
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new EngineUnavailableException(
                    "os: " + System.getProperty("os.name") + " (expected: Linux)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new EngineUnavailableException(refusal);
        }
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        return new UringEngine();
    }
}
