package io.weft.tls.machine;

import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.x509.HostNames;
import io.weft.tls.x509.RevocationTrust;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Checks that every chain must pass, with every engine: strong keys and digests, the trust
/// manager, and then, for a server's chain, the host name. A lenient trust manager cannot skip any
/// of them.
final class CertificateChecks {
    private static final int MIN_RSA_BITS = 2048;
    private static final int MIN_EC_BITS = 224;

    /// Longer chains are refused before paths are searched in them.
    static final int MAX_CHAIN = 10;

    private CertificateChecks() {}

    /// @param host that the certificate must be for; null where any will do
    /// @param stapled statuses of the chain's certificates that the peer brought
    /// @param statusAsked whether the peer was asked for one
    /// @param engine for trust managers that want to see one; null where there is none
    static void check(
            X509TrustManager trust,
            X509Certificate @Nullable [] chain,
            String authType,
            boolean ofServer,
            @Nullable String host,
            List<byte[]> stapled,
            boolean statusAsked,
            @Nullable SSLEngine engine)
            throws CertificateRefused {
        if (chain == null || chain.length == 0) {
            throw new CertificateRefused(
                    CertificateFault.MISSING, "certificates: none (expected: a chain)", null);
        }
        if (chain.length > MAX_CHAIN) {
            throw new CertificateRefused(
                    CertificateFault.CONSTRAINT,
                    "certificates: " + chain.length + " (expected: at most " + MAX_CHAIN + ")",
                    null);
        }
        try {
            ask(trust, chain, authType, ofServer, stapled, engine);
            if (ofServer && statusAsked) {
                MustStaple.check(trust, chain, authType, stapled);
            }
        } catch (CertificateRefused e) {
            throw e;
        } catch (CertificateException e) {
            throw refused(chain, e);
        } catch (RuntimeException | Error e) {
            // Of providers' parsers: whatever it is, the chain is not accepted.
            throw new CertificateRefused(CertificateFault.MALFORMED, describe(chain, e), e);
        }
        strong(trust, chain);
        if (host != null && !HostNames.matches(chain[0], host)) {
            throw new CertificateRefused(
                    CertificateFault.WRONG_HOST,
                    "certificate of "
                            + printable(String.valueOf(chain[0].getSubjectX500Principal()))
                            + " (expected: for host "
                            + printable(host)
                            + ")",
                    null);
        }
    }

    /// Checks of a server's chain what its status has no part in.
    ///
    /// @return true when nothing is left to check, should no status come
    static boolean checkBeforeStatus(
            X509TrustManager trust, X509Certificate[] chain, String authType, @Nullable String host)
            throws CertificateRefused {
        boolean revocation = trust instanceof RevocationTrust;
        X509TrustManager issuers = trust instanceof RevocationTrust r ? r.authorities() : trust;
        check(issuers, chain, authType, true, host, List.of(), false, null);
        return !revocation && !MustStaple.isSaid(chain[0]);
    }

    private static void ask(
            X509TrustManager trust,
            X509Certificate[] chain,
            String authType,
            boolean ofServer,
            List<byte[]> stapled,
            @Nullable SSLEngine engine)
            throws CertificateException {
        if (trust instanceof RevocationTrust revocation) {
            revocation.check(chain, authType, ofServer, stapled);
        } else if (trust instanceof X509ExtendedTrustManager extended && engine != null) {
            if (ofServer) {
                extended.checkServerTrusted(chain, authType, engine);
            } else {
                extended.checkClientTrusted(chain, authType, engine);
            }
        } else if (ofServer) {
            trust.checkServerTrusted(chain, authType);
        } else {
            trust.checkClientTrusted(chain, authType);
        }
    }

    /// Roots are trusted as they are; what they and others have signed must have been signed well.
    private static void strong(X509TrustManager trust, X509Certificate[] chain)
            throws CertificateRefused {
        Set<X509Certificate> anchors = Set.of();
        for (X509Certificate certificate : chain) {
            if (anchors.isEmpty()) {
                anchors = new java.util.HashSet<>(List.of(trust.getAcceptedIssuers()));
            }
            if (anchors.contains(certificate)) {
                continue;
            }
            int bits = bits(certificate);
            int least =
                    certificate.getPublicKey() instanceof RSAPublicKey ? MIN_RSA_BITS : MIN_EC_BITS;
            if (!isSignedWell(certificate)) {
                throw new CertificateRefused(
                        CertificateFault.WEAK,
                        "signature: " + certificate.getSigAlgName() + " (expected: with SHA-2)",
                        null);
            }
            if (bits < least) {
                throw new CertificateRefused(
                        CertificateFault.WEAK,
                        "key: " + bits + " bits (expected: at least " + least + ")",
                        null);
            }
        }
    }

