package io.weft.client.pipelined;

import org.jspecify.annotations.Nullable;

/// Events of a client's connections, on its loop and without a lock.
public interface LineListener {
    /// Calls go to a connection from now on.
    default void ready() {}

    /// A connection was lost, or an attempt has failed.
    ///
    /// @param stood [#ready] was called for it
    default void lost(boolean stood, @Nullable Throwable cause) {}
}
