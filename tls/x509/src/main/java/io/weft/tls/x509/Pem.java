package io.weft.tls.x509;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// Keys and certificates in text, RFC 7468: `-----BEGIN CERTIFICATE-----`.
///
/// Private keys are PKCS#8, encrypted or not, or the older forms of RSA (PKCS#1) and EC (SEC 1),
/// unencrypted. What is between the blocks is ignored.
public final class Pem {
    /// Of a text; a chain has a few KiB.
    public static final int MAX_LENGTH = 1 << 20;

    private static final String BEGIN = "-----BEGIN ";
    private static final String[] KEY_ALGORITHMS = {"RSA", "EC", "EdDSA", "RSASSA-PSS"};

    private Pem() {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Block(String label, byte[] der) {}

    /// A file's text.
    ///
    /// @throws IOException also when it is longer than [#MAX_LENGTH]
    public static String read(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MAX_LENGTH) {
            throw new IOException(file + ": " + size + " bytes (expected: <= " + MAX_LENGTH + ")");
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /// All certificates of a text, in its order.
    ///
    /// @throws GeneralSecurityException when there is none, or one that is malformed
    public static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        List<Block> blocks = blocks(pem);
        for (Block block : blocks) {
            if (block.label.equals("CERTIFICATE") || block.label.equals("X509 CERTIFICATE")) {
                try {
                    certificates.add(
                            (X509Certificate)
                                    factory.generateCertificate(
                                            new ByteArrayInputStream(block.der)));
                } catch (CertificateException e) {
                    int number = certificates.size() + 1;
                    throw new CertificateException("CERTIFICATE " + number + ": malformed", e);
                }
            }
        }
        if (certificates.isEmpty()) {
            throw none("CERTIFICATE", blocks);
        }
        return certificates;
    }

    /// The first private key of a text.
    ///
    /// @param password of an encrypted one; ignored for others
    /// @throws GeneralSecurityException when there is none, it is malformed or the password is
    ///     wrong
    public static PrivateKey privateKey(String pem, char @Nullable [] password)
            throws GeneralSecurityException {
        List<Block> blocks = blocks(pem);
        for (Block block : blocks) {
            switch (block.label) {
                case "PRIVATE KEY" -> {
                    return pkcs8(block.der);
                }
                case "ENCRYPTED PRIVATE KEY" -> {
                    return decrypted(block.der, password);
                }
                case "RSA PRIVATE KEY" -> {
                    byte[] algorithm = Der.sequence(Der.oid("1.2.840.113549.1.1.1"), Der.NULL);
                    return pkcs8(wrapped(algorithm, block.der));
                }
                case "EC PRIVATE KEY" -> {
                    byte[] algorithm =
                            Der.sequence(
                                    Der.oid("1.2.840.10045.2.1"), DerReader.sec1Curve(block.der));
                    return pkcs8(wrapped(algorithm, block.der));
                }
                default -> {
                    // Parameters of a curve, a certificate.
                }
            }
        }
        throw none("PRIVATE KEY", blocks);
    }

    private static InvalidKeySpecException none(String wanted, List<Block> blocks) {
        List<String> labels = blocks.stream().map(Block::label).distinct().limit(5).toList();
        return new InvalidKeySpecException(
                "text: no " + wanted + ", but " + labels + " (expected: one)");
    }

    /// RFC 5208: the older forms are what PKCS#8 wraps.
    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return Der.sequence(Der.integer(0), algorithm, Der.octets(key));
    }

    private static PrivateKey pkcs8(byte[] der) throws GeneralSecurityException {
        GeneralSecurityException last = new InvalidKeySpecException("no algorithm for it");
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException e) {
                last = e; // of another algorithm
            }
        }
        throw new InvalidKeySpecException(
                "private key: unknown or malformed (expected: RSA, EC or EdDSA in PKCS#8)", last);
    }

    private static PrivateKey decrypted(byte[] der, char @Nullable [] password)
            throws GeneralSecurityException {
        if (password == null) {
            throw new InvalidKeySpecException("private key: encrypted (expected: a password)");
        }
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // The parameters of PBES2 are called by the ciphers they choose.
            String algorithm =
                    info.getAlgName().startsWith("PBEWith")
                            ? info.getAlgName()
                            : String.valueOf(info.getAlgParameters());
            PBEKeySpec secret = new PBEKeySpec(password);
            try {
                Cipher cipher = Cipher.getInstance(algorithm);
                cipher.init(
                        Cipher.DECRYPT_MODE,
                        SecretKeyFactory.getInstance(algorithm).generateSecret(secret),
                        info.getAlgParameters());
                return pkcs8(info.getKeySpec(cipher).getEncoded());
            } catch (NoSuchAlgorithmException e) {
                throw new InvalidKeySpecException(
                        "private key: encrypted with " + algorithm + " (expected: PBES2)", e);
            } catch (GeneralSecurityException e) {
                throw new InvalidKeySpecException(
                        "private key: the password is wrong, or the text is damaged", e);
            } finally {
                secret.clearPassword();
            }
        } catch (IOException e) {
            throw new InvalidKeySpecException(
                    "private key: malformed, or encrypted in an unknown way ("
                            + e.getMessage()
                            + ")",
                    e);
        }
    }

    private static List<Block> blocks(String pem) throws GeneralSecurityException {
        if (pem.length() > MAX_LENGTH) {
            throw new InvalidKeySpecException(
                    "text: " + pem.length() + " (expected: <= " + MAX_LENGTH + ")");
        }
        List<Block> blocks = new ArrayList<>();
        for (int at = 0; (at = pem.indexOf(BEGIN, at)) >= 0; ) {
            int labelEnd = pem.indexOf("-----", at + BEGIN.length());
            if (labelEnd < 0) {
                throw new InvalidKeySpecException("text: a BEGIN without its dashes");
            }
            String label = pem.substring(at + BEGIN.length(), labelEnd);
            String end = "-----END " + label + "-----";
            int bodyEnd = pem.indexOf(end, labelEnd);
            if (bodyEnd < 0) {
                throw new InvalidKeySpecException("text: BEGIN " + label + " without its END");
            }
            blocks.add(new Block(label, body(label, pem.substring(labelEnd + 5, bodyEnd))));
            at = bodyEnd + end.length();
        }
        return blocks;
    }

    private static byte[] body(String label, String base64) throws GeneralSecurityException {
        if (base64.contains("Proc-Type:")) {
            throw new InvalidKeySpecException(
                    label + ": encrypted the old way of OpenSSL (expected: PKCS#8)");
        }
        try {
            return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeySpecException(label + ": not Base64", e);
        }
    }

    // ---- writing ----

    /// As text.
    public static String write(X509Certificate certificate) throws GeneralSecurityException {
        return write("CERTIFICATE", certificate.getEncoded());
    }

    /// As text, in PKCS#8, unencrypted.
    public static String write(PrivateKey key) throws GeneralSecurityException {
        byte[] der = key.getEncoded();
        if (der == null) {
            throw new InvalidKeySpecException("key: " + key.getAlgorithm() + " cannot be exported");
        }
        return write("PRIVATE KEY", der);
    }

    private static String write(String label, byte[] der) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        return BEGIN
                + label
                + "-----\n"
                + lines.encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }
}