    /// Tells if the digest that was signed is neither MD5 nor SHA-1. The name of RSASSA-PSS tells
    /// nothing of it: its parameters do, and where they are absent they mean SHA-1 (RFC 4055, 3.1).
    static boolean isSignedWell(X509Certificate certificate) {
        String name = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        if (!name.equals("RSASSA-PSS")) {
            return isGood(name);
        }
        byte[] encoded = certificate.getSigAlgParams();
        if (encoded == null) {
            return false;
        }
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
            parameters.init(encoded);
            PSSParameterSpec pss = parameters.getParameterSpec(PSSParameterSpec.class);
            return isGood(pss.getDigestAlgorithm())
                    && pss.getMGFParameters() instanceof MGF1ParameterSpec mask
                    && isGood(mask.getDigestAlgorithm());
        } catch (GeneralSecurityException | IOException e) {
            return false; // what cannot be read cannot be judged
        }
    }

    private static boolean isGood(String digest) {
        return !digest.startsWith("MD")
                && !digest.equals("SHA-1")
                && !digest.equals("SHA")
                && !digest.startsWith("SHA1");
    }

    private static int bits(X509Certificate certificate) {
        return switch (certificate.getPublicKey()) {
            case RSAPublicKey rsa -> rsa.getModulus().bitLength();
            case ECPublicKey ec -> ec.getParams().getOrder().bitLength();
            default -> Integer.MAX_VALUE;
        };
    }

    private static CertificateRefused refused(X509Certificate[] chain, CertificateException e) {
        return new CertificateRefused(fault(e), describe(chain, e), e);
    }

    private static String describe(X509Certificate[] chain, Throwable e) {
        return "certificate of "
                + printable(String.valueOf(chain[0].getSubjectX500Principal()))
                + ": "
                + printable(String.valueOf(e.getMessage()));
    }

    /// A peer's words in a line of a log.
    private static String printable(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), 200));
        for (int i = 0; i < text.length() && i < 200; i++) {
            char c = text.charAt(i);
            line.append(c < ' ' || c == 0x7f ? '?' : c);
        }
        return line.toString();
    }

    static CertificateFault fault(Throwable thrown) {
        CertificateFault fault = CertificateFault.OTHER;
        int depth = 0;
        for (Throwable t = thrown; t != null && depth < 10; t = t.getCause(), depth++) {
            CertificateFault found = faultOf(t);
            // The innermost that says something knows best.
            fault = found == CertificateFault.OTHER ? fault : found;
            for (Throwable other : t.getSuppressed()) {
                // Neither a responder nor a list: the last that was tried is thrown.
                if (fault == CertificateFault.OTHER) {
                    fault = faultOf(other);
                }
            }
        }
        return fault;
    }

    private static CertificateFault faultOf(Throwable t) {
        return switch (t) {
            case CertificateRefused e -> e.fault();
            case CertificateExpiredException _ -> CertificateFault.EXPIRED;
            case CertificateNotYetValidException _ -> CertificateFault.NOT_YET_VALID;
            case java.security.cert.CertificateRevokedException _ -> CertificateFault.REVOKED;
            case java.security.cert.CertificateParsingException _ -> CertificateFault.MALFORMED;
            case CertPathValidatorException e when e.getReason() instanceof BasicReason reason ->
                    switch (reason) {
                        case EXPIRED -> CertificateFault.EXPIRED;
                        case NOT_YET_VALID -> CertificateFault.NOT_YET_VALID;
                        case REVOKED -> CertificateFault.REVOKED;
                        case UNDETERMINED_REVOCATION_STATUS -> CertificateFault.STATUS_UNKNOWN;
                        case INVALID_SIGNATURE -> CertificateFault.BAD_SIGNATURE;
                        case ALGORITHM_CONSTRAINED -> CertificateFault.WEAK;
                        case UNSPECIFIED -> CertificateFault.OTHER;
                    };
            case CertPathValidatorException e when e.getReason() instanceof PKIXReason reason ->
                    switch (reason) {
                        case INVALID_KEY_USAGE -> CertificateFault.WRONG_USAGE;
                        case NO_TRUST_ANCHOR, NAME_CHAINING -> CertificateFault.UNTRUSTED;
                        case PATH_TOO_LONG,
                                NOT_CA_CERT,
                                INVALID_NAME,
                                INVALID_POLICY,
                                UNRECOGNIZED_CRIT_EXT ->
                                CertificateFault.CONSTRAINT;
                    };
            case java.security.cert.CertPathBuilderException _ -> CertificateFault.UNTRUSTED;
            case java.security.SignatureException _ -> CertificateFault.BAD_SIGNATURE;
            default -> byMessage(String.valueOf(t.getMessage()));
        };
    }

    /// The JDK's validator has no reasons for these.
    private static CertificateFault byMessage(String message) {
        return message.contains("sage does not permit") || message.contains("KeyUsage")
                ? CertificateFault.WRONG_USAGE
                : CertificateFault.OTHER;
    }
}
