package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.loop.IpAddresses;
import java.net.IDN;
import java.util.ArrayList;
import java.util.List;

/// Names that a text may mean, in the order in which they are tried.
final class SearchList {
    private SearchList() {}

    /// @throws IllegalArgumentException when the text is not a name
    static List<DnsName> names(String text, ResolverConfig config) {
        String ascii = ascii(text);
        DnsName name = DnsName.parse(ascii);
        if (name.isRoot() || isAbsolute(ascii) || config.search().isEmpty()) {
            return List.of(name);
        }
        // RFC 6761, 6.3, 6.4: nothing is appended to special names.
        if (SpecialNames.isSpecial(name)) {
            return List.of(name);
        }
        List<DnsName> names = new ArrayList<>();
        boolean first = name.labelCount() > config.ndots();
        if (first) {
            names.add(name);
        }
        for (DnsName domain : config.search()) {
            if (name.length() - 1 + domain.length() <= DnsName.MAX_LENGTH) {
                names.add(name.append(domain));
            }
        }
        if (!first) {
            names.add(name);
        }
        return names;
    }

    /// Returns the name that a text is as it stands.
    ///
    /// @throws IllegalArgumentException when the text is not a name
    static DnsName asIs(String text) {
        return DnsName.parse(ascii(text));
    }

    /// Tells if a host may have this name. None has one that ends in a number, is in brackets or
    /// has a colon: systems take such texts for addresses (`127.1`), and code that has compared
    /// texts before would be led elsewhere. Digits of other scripts are those of ASCII in a name.
    static boolean isOfHost(DnsName name) {
        String text = name.toString();
        return !IpAddresses.endsInNumber(text) && !text.startsWith("[") && text.indexOf(':') < 0;
    }

    private static boolean isAbsolute(String text) {
        int backslashes = 0;
        for (int i = text.length() - 2; i >= 0 && text.charAt(i) == '\\'; i--) {
            backslashes++;
        }
        return text.endsWith(".") && backslashes % 2 == 0;
    }

    private static String ascii(String text) {
        if (text.isEmpty() || text.length() > 1024) {
            throw new IllegalArgumentException(
                    "name: " + text.length() + " characters (expected: 1 to 1024)");
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                String ascii = IDN.toASCII(text, IDN.ALLOW_UNASSIGNED); // RFC 3490, 4: of queries
                if (ascii.indexOf('\\') >= 0) {
                    throw new IllegalArgumentException(
                            "name: a backslash in letters of other scripts (expected: none)");
                }
                return ascii;
            }
        }
        return text;
    }
}
