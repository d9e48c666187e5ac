package io.weft.handler.proxy;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Proxies that the environment names, by the variables that curl and others read: `http_proxy`,
/// `https_proxy` and `all_proxy` have their URLs, `no_proxy` the hosts to connect to directly.
///
/// Variables in upper case are read where those in lower case are missing, but for `HTTP_PROXY`,
/// which a client of a CGI program can set (CVE-2016-5385). `no_proxy` has names, which stand for
/// themselves and their subdomains, addresses, and blocks of them (`10.0.0.0/8`), divided by commas
/// or spaces; an entry may have a port, and `*` stands for all hosts.
public final class ProxyEnvironment {
    private final @Nullable ProxyServer http;
    private final @Nullable ProxyServer https;
    private final List<String> direct;

    private ProxyEnvironment(
            @Nullable ProxyServer http, @Nullable ProxyServer https, List<String> direct) {
        this.http = http;
        this.https = https;
        this.direct = direct;
    }

    /// Reads the variables, such as of [System#getenv()].
    ///
    /// @throws IllegalArgumentException when one is malformed; the message has no password
    public static ProxyEnvironment of(Map<String, String> variables) {
        ProxyServer all = proxy(either(variables, "all_proxy"));
        ProxyServer http = proxy(variables.get("http_proxy"));
        ProxyServer https = proxy(either(variables, "https_proxy"));
        String direct = Objects.requireNonNullElse(either(variables, "no_proxy"), "");
        return new ProxyEnvironment(
                http == null ? all : http,
                https == null ? all : https,
                Stream.of(direct.split("[, \t]+"))
                        .map(entry -> entry.toLowerCase(Locale.ROOT))
                        .filter(entry -> !entry.isEmpty())
                        .toList());
    }

    private static @Nullable String either(Map<String, String> variables, String name) {
        String value = variables.get(name);
        boolean missing = value == null || value.isBlank(); // empty counts as missing, as for curl
        return missing ? variables.get(name.toUpperCase(Locale.ROOT)) : value;
    }

    private static @Nullable ProxyServer proxy(@Nullable String url) {
        return url == null || url.isBlank() ? null : ProxyServer.parse(url.strip());
    }

    /// Returns the proxy for a destination; null for a direct connection.
    ///
    /// @param scheme `http`; any other counts as `https`
    public @Nullable ProxyServer proxy(String scheme, String host, int port) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[")) {
            name = name.substring(1, name.length() - 1);
        }
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        for (String entry : direct) {
            if (matches(entry, name, port)) {
                return null;
            }
        }
        return scheme.equals("http") ? http : https;
    }

    private static boolean matches(String entry, String host, int port) {
        if (entry.equals("*")) {
            return true;
        }
        String pattern = entry;
        int colon = entry.lastIndexOf(':');
        boolean ipv6 = entry.indexOf(':') != colon && !entry.endsWith("]") && !entry.contains("]:");
        if (colon > 0 && !ipv6 && entry.substring(colon + 1).matches("[0-9]+")) {
            if (!entry.substring(colon + 1).equals(String.valueOf(port))) {
                return false;
            }
            pattern = entry.substring(0, colon);
        }
        if (pattern.startsWith("[") && pattern.endsWith("]")) {
            pattern = pattern.substring(1, pattern.length() - 1);
        }
        int slash = pattern.indexOf('/');
        byte[] address = literal(host);
        if (address != null) {
            byte[] block = literal(slash < 0 ? pattern : pattern.substring(0, slash));
            String bits = slash < 0 ? "" : pattern.substring(slash + 1);
            return block != null
                    && block.length == address.length
                    && (slash < 0
                            ? Arrays.equals(block, address)
                            : bits.matches("[0-9]{1,3}")
                                    && begins(block, address, Integer.parseInt(bits)));
        }
        String domain =
                pattern.startsWith("*.")
                        ? pattern.substring(2)
                        : pattern.startsWith(".") ? pattern.substring(1) : pattern;
        if (domain.endsWith(".")) {
            domain = domain.substring(0, domain.length() - 1); // a name that is absolute
        }
        return !domain.isEmpty() && (host.equals(domain) || host.endsWith("." + domain));
    }

    private static boolean begins(byte[] block, byte[] address, int bits) {
        for (int bit = 0; bit < Math.min(bits, 8 * block.length); bit++) {
            int mask = 0x80 >> (bit & 7);
            if ((block[bit >> 3] & mask) != (address[bit >> 3] & mask)) {
                return false;
            }
        }
        return bits <= 8 * block.length;
    }

    private static byte @Nullable [] literal(String text) {
        boolean shape = text.indexOf(':') >= 0 || text.matches("[0-9]+(\\.[0-9]+){3}");
        try {
            return shape ? InetAddress.ofLiteral(text).getAddress() : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
