package io.weft.tls.x509;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Locations at which a certificate says that its status can be learnt. An extension that cannot
/// be read names none, as with the JDK.
final class StatusLocations {
    /// RFC 5280 section 4.2.2.1.
    private static final String AUTHORITY_INFO_ACCESS = "1.3.6.1.5.5.7.1.1";

    private static final byte[] OCSP = Der.oid("1.3.6.1.5.5.7.48.1");

    private static final String DISTRIBUTION_POINTS = "2.5.29.31";

    /// `distributionPoint` of DistributionPoint, and `fullName` of DistributionPointName: both
    /// `[0]`, constructed.
    private static final int DISTRIBUTION_POINT = 0xa0;

    private static final int FULL_NAME = 0xa0;

    /// Of one certificate. Public ones name one or two.
    static final int MAX_LISTS = 4;

    /// `uniformResourceIdentifier` of GeneralName, RFC 5280 section 4.2.1.6.
    private static final int URI_NAME = 0x86;

    private StatusLocations() {}

    /// The first responder that a certificate names; null without one.
    static @Nullable URI responder(X509Certificate certificate) {
        try {
            for (DerElement access : extension(certificate, AUTHORITY_INFO_ACCESS)) {
                List<DerElement> parts = access.children();
                if (parts.size() == 2
                        && Arrays.equals(Der.tagged(6, parts.getFirst().content()), OCSP)
                        && parts.get(1).tag() == URI_NAME) {
                    return uri(parts.get(1));
                }
            }
        } catch (CertificateParsingException e) {
            return null;
        }
        return null;
    }

    /// Tells if a certificate has distribution points, whatever they are.
    static boolean namesLists(X509Certificate certificate) {
        return certificate.getExtensionValue(DISTRIBUTION_POINTS) != null;
    }

    /// Locations of lists, those of all distribution points (RFC 5280 section 4.2.1.13), the first
    /// [#MAX_LISTS] of them.
    static List<URI> lists(X509Certificate certificate) {
        List<URI> locations = new ArrayList<>();
        try {
            for (DerElement point : extension(certificate, DISTRIBUTION_POINTS)) {
                for (DerElement field : point.children()) {
                    if (field.tag() == DISTRIBUTION_POINT) {
                        addNames(field, locations);
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return List.of();
        }
        return locations.subList(0, Math.min(locations.size(), MAX_LISTS));
    }

    private static void addNames(DerElement point, List<URI> to)
            throws CertificateParsingException {
        for (DerElement choice : point.children()) {
            if (choice.tag() != FULL_NAME) {
                continue;
            }
            for (DerElement name : choice.children()) {
                URI location = name.tag() == URI_NAME ? uri(name) : null;
                if (location != null) {
                    to.add(location);
                }
            }
        }
    }

    private static List<DerElement> extension(X509Certificate certificate, String oid)
            throws CertificateParsingException {
        byte[] value = certificate.getExtensionValue(oid);
        return value == null
                ? List.of()
                : DerElement.only(DerElement.only(value).content()).children();
    }

    private static @Nullable URI uri(DerElement name) {
        try {
            return new URI(new String(name.content(), StandardCharsets.ISO_8859_1));
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
