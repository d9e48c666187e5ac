package io.weft.codec.compression;

/// Wrappers of deflated data (RFC 1951).
public enum Deflate {
    /// Two bytes before it, and an Adler-32 behind (RFC 1950). HTTP calls this "deflate".
    ZLIB,

    /// A header before it, and a CRC-32 and the length behind; several may follow each other (RFC
    /// 1952).
    GZIP,

    /// Nothing.
    RAW,

    /// When expanding: whichever of the three it is, told by the first two bytes.
    AUTO
}
