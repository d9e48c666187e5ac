package io.weft.engine;

import io.weft.loop.EventExecutor;
import java.io.IOException;

/// A connection that was accepted and belongs to no loop yet. Whoever has it has a loop adopt it,
/// or closes it.
public interface Accepted {
    /// Makes this connection a stream of a loop, on that loop. An engine's connections leave this
    /// to [Engine#adopt]; those of an [EndpointProvider] override it.
    ///
    /// @param loop runs the callbacks
    /// @param engine the loop's
    /// @throws IOException when it cannot be adopted; it is closed then
    default StreamHandle adopt(EventExecutor loop, Engine engine, StreamEvents events)
            throws IOException {
        return engine.adopt(this, events);
    }

    /// Closes the connection, unless it was adopted or closed before; from any thread.
    void close();
}
