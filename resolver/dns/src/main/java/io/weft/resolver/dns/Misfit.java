package io.weft.resolver.dns;

/// The reason why a message is not taken as the response to a query. Such a message is ignored, and
/// the wait for the right one goes on: whoever sends forged ones must not be able to end it.
public enum Misfit {
    /// It comes from another address or port (RFC 5452, 3).
    SOURCE,
    /// It is malformed.
    MALFORMED,
    /// Its id is another one.
    ID,
    /// It is a query.
    NO_RESPONSE,
    /// Its opcode is another one.
    OPCODE,
    /// It has no question, or not the one that was asked (RFC 5452, 9.1).
    QUESTION,
    /// The letters of its question are in another case than was sent (0x20).
    CASE,
    /// Its cookie is another one, or missing though the server is known to send it (RFC 7873, 5.3).
    COOKIE,
    /// It is longer than was allowed, and may have come in fragments.
    LENGTH
}
