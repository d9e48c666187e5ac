package io.weft.transport.nio;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;

/// Offers the engine of the JDK's selectors, which works everywhere.
public final class NioProvider implements EngineProvider {
    private static final long PROBE_NANOS = 1_000_000_000;

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public int priority() {
        return 10;
    }

    @Override
    public String probe() throws EngineUnavailableException {
        NioEngine engine = new NioEngine();
        try {
            engine.wakeup();
            engine.poll(PROBE_NANOS);
        } finally {
            engine.close();
        }
        return "selectors of JDK " + Runtime.version().feature();
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        return new NioEngine();
    }
}
