package io.weft.handler.proxy;

import io.weft.handler.proxy.ProxyServer.Login;
import io.weft.http.model.Headers;
import io.weft.tls.machine.TlsContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// URLs of proxies.
final class ProxyUrl {
    /// As of curl.
    private static final int DEFAULT_PORT = 1080;

    private static final Pattern PLACE =
            Pattern.compile("((?<user>[^@]*)@)?(?<host>[A-Za-z0-9._-]+)(:(?<port>[0-9]{0,5}))?");

    private ProxyUrl() {}

    static ProxyServer parse(String text) {
        URI url;
        try {
            url = new URI(text.contains("://") ? text : "http://" + text);
        } catch (URISyntaxException e) {
            throw malformed();
        }
        String path = url.getRawPath();
        if (url.getRawAuthority() == null
                || !(path == null || path.isEmpty() || path.equals("/"))) {
            throw malformed();
        }
        String userInfo = url.getRawUserInfo();
        String host = url.getHost();
        int told = url.getPort();
        if (host == null) {
            // URI takes no host with an underscore, as names of containers may have.
            Matcher place = PLACE.matcher(url.getRawAuthority());
            if (!place.matches()) {
                throw malformed();
            }
            userInfo = place.group("user");
            host = place.group("host");
            told = number(place.group("port"));
        }
        if (told > 65_535) {
            throw malformed();
        }
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        Login login = login(userInfo);
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        int port = told > 0 ? told : DEFAULT_PORT;
        return switch (scheme) {
            case "http" -> new ProxyServer.Http(host, port, null, login, Headers.EMPTY);
            case "https" ->
                    new ProxyServer.Http(
                            host, told > 0 ? port : 443, SharedTls.CONTEXT, login, Headers.EMPTY);
            case "socks4", "socks4a" ->
                    new ProxyServer.Socks4(
                            host, port, login == null ? "" : login.user(), scheme.endsWith("a"));
            case "socks5", "socks5h" ->
                    new ProxyServer.Socks5(host, port, login, scheme.endsWith("h"));
            default ->
                    throw new IllegalArgumentException(
                            "scheme of the proxy: "
                                    + scheme
                                    + " (expected: http, https, socks4, socks4a, socks5 or"
                                    + " socks5h)");
        };
    }

    private static int number(@Nullable String port) {
        return port == null || port.isEmpty() ? -1 : Integer.parseInt(port);
    }

    private static @Nullable Login login(@Nullable String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return null;
        }
        int colon = userInfo.indexOf(':');
        return new Login(
                decode(colon < 0 ? userInfo : userInfo.substring(0, colon)),
                colon < 0 ? "" : decode(userInfo.substring(colon + 1)));
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    /// Without the text, which may have a password.
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "URL of the proxy: malformed (expected: scheme://[user[:password]@]host[:port])");
    }

    /// Made when the first proxy needs it.
    private static final class SharedTls {
        static final TlsContext CONTEXT = make();

        private static TlsContext make() {
            try {
                return TlsContext.client().applicationProtocols("http/1.1").build();
            } catch (SSLException e) {
                throw new IllegalStateException("TLS: no context of the system's authorities", e);
            }
        }
    }
}
