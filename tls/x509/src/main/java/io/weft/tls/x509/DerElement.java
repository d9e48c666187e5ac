package io.weft.tls.x509;

import java.security.cert.CertificateParsingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An element of DER (X.690) that was read.
final class DerElement {
    private final int tag;
    private final byte[] content;

    private DerElement(int tag, byte[] content) {
        this.tag = tag;
        this.content = content;
    }

    /// Reads elements that lie one behind the other; the tags and lengths of this level alone.
    static List<DerElement> all(byte[] der) throws CertificateParsingException {
        List<DerElement> elements = new ArrayList<>();
        int at = 0;
        while (at < der.length) {
            if (der.length - at < 2 || (der[at] & 0x1f) == 0x1f) {
                throw malformed();
            }
            int tag = der[at++] & 0xff;
            int length = der[at++] & 0xff;
            if (length > 0x83) {
                throw malformed(); // 16 MiB or more, or of no definite length
            }
            if (length >= 0x80) {
                int bytes = length - 0x80;
                length = bytes == 0 || bytes > der.length - at ? Integer.MAX_VALUE : 0;
                for (int i = 0; i < bytes && length != Integer.MAX_VALUE; i++) {
                    length = length << 8 | (der[at++] & 0xff);
                }
            }
            if (length > der.length - at) {
                throw malformed();
            }
            elements.add(new DerElement(tag, Arrays.copyOfRange(der, at, at + length)));
            at += length;
        }
        return elements;
    }

    /// Reads one element and nothing behind it.
    static DerElement only(byte[] der) throws CertificateParsingException {
        List<DerElement> elements = all(der);
        if (elements.size() != 1) {
            throw malformed();
        }
        return elements.getFirst();
    }

    int tag() {
        return tag;
    }

    byte[] content() {
        return content;
    }

    /// The elements of a constructed one.
    List<DerElement> children() throws CertificateParsingException {
        return all(content);
    }

    private static CertificateParsingException malformed() {
        return new CertificateParsingException("DER: malformed");
    }
}
