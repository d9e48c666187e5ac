package io.weft.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.ffi.openssl.SslErrors;
import io.weft.ffi.openssl.X509;
import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.AlertReceived;
import io.weft.tls.machine.TlsException.AlertSent;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsException.Failed;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Maps OpenSSL's error queue to [TlsException].
final class Failures {
    private static final int ALERT_RECORD = 7;

    private Failures() {}

    /// @param sent what was written to the peer in the call that failed
    static TlsException of(List<SslErrors.Entry> errors, @Nullable Buffer sent) {
        String message =
                errors.stream().map(SslErrors.Entry::toString).collect(Collectors.joining("; "));
        for (SslErrors.Entry error : errors) {
            TlsAlert received = TlsAlert.of(error.alertReceived());
            if (received != null) {
                return new AlertReceived(received, null);
            }
        }
        for (SslErrors.Entry error : errors) {
            if (error.library() != SslErrors.ERR_LIB_SSL) {
                continue;
            }
            if (error.reasonCode() == SslErrors.SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
                return new CertificateRefused(
                        CertificateFault.MISSING,
                        "certificates of the client: none (expected: a chain)",
                        null);
            }
            TlsAlert alert = readable(sent);
            if (alert == null) {
                alert = alertOf(error.reasonCode());
            }
            if (alert != null) {
                return new AlertSent(alert, message, null);
            }
        }
        return new Failed(
                message.isEmpty() ? "OpenSSL failed and does not say why" : message, null);
    }

    /// The alert at the end of what was sent, if it is not encrypted.
    private static @Nullable TlsAlert readable(@Nullable Buffer sent) {
        int at = sent == null ? -1 : sent.writeOffset() - ALERT_RECORD;
        return sent != null
                        && at >= 0
                        && sent.getByte(at) == 21
                        && sent.getByte(at + 1) == 3
                        && sent.getUnsignedShort(at + 3) == 2
                ? TlsAlert.of(sent.getUnsignedByte(at + 6))
                : null;
    }

    /// The alert that OpenSSL sends for a reason, of those that can come up when alerts are
    /// encrypted.
    private static @Nullable TlsAlert alertOf(int reason) {
        return switch (reason) {
            case SslErrors.SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC -> TlsAlert.BAD_RECORD_MAC;
            case SslErrors.SSL_R_UNEXPECTED_MESSAGE,
                    SslErrors.SSL_R_UNEXPECTED_RECORD,
                    SslErrors.SSL_R_BAD_RECORD_TYPE,
                    SslErrors.SSL_R_TOO_MANY_KEY_UPDATES ->
                    TlsAlert.UNEXPECTED_MESSAGE;
            case SslErrors.SSL_R_LENGTH_MISMATCH, SslErrors.SSL_R_BAD_LENGTH ->
                    TlsAlert.DECODE_ERROR;
            case SslErrors.SSL_R_DIGEST_CHECK_FAILED, SslErrors.SSL_R_BAD_SIGNATURE ->
                    TlsAlert.DECRYPT_ERROR;
            case SslErrors.SSL_R_DATA_LENGTH_TOO_LONG,
                    SslErrors.SSL_R_ENCRYPTED_LENGTH_TOO_LONG,
                    SslErrors.SSL_R_PACKET_LENGTH_TOO_LONG ->
                    TlsAlert.RECORD_OVERFLOW;
            default -> null;
        };
    }

    /// The number that has OpenSSL send the alert of a fault.
    static int verifyResult(CertificateFault fault) {
        return switch (fault.alert()) {
            case CERTIFICATE_EXPIRED -> X509.X509_V_ERR_CERT_HAS_EXPIRED;
            case CERTIFICATE_REVOKED -> X509.X509_V_ERR_CERT_REVOKED;
            case UNKNOWN_CA -> X509.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
            case UNSUPPORTED_CERTIFICATE -> X509.X509_V_ERR_INVALID_PURPOSE;
            case CERTIFICATE_UNKNOWN -> X509.UNKNOWN_RESULT;
            default -> X509.X509_V_ERR_CERT_REJECTED;
        };
    }
}
