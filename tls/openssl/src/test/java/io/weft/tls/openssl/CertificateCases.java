package io.weft.tls.openssl;

import static io.weft.tls.x509.CertificateBuilder.CRL_SIGN;
import static io.weft.tls.x509.CertificateBuilder.DIGITAL_SIGNATURE;
import static io.weft.tls.x509.CertificateBuilder.KEY_CERT_SIGN;
import static io.weft.tls.x509.CertificateBuilder.SERVER_AUTH;

import io.weft.tls.machine.CertificateFault;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Chains that a client must not accept, each for its reason, beside twins that it must.
final class CertificateCases {
    @SuppressWarnings("TimeInStaticInitializer") // one for all cases
    static final Instant NOW = Instant.now();

    static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(KEY_CERT_SIGN, CRL_SIGN)
                    .selfSigned();
    static final TlsIdentity STRANGER =
            CertificateBuilder.subject("CN=stranger").authority(-1).selfSigned();

    /// @param key of the first certificate
    /// @param faults that are right for it; empty when it is good
    record Case(
            String name,
            PrivateKey key,
            List<X509Certificate> chain,
            String host,
            Set<CertificateFault> faults) {
        boolean isGood() {
            return faults.isEmpty();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final List<Case> cases = new ArrayList<>();

    private CertificateCases() {}

    static List<Case> all() {
        CertificateCases all = new CertificateCases();
        HostCases.addTo(all);
        ChainCases.addTo(all);
        UsageCases.addTo(all);
        return all.cases;
    }

    static CertificateBuilder leaf() {
        return CertificateBuilder.subject("CN=leaf")
                .keyUsage(DIGITAL_SIGNATURE)
                .extendedKeyUsage(SERVER_AUTH);
    }

    static CertificateBuilder middle() {
        return CertificateBuilder.subject("CN=middle")
                .authority(0)
                .keyUsage(KEY_CERT_SIGN, CRL_SIGN);
    }

    static TlsIdentity named(String... names) {
        CertificateBuilder builder = leaf();
        for (String name : names) {
            builder.dnsName(name);
        }
        return builder.signedBy(ROOT);
    }

    void good(String name, TlsIdentity identity, String host) {
        cases.add(new Case(name, identity.key(), identity.chain(), host, Set.of()));
    }

    void bad(String name, TlsIdentity identity, String host, CertificateFault... faults) {
        bad(name, identity.key(), identity.chain(), host, faults);
    }

    void bad(
            String name,
            PrivateKey key,
            List<X509Certificate> chain,
            String host,
            CertificateFault... faults) {
        cases.add(new Case(name, key, chain, host, EnumSet.copyOf(List.of(faults))));
    }
}
