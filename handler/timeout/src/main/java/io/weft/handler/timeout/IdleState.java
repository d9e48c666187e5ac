package io.weft.handler.timeout;

/// A user event: nothing has happened for a while. It is fired again and again while that lasts.
///
/// @param kind what did not happen
/// @param first whether something happened since the last event of the kind
public record IdleState(Kind kind, boolean first) {
    /// The kind of event that did not happen.
    public enum Kind {
        /// Nothing was received.
        READER,

        /// Nothing was sent.
        WRITER,

        /// Nothing was received or sent.
        ALL
    }
}
