package io.weft.engine;

import java.net.SocketAddress;

/// A channel's grip on its listening descriptor.
public interface ListenHandle extends OptionHandle {
    /// The bound address, with the port that the system chose for port 0.
    SocketAddress localAddress();

    /// Accepts until closed or exhausted; called again after [ListenEvents#exhausted].
    void accept();

    /// Stops accepting until [#accept]. Connections that the engine had already taken from the
    /// kernel may still be handed up.
    void pause();

    /// Stops accepting and closes the descriptor; [ListenEvents#closed] follows, possibly at once.
    void close();
}
