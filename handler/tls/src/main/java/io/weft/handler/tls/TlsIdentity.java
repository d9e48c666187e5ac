package io.weft.handler.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one side proves itself with: a private key, and the certificates for it. Immutable.
public final class TlsIdentity {
    private final PrivateKey key;
    private final List<X509Certificate> chain;
    private final byte @Nullable [] ocspResponse;

    /// @param chain the key's own certificate first, each one's issuer behind it; the root may be left out
    /// @throws IllegalArgumentException when it is empty, or for a key of another algorithm
    public TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
        this(key, chain, null);
    }

    private TlsIdentity(
            PrivateKey key, List<X509Certificate> chain, byte @Nullable [] ocspResponse) {
        this.key = key;
        this.chain = List.copyOf(chain);
        this.ocspResponse = ocspResponse;
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: empty (expected: a certificate)");
        }
        String certified = chain.getFirst().getPublicKey().getAlgorithm();
        if (!sameAlgorithm(key.getAlgorithm(), certified)) {
            throw new IllegalArgumentException(
                    "key: " + key.getAlgorithm() + " (expected: " + certified + ", as certified)");
        }
    }

    /// The same with the status of its first certificate, signed by its authority (DER, RFC 6960), which an engine staples
    /// that can.
    public TlsIdentity withOcspResponse(byte[] der) {
        return new TlsIdentity(key, chain, der.clone());
    }

    /// The JDK calls Ed25519 by its family in one place and by its own name in another.
    private static boolean sameAlgorithm(String a, String b) {
        return a.equals(b) || (a.startsWith("Ed") && b.startsWith("Ed"));
    }

    public PrivateKey key() {
        return key;
    }

    public List<X509Certificate> chain() {
        return chain;
    }

    /// The key's own.
    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /// Null when there is none.
    public byte @Nullable [] ocspResponse() {
        return ocspResponse == null ? null : ocspResponse.clone();
    }

    /// Without the key.
    @Override
    public String toString() {
        return "TlsIdentity[" + certificate().getSubjectX500Principal() + "]";
    }
}
