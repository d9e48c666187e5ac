package io.weft.engine;

import java.io.IOException;

/// Events that an engine reports to a listening channel.
public interface ListenEvents {
    /// A connection was accepted; the receiver owns it.
    void accepted(Accepted connection);

    /// The system has no descriptor or memory for another connection (EMFILE, ENFILE, ENOBUFS,
    /// ENOMEM). The engine has stopped accepting, so that a full backlog costs nothing, until
    /// [ListenHandle#accept] is called again.
    void exhausted(IOException cause);

    /// The descriptor is closed; the last event.
    void closed();
}
