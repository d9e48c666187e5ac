package io.weft.channel;

/// A user event for the handlers behind one that changes what input means, as TLS does that begins amid a conversation in the
/// clear: what came before is not to be read as what comes after.
///
/// Whoever holds input that came before, undecoded or not handed on yet, fails the channel. A peer that waits for the answer, as
/// STARTTLS demands, never meets this; who slips commands in front of the handshake, to have them taken as protected, does (RFC
/// 3207 section 6, CVE-2011-0411).
public enum InputBoundary {
    /// The bytes behind this one are protected.
    PROTECTED
}
