package io.weft.tls.x509;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.security.cert.CRLException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check of one path, whose certificates are valid, for revocation.
///
/// The JDK's checker judges what it is given: responses and lists. It is asked about one
/// certificate and one source at a time, so that it never goes to the network itself. Which source
/// is next and what a failure means is decided here, by the rules of [PKIXRevocationChecker.Option]
/// as the JDK has them.
final class RevocationCheck {
    private final StatusSources sources;
    private final Set<Option> options;
    private final List<CertStore> stores;
    private final Map<X509Certificate, byte[]> stapled;
    private final long deadline;

    /// @param stores of lists, and of certificates that may have signed lists or responses
    RevocationCheck(
            StatusSources sources,
            Set<Option> options,
            List<CertStore> stores,
            Map<X509Certificate, byte[]> stapled) {
        this.sources = sources;
        this.options = options;
        this.stores = stores;
        this.stapled = stapled;
        deadline = sources.deadline();
    }

    /// Checks from the anchor down: who is revoked says nothing about others.
    void check(List<X509Certificate> path, X509Certificate anchor) throws GeneralSecurityException {
        X509Certificate issuer = anchor;
        for (X509Certificate certificate : path.reversed()) {
            // The JDK's meaning of an end entity, that of RFC 5280 section 4.2.1.9.
            boolean isAuthority = certificate.getBasicConstraints() != -1;
            if (!isAuthority || !options.contains(Option.ONLY_END_ENTITY)) {
                check(certificate, issuer, issuer.equals(anchor) || maySignLists(issuer));
            }
            issuer = certificate;
        }
    }

    private interface Source {
        void consult() throws GeneralSecurityException;
    }

    private void check(X509Certificate certificate, X509Certificate issuer, boolean signsLists)
            throws GeneralSecurityException {
        Source responder = () -> askResponder(certificate, issuer);
        Source lists = () -> lookIntoLists(certificate, issuer, signsLists);
        if (options.contains(Option.PREFER_CRLS)) {
            check(lists, responder);
        } else {
            check(responder, lists);
        }
    }

    private void check(Source first, Source second) throws GeneralSecurityException {
        try {
            first.consult();
        } catch (CertPathValidatorException e) {
            if (e.getReason() == BasicReason.REVOKED) {
                throw e;
            }
            if (options.contains(Option.NO_FALLBACK)) {
                if (!isForgiven(e)) {
                    throw e;
                }
                return;
            }
            try {
                second.consult();
            } catch (CertPathValidatorException x) {
                if (x.getReason() == BasicReason.REVOKED) {
                    throw x;
                }
                if (!isForgiven(x) || !isForgiven(e)) {
                    e.addSuppressed(x);
                    throw e;
                }
            }
        }
    }

    private boolean isForgiven(CertPathValidatorException e) {
        return options.contains(Option.SOFT_FAIL)
                && e.getReason() == BasicReason.UNDETERMINED_REVOCATION_STATUS;
    }

    /// RFC 5280 section 6.3.3 (f).
    private static boolean maySignLists(X509Certificate issuer) {
        boolean[] usage = issuer.getKeyUsage();
        return usage != null && usage[CertificateBuilder.CRL_SIGN];
    }

    private static CertPathValidatorException unknown(String why, @Nullable Throwable cause) {
        return new CertPathValidatorException(
                why, cause, null, -1, BasicReason.UNDETERMINED_REVOCATION_STATUS);
    }

    private void askResponder(X509Certificate certificate, X509Certificate issuer)
            throws GeneralSecurityException {
        byte[] response = stapled.get(certificate);
        if (response == null) {
            URI responder = responder(certificate);
            if (responder == null) {
                // The JDK gives it no reason, so that SOFT_FAIL does not forgive it.
                throw new CertPathValidatorException("Certificate does not specify OCSP responder");
            }
            byte[] request = OcspRequest.of(certificate, issuer);
            try {
                response = sources.ask(responder, request, deadline);
            } catch (IOException e) {
                throw unknown("Unable to determine revocation status due to network error", e);
            }
        }
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = checker(validator, Option.NO_FALLBACK);
        checker.setOcspResponses(Map.of(certificate, response));
        validate(validator, checker, stores, certificate, issuer);
    }

    /// The responder that the JDK's security property names for all certificates, or else the
    /// certificate's own.
    private static @Nullable URI responder(X509Certificate certificate)
            throws CertPathValidatorException {
        String all = Security.getProperty("ocsp.responderURL");
        if (all == null) {
            return StatusLocations.responder(certificate);
        }
        try {
            return new URI(all);
        } catch (URISyntaxException e) {
            throw new CertPathValidatorException("cannot parse ocsp.responderURL property", e);
        }
    }

