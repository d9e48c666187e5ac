package io.weft.tls.x509;

import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathValidator;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Authorities, and what they have revoked since. The JDK decides: it matches a status with its
/// certificate, checks who signed it and how old it is (15 minutes of difference between clocks are
/// allowed).
public final class RevocationTrust implements X509TrustManager {
    private final X509TrustManager authorities;
    private final Set<TrustAnchor> anchors;
    private final List<X509CRL> lists;
    private final Set<PKIXRevocationChecker.Option> options;

    public RevocationTrust(
            Collection<X509Certificate> authorities,
            Collection<X509CRL> lists,
            Set<PKIXRevocationChecker.Option> options) {
        this.authorities = TlsTrust.of(authorities);
        this.anchors =
                authorities.stream()
                        .map(authority -> new TrustAnchor(authority, null))
                        .collect(Collectors.toUnmodifiableSet());
        this.lists = List.copyOf(lists);
        this.options = Set.copyOf(options);
    }

    /// Checks a chain.
    ///
    /// @param stapled what the peer brought, in the order of the chain
    public void check(
            X509Certificate[] chain, String authType, boolean ofServer, List<byte[]> stapled)
            throws CertificateException {
        if (ofServer) {
            authorities.checkServerTrusted(chain, authType);
        } else {
            authorities.checkClientTrusted(chain, authType);
        }
        try {
            // In two steps, because a path that is refused while it is built is one of many, and
            // nobody says why.
            X509CertSelector target = new X509CertSelector();
            target.setCertificate(chain[0]);
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
            parameters.addCertStore(store(Arrays.asList(chain)));
            parameters.addCertStore(store(lists));
            parameters.setRevocationEnabled(false);
            CertPath path = CertPathBuilder.getInstance("PKIX").build(parameters).getCertPath();
            CertPathValidator validator = CertPathValidator.getInstance("PKIX");
            PKIXRevocationChecker checker =
                    (PKIXRevocationChecker) validator.getRevocationChecker();
            checker.setOptions(options);
            checker.setOcspResponses(responses(chain, stapled));
            parameters.addCertPathChecker(checker);
            var _ = validator.validate(path, parameters);
        } catch (GeneralSecurityException e) {
            throw new CertificateException(reason(e), e);
        }
    }

    /// Returns the message with that of its cause: the JDK says of a responder that gives no answer
    /// only that there was a network error.
    private static @Nullable String reason(GeneralSecurityException e) {
        Throwable cause = e.getCause();
        return cause == null ? e.getMessage() : e.getMessage() + ": " + cause;
    }

    private static CertStore store(Collection<?> contents) throws GeneralSecurityException {
        return CertStore.getInstance("Collection", new CollectionCertStoreParameters(contents));
    }

    private static Map<X509Certificate, byte[]> responses(
            X509Certificate[] chain, List<byte[]> stapled) {
        Map<X509Certificate, byte[]> responses = new HashMap<>();
        for (int i = 0; i < chain.length && i < stapled.size(); i++) {
            if (stapled.get(i).length > 0) {
                responses.put(chain[i], stapled.get(i));
            }
        }
        return responses;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        check(chain, authType, false, List.of());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        check(chain, authType, true, List.of());
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
