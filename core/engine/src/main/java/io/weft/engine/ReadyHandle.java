package io.weft.engine;

/// A grip on a descriptor that an engine watches and does not own.
public interface ReadyHandle {
    /// Sets the operations to report from now on; initially neither.
    void interest(boolean readable, boolean writable);

    /// Ends watching; no event follows. The descriptor stays open.
    void close();
}