    private void lookIntoLists(
            X509Certificate certificate, X509Certificate issuer, boolean signsLists)
            throws GeneralSecurityException {
        if (!signsLists) {
            throw unknown(
                    "lists: their issuer may not sign any (expected: keyUsage cRLSign)", null);
        }
        if (isOtherwiseByProperties() && StatusLocations.namesLists(certificate)) {
            throw unknown(
                    "lists: not looked into (expected: security properties ocsp.enable and"
                            + " com.sun.security.onlyCheckRevocationOfEECert not true)",
                    null);
        }
        List<X509CRL> found = new ArrayList<>();
        if (isDecided(certificate, issuer, found)) {
            return;
        }
        List<URI> points = StatusLocations.lists(certificate);
        for (URI point : points) {
            X509CRL known = sources.known(point);
            if (known != null && isDecided(certificate, issuer, found, point, known)) {
                return;
            }
        }
        if (points.isEmpty()) {
            throw unknown("Could not determine revocation status", null);
        }
        try {
            sources.awaitTurn(deadline);
        } catch (IOException e) {
            throw unknown("Could not determine revocation status", e);
        }
        try {
            fetchLists(points, certificate, issuer);
        } finally {
            sources.endTurn();
        }
    }

    private void fetchLists(List<URI> points, X509Certificate certificate, X509Certificate issuer)
            throws GeneralSecurityException {
        List<X509CRL> found = new ArrayList<>();
        Exception failure = null;
        int room = StatusSources.MAX_LIST_BYTES;
        for (URI point : points) {
            try {
                byte[] bytes = sources.list(point, room, deadline);
                room -= bytes.length;
                if (isDecided(certificate, issuer, found, point, StatusSources.parse(bytes))) {
                    return;
                }
            } catch (IOException | CRLException e) {
                failure = e;
            }
        }
        throw unknown("Could not determine revocation status", failure);
    }

    /// Adds a list to those that were found, and keeps it if they decide. One that does not may be
    /// anything: whoever is on the way to a distribution point could put it there.
    private boolean isDecided(
            X509Certificate certificate,
            X509Certificate issuer,
            List<X509CRL> found,
            URI point,
            X509CRL list)
            throws GeneralSecurityException {
        found.add(list);
        boolean keep = false;
        try {
            keep = isDecided(certificate, issuer, found);
            return keep;
        } catch (CertPathValidatorException e) {
            keep = e.getReason() == BasicReason.REVOKED;
            throw e;
        } finally {
            if (keep) {
                sources.keep(point, list);
            } else {
                sources.forget(point);
            }
        }
    }

    /// Tells if lists, those given and those found, say that a certificate is not revoked; false
    /// when they say nothing.
    private boolean isDecided(
            X509Certificate certificate, X509Certificate issuer, List<X509CRL> found)
            throws GeneralSecurityException {
        try {
            judgeByLists(certificate, issuer, found);
            return true;
        } catch (CertPathValidatorException e) {
            if (e.getReason() == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
                return false;
            }
            throw e;
        }
    }

    /// Has the JDK look into lists. The checker that it makes itself fetches none, as long as the
    /// system property `com.sun.security.enableCRLDP` is not set; one of
    /// [CertPathValidator#getRevocationChecker] always fetches those that a certificate names.
    private void judgeByLists(
            X509Certificate certificate, X509Certificate issuer, List<X509CRL> fetched)
            throws GeneralSecurityException {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker =
                isOtherwiseByProperties()
                        ? checker(validator, Option.NO_FALLBACK, Option.PREFER_CRLS)
                        : null;
        List<CertStore> all = new ArrayList<>(stores);
        all.add(CertStore.getInstance("Collection", new CollectionCertStoreParameters(fetched)));
        validate(validator, checker, all, certificate, issuer);
    }

    /// Tells if the checker that the JDK makes itself would ask responders, or skip authorities.
    private static boolean isOtherwiseByProperties() {
        return "true".equalsIgnoreCase(Security.getProperty("ocsp.enable"))
                || "true"
                        .equalsIgnoreCase(
                                Security.getProperty(
                                        "com.sun.security.onlyCheckRevocationOfEECert"));
    }

    private static PKIXRevocationChecker checker(
            CertPathValidator validator, Option first, Option... more) {
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(EnumSet.of(first, more));
        return checker;
    }

    /// Has the JDK check a path of one certificate, with nobody but its issuer as the anchor.
    ///
    /// @param checker null for the one that the JDK makes itself
    private static void validate(
            CertPathValidator validator,
            @Nullable PKIXRevocationChecker checker,
            List<CertStore> stores,
            X509Certificate certificate,
            X509Certificate issuer)
            throws GeneralSecurityException {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
        parameters.setCertStores(stores);
        parameters.setRevocationEnabled(checker == null);
        if (checker != null) {
            parameters.addCertPathChecker(checker);
        }
        var _ =
                validator.validate(
                        CertificateFactory.getInstance("X.509")
                                .generateCertPath(List.of(certificate)),
                        parameters);
    }
}
