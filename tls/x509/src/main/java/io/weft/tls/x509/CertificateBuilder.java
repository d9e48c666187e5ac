package io.weft.tls.x509;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// Makes certificates for tests and development: authorities, chains, and whatever is wrong with
/// them. It checks nothing, so that it can make bad ones; for servers of the public use an
/// authority.
///
/// A certificate is valid from an hour ago for a day, has a fresh key on P-256 and is no authority,
/// unless told otherwise.
public final class CertificateBuilder {
    public static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    public static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    public static final String OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";

    /// Bits of a key usage, RFC 5280 section 4.2.1.3.
    public static final int DIGITAL_SIGNATURE = 0;

    public static final int KEY_ENCIPHERMENT = 2;
    public static final int KEY_CERT_SIGN = 5;
    public static final int CRL_SIGN = 6;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final X500Principal subject;
    private final List<byte[]> alternativeNames = new ArrayList<>();
    private final List<byte[]> extensions = new ArrayList<>();
    private final List<byte[]> permitted = new ArrayList<>();
    private final List<byte[]> excluded = new ArrayList<>();
    private final List<byte[]> usages = new ArrayList<>();
    private final Set<Integer> keyUsage = new TreeSet<>();
    private BigInteger serial = new BigInteger(120, RANDOM).setBit(120);
    private Instant notBefore = Instant.now().minus(Duration.ofHours(1));
    private Instant notAfter = Instant.now().plus(Duration.ofDays(1));
    private @Nullable KeyPair keys;
    private @Nullable String signatureAlgorithm;
    private int pathLength = -2;

    private CertificateBuilder(X500Principal subject) {
        this.subject = subject;
    }

    /// @param name as RFC 2253 writes it: `CN=example, O=Example`; may be empty
    public static CertificateBuilder subject(String name) {
        return new CertificateBuilder(new X500Principal(name));
    }

    /// A self-signed certificate for hosts, names or addresses, which is its own authority: trust
    /// it and it works.
    public static TlsIdentity selfSigned(String... hosts) {
        CertificateBuilder builder = subject("CN=self-signed").authority(-1);
        for (String host : hosts) {
            builder.host(host);
        }
        return builder.keyUsage(DIGITAL_SIGNATURE, KEY_CERT_SIGN)
                .extendedKeyUsage(SERVER_AUTH, CLIENT_AUTH)
                .selfSigned();
    }

    // ---- what it says ----

    public CertificateBuilder serial(BigInteger number) {
        serial = number;
        return this;
    }

    public CertificateBuilder validity(Instant from, Instant to) {
        notBefore = from;
        notAfter = to;
        return this;
    }

    /// A fresh key. EC by its curve (`secp256r1`), RSA by its bits (`2048`), or `Ed25519`.
    public CertificateBuilder key(String kind) {
        keys = generate(kind);
        return this;
    }

    public CertificateBuilder key(KeyPair pair) {
        keys = pair;
        return this;
    }

    /// A name or an address that it is for.
    public CertificateBuilder host(String host) {
        byte[] address = HostNames.address(host);
        return address == null ? dnsName(host) : alternativeName(7, address);
    }

