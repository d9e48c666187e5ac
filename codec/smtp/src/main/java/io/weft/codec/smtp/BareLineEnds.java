package io.weft.codec.smtp;

/// Treatment of CR and LF that stand alone in a content. Neither ever ends a line or a content:
/// who takes them for an end sees another message in this one (CVE-2023-51764 and its kin).
public enum BareLineEnds {
    /// They are an [SmtpException], which ends the connection.
    REFUSE,
    /// They are bytes as others.
    PASS
}
