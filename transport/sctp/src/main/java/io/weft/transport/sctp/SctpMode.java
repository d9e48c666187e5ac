package io.weft.transport.sctp;

/// The style of an SCTP socket (RFC 6458, 2) and of the input that its channel reads.
public enum SctpMode {
    /// One association; bytes in order. What is written is cut into messages of stream 0 anywhere,
    /// and the content of every message is read as a buffer.
    BYTES,
    /// One association; messages, read as [SctpMessage]s.
    MESSAGES,
    /// Any number of associations, with all peers that connect or are sent something; messages,
    /// which tell their association.
    ASSOCIATIONS
}
