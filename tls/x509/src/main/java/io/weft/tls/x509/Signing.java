package io.weft.tls.x509;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Map;

/// Signed structures of X.509: a body, the algorithm, the signature.
public final class Signing {
    private static final Map<String, byte[]> IDENTIFIERS =
            Map.of(
                    "MD5withRSA", rsa(4),
                    "SHA1withRSA", rsa(5),
                    "SHA256withRSA", rsa(11),
                    "SHA384withRSA", rsa(12),
                    "SHA512withRSA", rsa(13),
                    "SHA1withECDSA", Der.sequence(Der.oid("1.2.840.10045.4.1")),
                    "SHA256withECDSA", Der.sequence(Der.oid("1.2.840.10045.4.3.2")),
                    "SHA384withECDSA", Der.sequence(Der.oid("1.2.840.10045.4.3.3")),
                    "Ed25519", Der.sequence(Der.oid("1.3.101.112")));

    private Signing() {}

    private static byte[] rsa(int number) {
        return Der.sequence(Der.oid("1.2.840.113549.1.1." + number), Der.NULL);
    }

    /// The default algorithm of a key, in the JDK's words.
    public static String of(PrivateKey key) {
        String algorithm = key.getAlgorithm();
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
    }

    /// The AlgorithmIdentifier of an algorithm, in DER.
    ///
    /// @throws IllegalArgumentException for an unknown algorithm
    public static byte[] identifier(String algorithm) {
        byte[] identifier = IDENTIFIERS.get(algorithm);
        if (identifier == null) {
            throw new IllegalArgumentException(
                    "signature: " + algorithm + " (expected: one of " + IDENTIFIERS.keySet() + ")");
        }
        return identifier;
    }

    /// A SEQUENCE of `body`, which is DER, the algorithm and the signature.
    ///
    /// @throws IllegalArgumentException when the key does not sign so
    public static byte[] signed(byte[] body, String algorithm, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(body);
            return Der.sequence(body, identifier(algorithm), Der.bits(signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "signature: " + algorithm + " by a key for " + key.getAlgorithm(), e);
        }
    }
}
