package io.weft.tls.x509;

import io.weft.loop.IpAddresses;
import java.net.IDN;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Names of hosts, and the check that a certificate is for one: RFC 9525.
///
/// Only its subject alternative names count, never the common name. An address has to be there as
/// an address, a name as a DNS name. A wildcard is a whole label, the leftmost, and stands for
/// exactly one label, of a domain of two labels or more.
public final class HostNames {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private HostNames() {}

    /// Checks the subject alternative names of a certificate.
    ///
    /// @param host a name, with or without a trailing dot, or an address in text
    public static boolean matches(X509Certificate certificate, String host) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return false;
        }
        if (names == null) {
            return false;
        }
        byte[] address = address(host);
        String name = address == null ? asciiName(host) : null;
        for (List<?> entry : names) {
            int type = (Integer) entry.get(0);
            if (address != null && type == IP_ADDRESS) {
                if (Arrays.equals(address, address(String.valueOf(entry.get(1))))) {
                    return true;
                }
            } else if (name != null && type == DNS_NAME) {
                if (matches(String.valueOf(entry.get(1)).toLowerCase(Locale.ROOT), name)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The bytes of an address in text, in brackets or not; null when it is none.
    public static byte @Nullable [] address(String host) {
        String text =
                host.startsWith("[") && host.endsWith("]")
                        ? host.substring(1, host.length() - 1)
                        : host;
        InetAddress address = IpAddresses.parse(text);
        return address == null ? null : address.getAddress();
    }

    /// A host as it is compared: in ASCII, lower case, without the trailing dot; null when it is no
    /// name of a host.
    public static @Nullable String asciiName(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        try {
            name = IDN.toASCII(name).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return null;
        }
        return isName(name) ? name : null;
    }

    /// A name as a peer may send it: in ASCII, without a trailing dot; in lower case. Null when it
    /// is none. Other letters than ASCII's are not even looked at.
    public static @Nullable String wireName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.length() == name.length() && isName(lower) ? lower : null;
    }

    /// Labels of letters, digits, hyphens and (as they are about) underscores, and not all of the
    /// last one digits, lest it be a form of an address.
    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > 253) {
            return false;
        }
        boolean digitsOnly = false;
        for (String label : name.split("\\.", -1)) {
            if (label.isEmpty() || label.length() > 63) {
                return false;
            }
            digitsOnly = true;
            for (int i = 0; i < label.length(); i++) {
                char c = label.charAt(i);
                boolean digit = c >= '0' && c <= '9';
                digitsOnly &= digit;
                if (!digit && (c < 'a' || c > 'z') && c != '-' && c != '_') {
                    return false;
                }
            }
        }
        return !digitsOnly;
    }

    /// @param pattern of a certificate, in lower case
    /// @param name of a host, as [#asciiName] gives it
    static boolean matches(String pattern, String name) {
        if (!pattern.startsWith("*.")) {
            return isName(pattern) && pattern.equals(name);
        }
        // RFC 9525 section 6.3. "*.com" is for nobody to own.
        String domain = pattern.substring(2);
        int dot = name.indexOf('.');
        return isName(domain)
                && domain.indexOf('.') > 0
                && dot > 0
                && name.substring(dot + 1).equals(domain);
    }
}
