package io.weft.examples;

import io.weft.channel.Bootstrap;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsTrust;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Asks whether the certificate of a server has been revoked (OCSP, RFC 6960): the server staples
/// the answer of its authority to the handshake, or else the responder is asked that the
/// certificate names. Without an answer the certificate is refused.
public final class Ocsp {
    private static final String USAGE = "[--ca FILE] HOST[:PORT]";

    private Ocsp() {}

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// @return the exit code: 0 for a certificate that is good, 1 for one that is not, no
    ///     connection or no file, 2 for arguments that are wrong
    static int run(PrintStream out, PrintStream err, String... args) {
        List<String> left = new ArrayList<>(Arrays.asList(args));
        if (left.contains("--help") || left.contains("-h")) {
            out.println("options: " + USAGE);
            return 0;
        }
        X509TrustManager trust;
        InetSocketAddress server;
        try {
            @Nullable Path authorities = null;
            if (left.size() > 1 && left.getFirst().equals("--ca")) {
                authorities = Path.of(left.get(1));
                left.subList(0, 2).clear();
            }
            if (left.size() != 1 || left.getFirst().startsWith("-")) {
                throw new IllegalArgumentException(
                        "arguments: " + String.join(" ", left) + " (expected: " + USAGE + ")");
            }
            String text = left.getFirst();
            server = Extras.hostAndPort("server", text.matches("[^:]+") ? text + ":443" : text);
            trust = checking(authorities);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            Failure failure = Failure.of(e);
            err.println(failure.line());
            return failure.exitCode();
        }
        return check(server.getHostString(), server.getPort(), trust, out, err);
    }

    /// Trusts in certificates of these authorities, or of the system's, whose own one is not
    /// revoked.
    private static X509TrustManager checking(@Nullable Path file)
            throws IOException, GeneralSecurityException {
        List<X509Certificate> authorities =
                file == null ? List.of(TlsTrust.system().getAcceptedIssuers()) : certificates(file);
        return TlsTrust.withRevocation(authorities, List.of(), Option.ONLY_END_ENTITY);
    }

    private static List<X509Certificate> certificates(Path file) throws IOException {
        try {
            return Pem.certificates(Pem.read(file));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--ca: " + file + " (expected: certificates in PEM)", e);
        }
    }

    private static int check(
            String host, int port, X509TrustManager trust, PrintStream out, PrintStream err) {
        try (TlsContext context = TlsContext.client().trust(trust).build();
                EventLoopGroup group = EventLoopGroup.create(1)) {
            TlsHandler tls = TlsHandler.client(context, host, port);
            var _ =
                    new Bootstrap(group)
                            .handler(channel -> channel.pipeline().addLast(tls))
                            .connect(new InetSocketAddress(host, port))
                            .join();
            TlsSession session = tls.handshake().join();
            X509Certificate certificate =
                    Objects.requireNonNull(session.peerCertificate(), "servers have one");
            out.println("good: " + certificate.getSubjectX500Principal());
            out.println("issued by " + certificate.getIssuerX500Principal());
            return 0;
        } catch (CompletionException e) {
            err.println(
                    e.getCause() instanceof CertificateRefused refused
                            ? refused.fault() + ": " + refused.getMessage()
                            : Failure.of(e).line());
            return 1;
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        }
    }
}
