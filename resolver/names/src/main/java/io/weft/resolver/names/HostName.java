package io.weft.resolver.names;

import java.net.IDN;
import java.net.UnknownHostException;
import java.util.Locale;

/// Names of hosts in one form, so that they compare: ASCII, lower case, without the dot of the
/// root.
final class HostName {
    /// RFC 1035 2.3.4, as text.
    private static final int MAX_LENGTH = 253;

    private static final int MAX_LABEL = 63;

    private HostName() {}

    /// @throws UnknownHostException when `host` cannot be a name: it is empty or too long, has a
    ///     space, a control character or an empty label, or is not valid as an IDN
    static String normalize(String host) throws UnknownHostException {
        String name = isPlain(host) ? host : ascii(host);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean dot = c == '.';
            if (c <= ' ' || c == 0x7F || (dot && label == 0) || (!dot && ++label > MAX_LABEL)) {
                throw invalid(host);
            }
            label = dot ? 0 : label;
        }
        if (label == 0 || name.length() > MAX_LENGTH) {
            throw invalid(host);
        }
        return name;
    }

    private static boolean isPlain(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c >= 0x7F || (c >= 'A' && c <= 'Z')) {
                return false;
            }
        }
        return true;
    }

    private static String ascii(String host) throws UnknownHostException {
        if (host.length() > MAX_LENGTH + 1) {
            throw invalid(host); // before the work of an IDN
        }
        try {
            return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            throw invalid(host);
        }
    }

    private static UnknownHostException invalid(String host) {
        String shown = host.length() > 80 ? host.substring(0, 80) + "..." : host;
        return new UnknownHostException(
                "name: \""
                        + shown.replaceAll("\\p{Cntrl}", "?")
                        + "\" (expected: labels of 1..63 characters, 253 in all)");
    }
}
