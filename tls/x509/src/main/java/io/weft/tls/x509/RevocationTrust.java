package io.weft.tls.x509;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
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
/// allowed). What is asked over the network is asked by this side, within limits.
public final class RevocationTrust implements X509TrustManager {
    private final X509TrustManager authorities;
    private final Set<TrustAnchor> anchors;
    private final List<X509CRL> lists;
    private final Set<PKIXRevocationChecker.Option> options;
    private final StatusSources sources;

    public RevocationTrust(
            Collection<X509Certificate> authorities,
            Collection<X509CRL> lists,
            Set<PKIXRevocationChecker.Option> options) {
        this(authorities, lists, options, StatusSources.TIMEOUT);
    }

    /// @param timeout for what is asked over the network in one check
    RevocationTrust(
            Collection<X509Certificate> authorities,
            Collection<X509CRL> lists,
            Set<PKIXRevocationChecker.Option> options,
            Duration timeout) {
        this.authorities = TlsTrust.of(authorities);
        this.anchors =
                authorities.stream()
                        .map(authority -> new TrustAnchor(authority, null))
                        .collect(Collectors.toUnmodifiableSet());
        this.lists = List.copyOf(lists);
        this.options = Set.copyOf(options);
        sources = new StatusSources(timeout);
    }

    /// Returns a trust manager that has the same authorities and does not look for revocation.
    public X509TrustManager authorities() {
        return authorities;
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
            X509CertSelector target = new X509CertSelector();
            target.setCertificate(chain[0]);
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
            List<CertStore> stores =
                    List.of(
                            store(Arrays.asList(chain)),
                            store(List.of(authorities.getAcceptedIssuers())),
                            store(lists));
            parameters.setCertStores(stores);
            parameters.setRevocationEnabled(false);
            PKIXCertPathBuilderResult built =
                    (PKIXCertPathBuilderResult)
                            CertPathBuilder.getInstance("PKIX").build(parameters);
            List<X509Certificate> path = new ArrayList<>();
            for (Certificate certificate : built.getCertPath().getCertificates()) {
                path.add((X509Certificate) certificate);
            }
            new RevocationCheck(sources, options, stores, responses(chain, stapled))
                    .check(path, built.getTrustAnchor().getTrustedCert());
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
