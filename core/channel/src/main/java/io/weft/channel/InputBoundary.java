package io.weft.channel;

/// Separates input before a handler changed what it means from input after it, as plaintext and
/// protected input when TLS begins on a running connection. A user event for the handlers behind.
///
/// A handler that holds earlier input, undecoded or not handed on yet, fails the channel. A peer
/// that waits for the answer, as STARTTLS demands, never meets this. One that injects commands in
/// front of the handshake, to have them taken as protected, does (RFC 3207 section 6,
/// CVE-2011-0411).
public enum InputBoundary {
    /// The bytes behind this one are protected.
    PROTECTED
}
