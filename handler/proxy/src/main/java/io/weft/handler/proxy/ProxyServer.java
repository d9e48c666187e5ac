package io.weft.handler.proxy;

import io.weft.http.model.Headers;
import io.weft.tls.machine.TlsContext;
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
        /// @throws IllegalArgumentException when the port is out of range
        public Http {
            requirePort(port);
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
    /// @param userId identifies the user, and may be empty
    /// @param resolvesNames the proxy resolves names (4a); if false they are resolved here, to an
    ///     IPv4 address
    record Socks4(String host, int port, String userId, boolean resolvesNames)
            implements ProxyServer {
        /// @throws IllegalArgumentException when the port is out of range
        public Socks4 {
            requirePort(port);
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
        /// @throws IllegalArgumentException when the port is out of range
        public Socks5 {
            requirePort(port);
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
