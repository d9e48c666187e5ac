package io.weft.engine;

import java.net.SocketAddress;

/// A channel's grip on its listening descriptor.
public interface ListenHandle extends OptionHandle {
    /// The bound address, with the port that the system chose for port 0.
    SocketAddress localAddress();

    /// The number of the descriptor; -1 where there is none, or none that is told.
    default int descriptor() {
        return -1;
    }

    /// Accepts until closed or exhausted; called again after [ListenEvents#exhausted].
    void accept();

    /// Stops accepting until [#accept]. Connections that the engine had already taken from the
    /// kernel may still be handed up.
    void pause();

    /// Stops accepting and closes the descriptor; [ListenEvents#closed] follows, possibly at once.
    /// Connections that the engine had already taken from the kernel are handed up before.
    void close();
}
