package io.weft.tls.x509;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The credentials of one side: a private key, and the certificates for it. Immutable.
public final class TlsIdentity {
    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

    private final PrivateKey key;
    private final List<X509Certificate> chain;
    private final byte @Nullable [] ocspResponse;

    /// @param chain the key's own certificate first, each one's issuer behind it; the root may be
    ///     left out
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

    /// Of two texts in PEM.
    ///
    /// @param password of the key if it is encrypted; else null
    /// @throws GeneralSecurityException when one is malformed, the password is wrong or the key is
    ///     not the certificate's
    public static TlsIdentity ofPem(
            String certificates, String privateKey, char @Nullable [] password)
            throws GeneralSecurityException {
        return checked(Pem.privateKey(privateKey, password), Pem.certificates(certificates));
    }

    /// Of two files in PEM, the key unencrypted.
    public static TlsIdentity ofPem(Path certificates, Path privateKey)
            throws GeneralSecurityException, IOException {
        return ofPem(Pem.read(certificates), Pem.read(privateKey), null);
    }

    /// The first key of a PKCS#12 store, with its chain.
    ///
    /// @throws GeneralSecurityException when there is none, or the password is wrong
    public static TlsIdentity ofPkcs12(Path file, char[] password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw e;
        } catch (IOException e) {
            if (e.getCause() instanceof GeneralSecurityException) {
                throw new KeyStoreException(file + ": the password is wrong", e);
            }
            throw new KeyStoreException(file + ": unreadable (expected: PKCS#12)", e);
        }
        for (String alias : Collections.list(store.aliases())) {
            if (store.getKey(alias, password) instanceof PrivateKey key) {
                Certificate[] certificates = store.getCertificateChain(alias);
                if (certificates == null || certificates.length == 0) {
                    throw new KeyStoreException(
                            file + ": a key without its certificate (expected: both)");
                }
                List<X509Certificate> chain = new ArrayList<>();
                for (Certificate certificate : certificates) {
                    chain.add((X509Certificate) certificate);
                }
                return checked(key, chain);
            }
        }
        throw new KeyStoreException(file + ": no private key (expected: one)");
    }

    /// A key beside the wrong certificate would show at the first handshake only.
    private static TlsIdentity checked(PrivateKey key, List<X509Certificate> chain)
            throws GeneralSecurityException {
        TlsIdentity identity;
        try {
            identity = new TlsIdentity(key, chain);
        } catch (IllegalArgumentException e) {
            throw new KeyException(e.getMessage(), e);
        }
        boolean belongs;
        try {
            belongs = identity.verifiesItsKey();
        } catch (InvalidKeyException | SignatureException e) {
            throw new KeyException(identity.notItsKey(), e); // of another curve, say
        }
        if (!belongs) {
            throw new KeyException(identity.notItsKey());
        }
        return identity;
    }

    private String notItsKey() {
        return "private key: not that of " + this + " (expected: its own)";
    }

    private boolean verifiesItsKey() throws GeneralSecurityException {
        Signature signature = Signature.getInstance(probing());
        if (signature.getAlgorithm().equals("RSASSA-PSS")) {
            AlgorithmParameterSpec own = key instanceof RSAKey rsa ? rsa.getParams() : null;
            signature.setParameter(own == null ? PSS : own);
        }
        byte[] probe = {1, 2, 3};
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(certificate().getPublicKey());
        signature.update(probe);
        return signature.verify(signed);
    }

    private String probing() {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "RSASSA-PSS" -> "RSASSA-PSS";
            default -> "EdDSA"; // of either curve
        };
    }

    /// The same with the status of its first certificate, signed by its authority (DER, RFC 6960),
    /// which an engine staples that can.
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