    /// As it is, also when it is no name of a host.
    public CertificateBuilder dnsName(String name) {
        return alternativeName(2, name.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// @param tag of GeneralName, RFC 5280 section 4.2.1.6: 1 mail, 2 DNS, 6 URI, 7 address
    public CertificateBuilder alternativeName(int tag, byte[] content) {
        alternativeNames.add(Der.implicit(tag, content));
        return this;
    }

    /// It may issue certificates.
    ///
    /// @param maxPathLength how many authorities may be between it and the end; -1 for any number
    public CertificateBuilder authority(int maxPathLength) {
        pathLength = maxPathLength;
        return this;
    }

    public CertificateBuilder keyUsage(int... bits) {
        Arrays.stream(bits).forEach(keyUsage::add);
        return this;
    }

    /// @param oids such as [#SERVER_AUTH]
    public CertificateBuilder extendedKeyUsage(String... oids) {
        Arrays.stream(oids).map(Der::oid).forEach(usages::add);
        return this;
    }

    /// Adds DNS subtrees that certificates it issues must be in (RFC 5280 section 4.2.1.10).
    public CertificateBuilder permit(String... domains) {
        Arrays.stream(domains).map(CertificateBuilder::subtree).forEach(permitted::add);
        return this;
    }

    /// Adds DNS subtrees that certificates it issues must not be in (RFC 5280 section 4.2.1.10).
    public CertificateBuilder exclude(String... domains) {
        Arrays.stream(domains).map(CertificateBuilder::subtree).forEach(excluded::add);
        return this;
    }

    private static byte[] subtree(String domain) {
        return Der.sequence(Der.implicit(2, domain.getBytes(StandardCharsets.US_ASCII)));
    }

    /// Adds the URI of the OCSP responder that reports its status.
    public CertificateBuilder ocspResponder(String uri) {
        byte[] location = Der.implicit(6, uri.getBytes(StandardCharsets.US_ASCII));
        byte[] access = Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1"), location);
        return extension("1.3.6.1.5.5.7.1.1", false, Der.sequence(access));
    }

    public CertificateBuilder extension(String oid, boolean critical, byte[] der) {
        byte[] value = Der.octets(der);
        extensions.add(
                critical
                        ? Der.sequence(Der.oid(oid), Der.bool(true), value)
                        : Der.sequence(Der.oid(oid), value));
        return this;
    }

    /// Sets the signature algorithm by its JDK name: `SHA1withRSA`. By default SHA-2, as fits the
    /// key that signs.
    public CertificateBuilder signatureAlgorithm(String name) {
        signatureAlgorithm = name;
        return this;
    }

    // ---- making it ----

    public TlsIdentity selfSigned() {
        KeyPair pair = keys();
        return new TlsIdentity(
                pair.getPrivate(),
                List.of(sign(subject, pair.getPublic().getEncoded(), pair.getPrivate())));
    }

    /// The chain goes up to the issuer, without a root.
    public TlsIdentity signedBy(TlsIdentity issuer) {
        X509Certificate by = issuer.certificate();
        KeyPair pair = keys();
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(sign(by.getSubjectX500Principal(), by.getPublicKey().getEncoded(), issuer.key()));
        for (X509Certificate above : issuer.chain()) {
            if (!above.getSubjectX500Principal().equals(above.getIssuerX500Principal())) {
                chain.add(above);
            }
        }
        return new TlsIdentity(pair.getPrivate(), chain);
    }

    private KeyPair keys() {
        KeyPair pair = keys == null ? generate("secp256r1") : keys;
        keys = pair;
        return pair;
    }

    private static KeyPair generate(String kind) {
        try {
            KeyPairGenerator generator;
            if (kind.startsWith("Ed")) {
                generator = KeyPairGenerator.getInstance(kind);
            } else if (kind.startsWith("secp")) {
                generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new java.security.spec.ECGenParameterSpec(kind));
            } else {
                generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(Integer.parseInt(kind));
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "key: " + kind + " (expected: a curve, bits of RSA, or Ed25519)", e);
        }
    }

    private X509Certificate sign(X500Principal issuer, byte[] issuerKey, PrivateKey by) {
        String algorithm = signatureAlgorithm == null ? Signing.of(by) : signatureAlgorithm;
        byte[] identifier = Signing.identifier(algorithm);
        byte[] publicKey = keys().getPublic().getEncoded();
        addExtensions(publicKey, issuerKey);
        byte[] body =
                Der.sequence(
                        Der.explicit(0, Der.integer(2)),
                        Der.integer(serial),
                        identifier,
                        issuer.getEncoded(),
                        Der.sequence(Der.time(notBefore), Der.time(notAfter)),
                        subject.getEncoded(),
                        publicKey,
                        Der.explicit(3, Der.sequence(extensions.toArray(new byte[0][]))));
        byte[] der = Signing.signed(body, algorithm, by);
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("certificate: " + e.getMessage(), e);
        }
    }

    private void addExtensions(byte[] publicKey, byte[] issuerKey) {
        if (!alternativeNames.isEmpty()) {
            boolean critical = subject.getName().isEmpty();
            extension("2.5.29.17", critical, Der.sequence(alternativeNames.toArray(new byte[0][])));
        }
        if (pathLength == -1) {
            extension("2.5.29.19", true, Der.sequence(Der.bool(true)));
        } else if (pathLength >= 0) {
            extension("2.5.29.19", true, Der.sequence(Der.bool(true), Der.integer(pathLength)));
        }
        if (!keyUsage.isEmpty()) {
            extension("2.5.29.15", true, Der.namedBits(keyUsage));
        }
        if (!usages.isEmpty()) {
            extension("2.5.29.37", false, Der.sequence(usages.toArray(new byte[0][])));
        }
        if (!permitted.isEmpty() || !excluded.isEmpty()) {
            byte[] allow =
                    permitted.isEmpty()
                            ? new byte[0]
                            : Der.explicit(0, permitted.toArray(new byte[0][]));
            byte[] deny =
                    excluded.isEmpty()
                            ? new byte[0]
                            : Der.explicit(1, excluded.toArray(new byte[0][]));
            extension("2.5.29.30", true, Der.sequence(allow, deny));
        }
        extension("2.5.29.14", false, Der.octets(keyIdentifier(publicKey)));
        extension("2.5.29.35", false, Der.sequence(Der.implicit(0, keyIdentifier(issuerKey))));
    }

    /// RFC 5280 section 4.2.1.2 leaves open how it is made.
    private static byte[] keyIdentifier(byte[] publicKey) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(publicKey), 20);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-256", e);
        }
    }
}
