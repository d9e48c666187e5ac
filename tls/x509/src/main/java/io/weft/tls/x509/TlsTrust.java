package io.weft.tls.x509;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Set;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Trust managers.
public final class TlsTrust {
    private TlsTrust() {}

    /// Returns a trust manager that accepts certificates issued by these authorities.
    ///
    /// @throws IllegalArgumentException when there is none
    public static X509TrustManager of(Collection<X509Certificate> authorities) {
        if (authorities.isEmpty()) {
            throw new IllegalArgumentException("authorities: none (expected: a certificate)");
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (X509Certificate authority : authorities) {
                store.setCertificateEntry(Integer.toString(number++), authority);
            }
            return of(store);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("authorities: " + e.getMessage(), e);
        }
    }

    /// Returns a trust manager that accepts certificates which these authorities issued and have
    /// not revoked. The status comes from the peer's stapled response (OCSP), from `lists`, or from
    /// the responders and lists that certificates name. Those are asked over HTTP, on the context's
    /// executor for tasks, without following redirects: for 5 s a chain at most, 64 KiB of a
    /// response and 4 MiB of a certificate's lists. The responder is not asked about a certificate
    /// whose response is stapled.
    ///
    /// @param lists of revoked certificates, which the authorities signed; may be empty
    /// @param options such as `SOFT_FAIL`, to accept where a responder gives no answer, or
    ///     `ONLY_END_ENTITY`; without any, a certificate whose status is unknown is refused, as is
    ///     one that names no responder and that no list covers, even with `SOFT_FAIL`
    /// @throws IllegalArgumentException when there is no authority
    public static X509TrustManager withRevocation(
            Collection<X509Certificate> authorities,
            Collection<X509CRL> lists,
            PKIXRevocationChecker.Option... options) {
        return new RevocationTrust(authorities, lists, Set.of(options));
    }

    /// Returns a trust manager that accepts certificates issued by the system's authorities: those
    /// of the JDK.
    public static X509TrustManager system() throws GeneralSecurityException {
        return of((KeyStore) null);
    }

    private static X509TrustManager of(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return of(factory);
    }

    /// The manager of a factory that was initialized.
    ///
    /// @throws IllegalArgumentException when it has none for X.509
    public static X509TrustManager of(TrustManagerFactory factory) {
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                return x509;
            }
        }
        throw new IllegalArgumentException("factory: " + factory + " (expected: one for X.509)");
    }

    /// Refuses every certificate.
    public static X509TrustManager nobody() {
        return new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType)
                    throws CertificateException {
                throw new CertificateException("nobody is trusted here");
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType)
                    throws CertificateException {
                throw new CertificateException("nobody is trusted here");
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
    }
}
