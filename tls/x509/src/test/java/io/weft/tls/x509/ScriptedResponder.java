package io.weft.tls.x509;

import io.weft.testkit.SocketServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// An OCSP responder that answers as its script says.
final class ScriptedResponder implements AutoCloseable {
    /// The work of the responder on a question.
    interface Script {
        /// @param request what was asked, in DER
        void answer(byte[] request, OutputStream out) throws IOException;
    }

    static final byte[] GOOD = Der.implicit(0, new byte[0]);
    static final byte[] REVOKED =
            Der.explicit(1, Der.generalizedTime(Instant.parse("2020-01-01T00:00:00Z")));

    private final SocketServer server;

    /// The request line of each question.
    final List<String> asked = new CopyOnWriteArrayList<>();

    ScriptedResponder(Script script) {
        server =
                new SocketServer(
                        connection -> {
                            byte[] request = request(connection.getInputStream());
                            script.answer(request, connection.getOutputStream());
                        });
    }

    String uri() {
        return "http://127.0.0.1:" + server.port() + "/";
    }

    private byte[] request(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head = "";
        for (int b; !head.endsWith("\r\n\r\n") && (b = in.read()) >= 0; ) {
            bytes.write(b);
            head = bytes.toString(StandardCharsets.ISO_8859_1);
        }
        String line = head.lines().findFirst().orElse("");
        asked.add(line);
        if (line.startsWith("POST ")) {
            String length = head.replaceAll("(?is).*\r\ncontent-length: *(\\d+).*", "$1");
            return in.readNBytes(Integer.parseInt(length));
        }
        String path = line.split(" ", 3)[1];
        String encoded = path.substring(path.lastIndexOf('/') + 1);
        return Base64.getDecoder().decode(URLDecoder.decode(encoded, StandardCharsets.US_ASCII));
    }

    /// One that gives each certificate the same status.
    static Script status(TlsIdentity signer, byte[] status) {
        return (request, out) -> ok(out, response(request, signer, status));
    }

    static void ok(OutputStream out, byte[] content) throws IOException {
        head(out, "200 OK", "Content-Length: " + content.length);
        out.write(content);
    }

    static void head(OutputStream out, String status, String... fields) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\n" + String.join("\r\n", fields);
        head += (fields.length == 0 ? "" : "\r\n") + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
    }

    /// About the certificate whose CertID was asked, which the JDK compares with its own.
    private static byte[] response(byte[] request, TlsIdentity signer, byte[] status) {
        Instant now = Instant.now();
        try {
            byte[] single =
                    Der.sequence(
                            certId(request),
                            status,
                            Der.generalizedTime(now.minus(Duration.ofHours(1))),
                            Der.explicit(0, Der.generalizedTime(now.plus(Duration.ofHours(1)))));
            byte[] by = signer.certificate().getSubjectX500Principal().getEncoded();
            byte[] body =
                    Der.sequence(
                            Der.explicit(1, by), Der.generalizedTime(now), Der.sequence(single));
            byte[] signed = Signing.signed(body, Signing.of(signer.key()), signer.key());
            byte[] content = DerElement.only(signed).content();
            byte[] chain = Der.explicit(0, Der.sequence(signer.certificate().getEncoded()));
            byte[] basic = Der.octets(Der.sequence(content, chain));
            byte[] bytes = Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1.1"), basic);
            return Der.sequence(Der.enumerated(0), Der.explicit(0, bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Takes the request apart as RFC 6960 section 4.1.1 has it: nothing but one CertID.
    private static byte[] certId(byte[] request) throws CertificateParsingException {
        byte[] id = request;
        for (int depth = 0; depth < 4; depth++) { // OCSPRequest, TBSRequest, requestList, Request
            id = DerElement.only(id).content();
        }
        int parts = DerElement.only(id).children().size();
        return parts == 4 ? id : Arrays.copyOf(id, 0);
    }

    @Override
    public void close() {
        server.close();
    }
}
