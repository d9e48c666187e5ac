package io.weft.examples;

import io.weft.tls.machine.TlsContext;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// A client of TLS that minds nothing, for examples that sign their certificates themselves.
public final class Tls {
    private Tls() {}

    public static Socket over(Socket plain) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Gullible()}, null);
        return context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    }

    public static BufferedReader lines(Socket socket) throws Exception {
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /// The same for clients of ours.
    public static TlsContext context(String... protocols) throws SSLException {
        return TlsContext.client().trust(new Gullible()).applicationProtocols(protocols).build();
    }

    /// Writes the certificate of a server to a file, for programs that trust no other.
    public static Path certificate(Served server, Path directory) throws Exception {
        try (SSLSocket probe = (SSLSocket) over(server.connect())) {
            byte[] encoded = probe.getSession().getPeerCertificates()[0].getEncoded();
            return Files.writeString(
                    directory.resolve("server.pem"),
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder().encodeToString(encoded)
                            + "\n-----END CERTIFICATE-----\n");
        }
    }

    private static final class Gullible extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
