package io.weft.tls.x509;

import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;

/// Reads one level of DER: tags and lengths, no more than a key in an old form needs.
final class DerReader {
    private final byte[] der;
    private int at;
    private int end;

    private DerReader(byte[] der) {
        this.der = der;
        this.end = der.length;
    }

    /// The curve of an `ECPrivateKey` (RFC 5915), as its OID in DER.
    static byte[] sec1Curve(byte[] der) throws InvalidKeySpecException {
        DerReader reader = new DerReader(der);
        reader.enter(0x30);
        while (reader.at < reader.end) {
            int start = reader.at;
            int tag = reader.der[start] & 0xff;
            int length = reader.header();
            if (tag == 0xa0) {
                return Arrays.copyOfRange(der, reader.at, reader.at + length);
            }
            reader.at += length;
        }
        throw new InvalidKeySpecException("EC PRIVATE KEY: without its curve (expected: named)");
    }

    private void enter(int tag) throws InvalidKeySpecException {
        if (at >= end || (der[at] & 0xff) != tag) {
            throw malformed();
        }
        int length = header();
        end = at + length;
    }

    /// Goes behind a tag and its length, which it returns.
    private int header() throws InvalidKeySpecException {
        if (end - at < 2) {
            throw malformed();
        }
        at++;
        int length = der[at++] & 0xff;
        if (length > 0x82) {
            throw malformed(); // more than 64 KiB
        }
        if (length >= 0x80) {
            int bytes = length - 0x80;
            length = 0;
            for (int i = 0; i < bytes && at < end; i++) {
                length = length << 8 | (der[at++] & 0xff);
            }
        }
        if (length > end - at) {
            throw malformed();
        }
        return length;
    }

    private static InvalidKeySpecException malformed() {
        return new InvalidKeySpecException("EC PRIVATE KEY: malformed");
    }
}
