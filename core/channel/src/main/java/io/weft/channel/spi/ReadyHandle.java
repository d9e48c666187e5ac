package io.weft.channel.spi;

/// A grip on a descriptor that an engine watches and does not own.
public interface ReadyHandle {
    /// What to tell of from now on; neither, to begin with.
    void interest(boolean readable, boolean writable);

    /// Ends watching; no event follows. The descriptor stays open.
    void close();
}
