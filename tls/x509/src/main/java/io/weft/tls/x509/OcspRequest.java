package io.weft.tls.x509;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;

/// The question for the status of one certificate (RFC 6960 section 4.1.1), unsigned.
///
/// The CertID is made with SHA-1, which is what responders know (RFC 5019 section 2.1.1) and the
/// JDK looks for in responses. There is no nonce: most responders sign ahead of time and could not
/// return it.
final class OcspRequest {
    private static final byte[] SHA_1 = Der.sequence(Der.oid("1.3.14.3.2.26"), Der.NULL);

    private OcspRequest() {}

    static byte[] of(X509Certificate certificate, X509Certificate issuer)
            throws GeneralSecurityException {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        byte[] name = sha1.digest(issuer.getSubjectX500Principal().getEncoded());
        byte[] id =
                Der.sequence(
                        SHA_1,
                        Der.octets(name),
                        Der.octets(sha1.digest(keyBits(issuer))),
                        Der.integer(certificate.getSerialNumber()));
        byte[] request = Der.sequence(id);
        byte[] requestList = Der.sequence(request);
        byte[] tbsRequest = Der.sequence(requestList);
        return Der.sequence(tbsRequest);
    }

    /// The BIT STRING of the key, without the number of unused bits before it.
    private static byte[] keyBits(X509Certificate issuer) throws CertificateParsingException {
        byte[] spki = issuer.getPublicKey().getEncoded();
        List<DerElement> parts = DerElement.only(spki).children();
        if (parts.size() != 2 || parts.get(1).content().length == 0) {
            throw new CertificateParsingException("key of the issuer: malformed");
        }
        byte[] bits = parts.get(1).content();
        return Arrays.copyOfRange(bits, 1, bits.length);
    }
}
