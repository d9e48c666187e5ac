package io.weft.examples.proxy;

import io.weft.examples.Extras;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.Pem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The servers behind [ReverseProxy] as `--to` names them, and those among them that are spoken to
/// over TLS. Their certificates have to be for the host in `--to`.
///
/// @param servers all, in order
/// @param secure those over TLS
/// @param trust of connections to these; null for the system's authorities
record UpstreamTls(
        List<InetSocketAddress> servers, Set<InetSocketAddress> secure, @Nullable TlsContext trust)
        implements AutoCloseable {
    static final String CA = "--upstream-ca";

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";

    UpstreamTls {
        servers = List.copyOf(servers);
        secure = Set.copyOf(secure);
    }

    /// Reads `--to HOST:PORT`, or `--to http://HOST[:PORT]` and `https://HOST[:PORT]`.
    ///
    /// @throws IllegalArgumentException when one of them, or the file of authorities, is malformed
    static UpstreamTls of(Extras extras, HttpProtocol protocol) {
        List<InetSocketAddress> servers = new ArrayList<>();
        Set<InetSocketAddress> secure = new HashSet<>();
        for (String to : extras.all("--to")) {
            boolean tls = to.toLowerCase(Locale.ROOT).startsWith(HTTPS);
            boolean plain = to.toLowerCase(Locale.ROOT).startsWith(HTTP);
            String rest = to.substring(tls ? HTTPS.length() : plain ? HTTP.length() : 0);
            boolean port = rest.matches(".*:[0-9]+") || !(tls || plain);
            InetSocketAddress server =
                    Extras.hostAndPort("--to", port ? rest : rest + (tls ? ":443" : ":80"));
            if (servers.contains(server)) { // one of the two schemes would be the other's
                throw new IllegalArgumentException("--to: " + to + " (expected: a server once)");
            }
            servers.add(server);
            if (tls) {
                secure.add(server);
            }
        }
        return new UpstreamTls(servers, secure, trust(extras.last(CA), protocol));
    }

    private static @Nullable TlsContext trust(@Nullable String file, HttpProtocol protocol) {
        if (file == null) {
            return null;
        }
        try {
            return TlsContext.client()
                    .trust(
                            Pem.certificates(Pem.read(Path.of(file)))
                                    .toArray(X509Certificate[]::new))
                    .applicationProtocols(protocol == HttpProtocol.HTTP_2 ? "h2" : "http/1.1")
                    .build();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    CA + ": " + file + " (expected: certificates in PEM): " + e.getMessage(), e);
        }
    }

    /// The beginning of a target that leads to `server`.
    String scheme(InetSocketAddress server) {
        return secure.contains(server) ? HTTPS : HTTP;
    }

    HttpClient.Builder client(HttpClient.Builder builder) {
        return trust == null ? builder : builder.tls(trust);
    }

    @Override
    public void close() {
        if (trust != null) {
            trust.close();
        }
    }
}
