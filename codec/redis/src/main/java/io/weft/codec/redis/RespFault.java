package io.weft.codec.redis;

/// The rule that a message breaks; see [RespException].
public enum RespFault {
    /// No type begins with this byte.
    TYPE,
    /// A line ends without CR LF, or has a CR, LF or NUL inside.
    LINE_END,
    /// A bulk is not followed by CR LF.
    BULK_END,
    /// Digits are expected: of an integer, a length or a count.
    INTEGER,
    /// A length or count is negative, or left open where it may not be.
    LENGTH,
    /// A double has not the form of one.
    DOUBLE,
    /// A big number has not the form of one, or more than 4,096 digits.
    BIG_NUMBER,
    /// A boolean is neither `t` nor `f`.
    BOOLEAN,
    /// Something is between a null's type and the end of its line.
    NULL,
    /// A verbatim string has no format of three bytes and a colon.
    VERBATIM,
    /// A streamed string has something else than chunks.
    CHUNK,
    /// A dot where no streamed aggregate ends, or between a key and its value.
    STREAM_END,
    /// A push is inside another value.
    PUSH,
    /// A command has something else than bulks.
    ARGUMENT,
    /// An inline command has quotes that are not closed, or closed within a word.
    QUOTES,
    /// An inline command is the beginning of a request of HTTP, which a browser was made to send.
    HTTP,
    /// More than [RespLimits#lineBytes] allow.
    LINE_LIMIT,
    /// More than [RespLimits#bulkBytes] allow.
    BULK_LIMIT,
    /// More than [RespLimits#messageBytes] allow.
    MESSAGE_LIMIT,
    /// More than [RespLimits#elements] allow.
    ELEMENTS_LIMIT,
    /// More than [RespLimits#depth] allows.
    DEPTH_LIMIT
}
