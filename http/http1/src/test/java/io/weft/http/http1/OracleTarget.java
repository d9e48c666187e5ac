package io.weft.http.http1;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The part of [RequestOracle] for targets and hosts, from RFC 9112, 3.2 and RFC 3986.
final class OracleTarget {
    private static final String PERCENT = "%[0-9A-Fa-f]{2}";
    private static final String PLAIN = "A-Za-z0-9\\-._~!$&'()*+,;=";
    private static final String PCHAR = "(?:[" + PLAIN + ":@]|" + PERCENT + ")";
    private static final String PATH = "(?:/" + PCHAR + "*+)*+";
    private static final Pattern PATH_TO_QUERY = Pattern.compile("(" + PATH + ")(?:\\?(.*))?");
    private static final Pattern QUERY = Pattern.compile("(?:" + PCHAR + "|[/?])*+");
    private static final Pattern LOOSE_QUERY = Pattern.compile("[" + PLAIN + ":@/?%\\[\\]^{|}]*+");
    private static final Pattern HTTP =
            Pattern.compile("(?i:https?)://([^/?#]*)(.*)", Pattern.DOTALL);
    private static final Pattern OTHER_SCHEME =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.\\-]*:(?:" + PCHAR + "|[/?])*+");
    private static final Pattern USER = Pattern.compile("(?:[" + PLAIN + ":]|" + PERCENT + ")*@");

    /// `uri-host [ ":" port ]`, where the inside of a literal address is looked at by itself.
    private static final Pattern HOST =
            Pattern.compile(
                    "(?:\\[([^\\[\\]]*)]|((?:[" + PLAIN + "]|" + PERCENT + ")*+))(?::([0-9]*))?");

    private static final Pattern LOOSE_IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,}");
    private static final Pattern FUTURE_IP =
            Pattern.compile("[vV][0-9A-Fa-f]+\\.[" + PLAIN + ":]+");
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

    private final Set<Divergence> divergences;

    OracleTarget(Set<Divergence> divergences) {
        this.divergences = divergences;
    }

    private boolean is(Divergence divergence) {
        return divergences.contains(divergence);
    }

    boolean isTarget(String method, String target) {
        if (method.equals("CONNECT")) {
            return isAuthority(target, true, false);
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS");
        }
        if (target.startsWith("/")) {
            return isPathAndQuery(target);
        }
        Matcher http = HTTP.matcher(target);
        if (!http.matches()) {
            return OTHER_SCHEME.matcher(target).matches() && !is(Divergence.OTHER_SCHEME);
        }
        String authority = http.group(1);
        Matcher user = USER.matcher(authority);
        if (user.lookingAt()) {
            if (is(Divergence.USER_IN_AUTHORITY)) {
                return false;
            }
            authority = authority.substring(user.end());
        }
        return isAuthority(authority, false, false) && isPathAndQuery(http.group(2));
    }

    private boolean isPathAndQuery(String text) {
        Matcher parts = PATH_TO_QUERY.matcher(text);
        if (!parts.matches()) {
            return false;
        }
        String query = parts.group(2) == null ? "" : parts.group(2);
        Pattern pattern = is(Divergence.CHARACTERS_OF_QUERIES) ? LOOSE_QUERY : QUERY;
        return pattern.matcher(query).matches();
    }

    /// RFC 9110, 7.2.
    boolean isHost(String value) {
        return isAuthority(value, false, !is(Divergence.EMPTY_HOST));
    }

    private boolean isAuthority(String text, boolean portNeeded, boolean mayBeEmpty) {
        Matcher host = HOST.matcher(text);
        return host.matches()
                && isPort(host.group(3), portNeeded)
                && (host.group(1) != null
                        ? isLiteral(host.group(1))
                        : isName(host.group(2), mayBeEmpty));
    }

    private boolean isPort(String port, boolean needed) {
        if (port == null) {
            return !needed;
        }
        if (port.isEmpty()) {
            return !is(Divergence.EMPTY_PORT);
        }
        return !is(Divergence.LARGE_PORT)
                || (port.matches("0*[0-9]{1,5}") && Long.parseLong(port) <= 65535);
    }

    private boolean isName(String name, boolean mayBeEmpty) {
        return (mayBeEmpty || !name.isEmpty())
                && (!name.contains(",") || !is(Divergence.COMMA_IN_HOST));
    }

    private boolean isLiteral(String address) {
        if (FUTURE_IP.matcher(address).matches()) {
            return !is(Divergence.FUTURE_IP);
        }
        return is(Divergence.LOOSE_IPV6) ? LOOSE_IPV6.matcher(address).matches() : isIpv6(address);
    }

    /// RFC 3986, 3.2.2: eight groups, or fewer around one `::`, the last two perhaps as IPv4.
    private static boolean isIpv6(String address) {
        int gap = address.indexOf("::");
        if (gap < 0) {
            return groups(address, true) == 8;
        }
        int before = groups(address.substring(0, gap), false);
        int after = groups(address.substring(gap + 2), true);
        return before >= 0 && after >= 0 && before + after <= 7;
    }

    /// Returns how many groups of 16 bits `text` has, or -100.
    private static int groups(String text, boolean mayEndInIpv4) {
        if (text.isEmpty()) {
            return 0;
        }
        List<String> groups = Arrays.asList(text.split(":", -1));
        int count = 0;
        for (int i = 0; i < groups.size(); i++) {
            boolean last = i == groups.size() - 1;
            if (groups.get(i).matches("[0-9A-Fa-f]{1,4}")) {
                count++;
            } else if (last && mayEndInIpv4 && IPV4.matcher(groups.get(i)).matches()) {
                count += 2;
            } else {
                return -100;
            }
        }
        return count;
    }
}
