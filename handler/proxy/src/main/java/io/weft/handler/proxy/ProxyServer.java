package io.weft.handler.proxy;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.tls.machine.TlsContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A proxy to connect through, and how to speak with it.
public sealed interface ProxyServer {
    /// Its name or address.
    String host();

    /// Its port, 1 to 65,535.
    int port();

    /// A proxy of HTTP, asked by CONNECT (RFC 9110, 9.3.6). It resolves names.
    ///
    /// @param tls for a proxy that is spoken with over TLS; null for one in the clear
    /// @param login for Basic authentication; null for none
    /// @param headers further fields of the request
    record Http(
            String host, int port, @Nullable TlsContext tls, @Nullable Login login, Headers headers)
            implements ProxyServer {
        private static final List<HeaderName> OWN_FIELDS =
                List.of(
                        HeaderName.HOST,
                        HeaderName.CONTENT_LENGTH,
                        HeaderName.TRANSFER_ENCODING,
                        HeaderName.EXPECT);

        /// @throws IllegalArgumentException when the port is out of range, the login has a control
        ///     or its user a colon (RFC 7617, 2), or the fields have one that the request has
        ///     already
        public Http {
            requirePort(port);
            if (login != null) {
                requireBasic(login);
            }
            for (HeaderName own : OWN_FIELDS) {
                if (headers.contains(own)) {
                    throw new IllegalArgumentException(
                            "field of the proxy's request: " + own + " (expected: other fields)");
                }
            }
        }

        private static void requireBasic(Login login) {
            boolean control =
                    (login.user() + login.password()).chars().anyMatch(c -> c < 0x20 || c == 0x7F);
            if (control || login.user().indexOf(':') >= 0) {
                throw new IllegalArgumentException(
                        "login of the proxy: a control, or a colon in the user's name"
                                + " (expected: none; RFC 7617, 2)");
            }
        }

        public Http(String host, int port) {
            this(host, port, null, null, Headers.EMPTY);
        }

        /// This proxy, with a name and a password.
        public Http withLogin(String user, String password) {
            return new Http(host, port, tls, new Login(user, password), headers);
        }

        /// This proxy, spoken with over TLS.
        public Http withTls(TlsContext context) {
            return new Http(host, port, context, login, headers);
        }

        /// This proxy, with further fields in the request.
        public Http withHeaders(Headers fields) {
            return new Http(host, port, tls, login, fields);
        }

        @Override
        public String toString() {
            return (tls == null ? "http://" : "https://") + at(this);
        }
    }

    /// A proxy of SOCKS 4 or 4a.
    ///
    /// @param userId identifies the user, and may be empty; up to 255 bytes
    /// @param resolvesNames the proxy resolves names (4a); if false they are resolved here, to an
    ///     IPv4 address
    record Socks4(String host, int port, String userId, boolean resolvesNames)
            implements ProxyServer {
        /// @throws IllegalArgumentException when the port is out of range, or the user's name is
        ///     too long or has a control
        public Socks4 {
            requirePort(port);
            boolean control = userId.chars().anyMatch(c -> c < 0x20 || c == 0x7F);
            if (control || length(userId) > 255) {
                throw new IllegalArgumentException(
                        "userId: "
                                + length(userId)
                                + " bytes"
                                + (control ? " with a control" : "")
                                + " (expected: at most 255, none a control)");
            }
        }

        /// Of version 4a.
        public Socks4(String host, int port) {
            this(host, port, "", true);
        }

        @Override
        public String toString() {
            return (resolvesNames ? "socks4a://" : "socks4://") + at(this);
        }
    }

    /// A proxy of SOCKS 5.
    ///
    /// @param login offered beside no authentication; null for none
    /// @param resolvesNames the proxy resolves names; if false they are resolved here
    record Socks5(String host, int port, @Nullable Login login, boolean resolvesNames)
            implements ProxyServer {
        /// @throws IllegalArgumentException when the port is out of range, or the name or password
        ///     of the login is too long, or the name empty (RFC 1929)
        public Socks5 {
            requirePort(port);
            if (login != null
                    && (login.user().isEmpty()
                            || length(login.user()) > 255
                            || length(login.password()) > 255)) {
                throw new IllegalArgumentException(
                        "login of the proxy: "
                                + length(login.user())
                                + " and "
                                + length(login.password())
                                + " bytes (expected: 1 to 255 and at most 255; RFC 1929)");
            }
        }

        /// Makes one that resolves names.
        public Socks5(String host, int port) {
            this(host, port, null, true);
        }

        /// This proxy, with a name and a password.
        public Socks5 withLogin(String user, String password) {
            return new Socks5(host, port, new Login(user, password), resolvesNames);
        }

        @Override
        public String toString() {
            return (resolvesNames ? "socks5h://" : "socks5://") + at(this);
        }
    }

    /// A name and a password.
    record Login(String user, String password) {
        /// Without the password.
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /// The proxy of a URL as curl takes it: `http`, `https`, `socks4`, `socks4a`, `socks5` or
    /// `socks5h`, where the last letter has the proxy resolve names; without a scheme `http`. The
    /// port is 1080 unless given, of `https` 443.
    ///
    /// @throws IllegalArgumentException when it is malformed; the message does not have the
    ///     password
    static ProxyServer parse(String url) {
        return ProxyUrl.parse(url);
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void requirePort(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }

    private static String at(ProxyServer proxy) {
        String host = proxy.host();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + proxy.port();
    }
}
