package io.weft.tls.machine;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The alerts of RFC 8446 section 6, by their names there, and those that only TLS 1.2 has.
public enum TlsAlert {
    CLOSE_NOTIFY(0),
    UNEXPECTED_MESSAGE(10),
    BAD_RECORD_MAC(20),
    DECRYPTION_FAILED(21),
    RECORD_OVERFLOW(22),
    DECOMPRESSION_FAILURE(30),
    HANDSHAKE_FAILURE(40),
    BAD_CERTIFICATE(42),
    UNSUPPORTED_CERTIFICATE(43),
    CERTIFICATE_REVOKED(44),
    CERTIFICATE_EXPIRED(45),
    CERTIFICATE_UNKNOWN(46),
    ILLEGAL_PARAMETER(47),
    UNKNOWN_CA(48),
    ACCESS_DENIED(49),
    DECODE_ERROR(50),
    DECRYPT_ERROR(51),
    PROTOCOL_VERSION(70),
    INSUFFICIENT_SECURITY(71),
    INTERNAL_ERROR(80),
    INAPPROPRIATE_FALLBACK(86),
    USER_CANCELED(90),
    NO_RENEGOTIATION(100),
    MISSING_EXTENSION(109),
    UNSUPPORTED_EXTENSION(110),
    UNRECOGNIZED_NAME(112),
    BAD_CERTIFICATE_STATUS_RESPONSE(113),
    UNKNOWN_PSK_IDENTITY(115),
    CERTIFICATE_REQUIRED(116),
    NO_APPLICATION_PROTOCOL(120);

    private final int code;

    TlsAlert(int code) {
        this.code = code;
    }

    /// The number on the wire.
    public int code() {
        return code;
    }

    /// The name in the RFC: `unknown_ca`.
    public String description() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Null for a number that no RFC above gives.
    public static @Nullable TlsAlert of(int code) {
        for (TlsAlert alert : values()) {
            if (alert.code == code) {
                return alert;
            }
        }
        return null;
    }

    /// Null for a name that no RFC above gives.
    public static @Nullable TlsAlert of(String description) {
        for (TlsAlert alert : values()) {
            if (alert.name().equalsIgnoreCase(description)) {
                return alert;
            }
        }
        return null;
    }
}
