package io.weft.tls.machine;

import io.weft.tls.machine.TlsException.AlertReceived;
import io.weft.tls.machine.TlsException.AlertSent;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsException.Failed;
import org.jspecify.annotations.Nullable;

/// Maps exceptions of the JDK's engine to [TlsException]. The engine uses one class for most of
/// them, and begins its messages with the alert.
final class JdkFailures {
    private static final String RECEIVED = "Received fatal alert: ";

    private JdkFailures() {}

    static TlsException of(Throwable thrown) {
        int depth = 0;
        for (Throwable t = thrown; t != null && depth < 10; t = t.getCause(), depth++) {
            if (t instanceof TlsException known) {
                return known;
            }
        }
        String message = String.valueOf(thrown.getMessage());
        int received = message.indexOf(RECEIVED);
        TlsAlert alert =
                received < 0
                        ? alertOf(message)
                        : TlsAlert.of(message.substring(received + RECEIVED.length()));
        if (received >= 0 && alert != null) {
            return new AlertReceived(alert, thrown);
        }
        if (alert == TlsAlert.CERTIFICATE_REQUIRED
                || message.contains("Empty client certificate")) {
            return new CertificateRefused(
                    CertificateFault.MISSING,
                    "certificates of the client: none (expected: a chain)",
                    thrown);
        }
        if (alert == null) {
            return new Failed(message, thrown);
        }
        return new AlertSent(alert, message.substring(message.indexOf(')') + 1).strip(), thrown);
    }

    /// "(unexpected_message) Unknown handshake type".
    private static @Nullable TlsAlert alertOf(String message) {
        int end = message.indexOf(')');
        return message.startsWith("(") && end > 0 ? TlsAlert.of(message.substring(1, end)) : null;
    }
}
