package io.weft.engine;

/// A connection that was accepted and belongs to no loop yet. Whoever has it passes it to
/// [Engine#adopt] or closes it.
public interface Accepted {
    /// Closes the connection, unless it was adopted or closed before; from any thread.
    void close();
}
