package io.weft.codec.memcache;

/// The rule that a message breaks; see [MemcacheException].
public enum MemcacheFault {
    /// A binary message begins with a byte that is not that of its direction.
    MAGIC,
    /// The key and the extras of a binary message are longer than its body.
    BODY,
    /// The type of a binary message's data is not zero.
    DATA_TYPE,
    /// A line of a reply ends without CR LF, or a line has a NUL or a CR inside.
    LINE_END,
    /// A line has no word.
    EMPTY,
    /// Digits are expected where a line says how long its data is.
    LENGTH,
    /// Data is not followed by CR LF.
    DATA_END,
    /// More than [MemcacheLimits#lineBytes] allow.
    LINE_LIMIT,
    /// More than [MemcacheLimits#keyBytes] allow.
    KEY_LIMIT,
    /// More than [MemcacheLimits#valueBytes] allow.
    VALUE_LIMIT
}
