package io.weft.transport.udt;

/// The service of a UDT connection. Both sides choose the same one, or the handshake fails.
public enum UdtMode {
    /// Bytes in order, as of TCP.
    STREAM,
    /// Messages, each of which arrives whole or not at all. A buffer that is written is one, and so
    /// is one that is read.
    MESSAGE
}
