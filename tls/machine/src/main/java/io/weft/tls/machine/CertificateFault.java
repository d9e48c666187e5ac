package io.weft.tls.machine;

/// Why a certificate, or its chain, is refused.
public enum CertificateFault {
    /// The peer showed none where one is required.
    MISSING(TlsAlert.CERTIFICATE_REQUIRED),
    EXPIRED(TlsAlert.CERTIFICATE_EXPIRED),
    NOT_YET_VALID(TlsAlert.CERTIFICATE_EXPIRED),
    /// It is for another host than the one that was asked for.
    WRONG_HOST(TlsAlert.CERTIFICATE_UNKNOWN),
    /// No path leads to a certificate that is trusted.
    UNTRUSTED(TlsAlert.UNKNOWN_CA),
    REVOKED(TlsAlert.CERTIFICATE_REVOKED),
    /// The revocation status is required and could not be determined.
    STATUS_UNKNOWN(TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE),
    BAD_SIGNATURE(TlsAlert.BAD_CERTIFICATE),
    /// A key or a digest that is too weak.
    WEAK(TlsAlert.BAD_CERTIFICATE),
    /// Its key or extended key usage does not allow what it is used for.
    WRONG_USAGE(TlsAlert.UNSUPPORTED_CERTIFICATE),
    /// An issuer that is no authority, is one of too short a path, or not for this name; or a
    /// critical extension that is unknown.
    CONSTRAINT(TlsAlert.BAD_CERTIFICATE),
    MALFORMED(TlsAlert.BAD_CERTIFICATE),
    OTHER(TlsAlert.CERTIFICATE_UNKNOWN);

    private final TlsAlert alert;

    CertificateFault(TlsAlert alert) {
        this.alert = alert;
    }

    /// Returns the alert that is sent to the peer, if the engine can choose it.
    public TlsAlert alert() {
        return alert;
    }
}
