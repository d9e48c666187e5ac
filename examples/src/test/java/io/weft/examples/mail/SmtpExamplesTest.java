package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.codec.smtp.SmtpClientConfig;
import io.weft.codec.smtp.SmtpDelivery;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpException;
import io.weft.examples.Options;
import io.weft.examples.Served;
import io.weft.examples.Tls;
import io.weft.tls.machine.TlsContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpExamplesTest {
    static final SmtpClientConfig CLIENT = SmtpClientConfig.of("client.example");

    @TempDir Path folder;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    static Options options(int port, boolean tls) {
        return new Options(InetAddress.getLoopbackAddress(), port, "nio", 2, tls);
    }

    static Served server(Path folder, boolean tls) {
        return new Served(SmtpServer.start(options(0, tls), folder));
    }

    static List<String> mails(Path folder) throws IOException {
        Path arrived = folder.resolve("new");
        if (!Files.exists(arrived)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(arrived)) {
            return files.map(SmtpExamplesTest::content).toList();
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// A manager that minds nothing, for a certificate that signs itself.
    static TlsContext gullible() throws Exception {
        return TlsContext.client()
                .trust(
                        new X509TrustManager() {
                            @Override
                            public void checkClientTrusted(X509Certificate[] chain, String type) {}

                            @Override
                            public void checkServerTrusted(X509Certificate[] chain, String type) {}

                            @Override
                            public X509Certificate[] getAcceptedIssuers() {
                                return new X509Certificate[0];
                            }
                        })
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sentMailArrivesInTheFolder(boolean tls) throws Exception {
        String text = "Subject: ü\n\n.\n..two\n" + "line of text\n".repeat(100_000);
        for (boolean chunks : new boolean[] {false, true}) {
            try (Served server = server(folder, tls)) {
                SmtpDelivery delivery =
                        SmtpSend.send(
                                options(server.address().getPort(), tls),
                                CLIENT.withTls(
                                                tls
                                                        ? SmtpClientConfig.Tls.REQUIRED
                                                        : SmtpClientConfig.Tls.NEVER)
                                        .withChunks(chunks),
                                tls ? gullible() : null,
                                SmtpEnvelope.of("ü@a.example", "b@c.example", "d@e.example"),
                                text.getBytes(UTF_8));
                assertThat(delivery.isComplete()).as("%s", delivery).isTrue();
                assertThat(delivery.outcome().text()).startsWith("kept as");
            }
        }
        assertThat(mails(folder))
                .hasSize(2)
                .allSatisfy(
                        mail -> {
                            String utf8 = new String(mail.getBytes(ISO_8859_1), UTF_8);
                            assertThat(utf8)
                                    .startsWith("Return-Path: <ü@a.example>\r\nDelivered-To: b@c")
                                    .contains(tls ? "ESMTPS" : "ESMTP;")
                                    .endsWith(text.replace("\n", "\r\n"));
                        });
        try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    /// A certificate is for a name; the address that it has led to is in none.
    @Test
    void certificateIsCheckedForTheNameThatWasGiven() throws Exception {
        AtomicReference<String> checked = new AtomicReference<>();
        X509ExtendedTrustManager recorder =
                new X509ExtendedTrustManager() {
                    @Override
                    public void checkServerTrusted(
                            X509Certificate[] chain, String type, SSLEngine engine) {
                        checked.set(engine.getPeerHost());
                    }

                    @Override
                    public void checkServerTrusted(
                            X509Certificate[] chain, String type, Socket socket) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkClientTrusted(
                            X509Certificate[] chain, String type, SSLEngine engine) {}

                    @Override
                    public void checkClientTrusted(
                            X509Certificate[] chain, String type, Socket socket) {}

                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        InetAddress named =
                InetAddress.getByAddress(
                        "mail.example", InetAddress.getLoopbackAddress().getAddress());
        try (Served server = server(folder, true);
                TlsContext tls = TlsContext.client().trust(recorder).build()) {
            int port = server.address().getPort();
            // The server's certificate is for another name.
            assertThatThrownBy(
                            () ->
                                    SmtpSend.send(
                                            new Options(named, port, "nio", 1, true),
                                            CLIENT.withTls(SmtpClientConfig.Tls.REQUIRED),
                                            tls,
                                            SmtpEnvelope.of("a@a.example", "b@c.example"),
                                            "Subject: x\n\nx\n".getBytes(UTF_8)))
                    .isInstanceOf(SmtpException.class);
            assertThat(checked).hasValue("mail.example");
        }
    }

    @Test
    void commandsPipelinedBehindStarttlsAreDropped() throws Exception {
        try (Served server = server(folder, true);
                Socket socket = server.connect()) {
            BufferedReader plain =
                    io(socket, "EHLO x\r\nSTARTTLS\r\nMAIL FROM:<evil@x.example>\r\n");
            for (String line = ""; !line.startsWith("220 2.0.0"); ) {
                line = plain.readLine();
            }
            try (Socket tls = Tls.over(socket)) {
                BufferedReader lines = io(tls, "RCPT TO:<a@b.example>\r\n");
                assertThat(lines.readLine()).startsWith("503 5.5.1 MAIL first");
            }
        }
    }

    private static BufferedReader io(Socket socket, String said) throws Exception {
        socket.getOutputStream().write(said.getBytes(UTF_8));
        return Tls.lines(socket);
    }

    @Test
    void interruptedMailLeavesNothing() throws Exception {
        try (Served server = server(folder, false)) {
            try (Socket socket = server.connect()) {
                BufferedReader lines =
                        io(socket, "HELO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n");
                for (int i = 0; i < 5; i++) {
                    assertThat(lines.readLine())
                            .startsWith(i == 0 ? "220" : i == 4 ? "354" : "250");
                }
                socket.getOutputStream().write("half\r\n".getBytes(UTF_8));
                socket.shutdownOutput();
                assertThat(lines.readLine()).isNull();
            }
        }
        assertThat(mails(folder)).isEmpty();
        assertThat(Files.exists(folder.resolve("tmp")) ? filesIn(folder.resolve("tmp")) : 0)
                .isZero();
    }

    private static long filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
