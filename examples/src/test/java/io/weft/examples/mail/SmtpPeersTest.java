package io.weft.examples.mail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.smtp.SaslClient;
import io.weft.codec.smtp.SmtpClientConfig;
import io.weft.codec.smtp.SmtpDelivery;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpReply;
import io.weft.examples.Served;
import io.weft.examples.broker.MqttPeersTest;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of others send to our server, and our client to aiosmtpd.
@Tag("peers")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmtpPeersTest {
    private static final int SKIP = 77;

    private static final String SMTPLIB =
            """
            import smtplib, ssl, sys
            port, tls = int(sys.argv[1]), sys.argv[2] == 'true'
            with smtplib.SMTP('127.0.0.1', port, timeout=60) as c:
                c.ehlo()
                if tls:
                    context = ssl.create_default_context()
                    context.check_hostname = False
                    context.verify_mode = ssl.CERT_NONE
                    c.starttls(context=context)
                    c.ehlo()
                assert c.has_extn('pipelining') and c.has_extn('chunking')
                body = 'Subject: one\\r\\n\\r\\n.\\r\\n..\\r\\n' + 'x' * 70 + '\\r\\n'
                assert c.sendmail('a@b.example', ['c@d.example'], body * 500) == {}
                c.sendmail('ü@b.example', ['c@d.example'], 'Subject: two ü\\r\\n\\r\\nü\\r\\n'.encode(),
                           mail_options=['SMTPUTF8', 'BODY=8BITMIME', 'RET=HDRS'],
                           rcpt_options=['NOTIFY=SUCCESS,DELAY'])
                try:
                    c.sendmail('a@b.example', ['c@d..example'], 'lost')
                    assert False
                except smtplib.SMTPRecipientsRefused as e:
                    assert e.recipients['c@d..example'][0] == 501, e.recipients
                assert c.verify('anybody')[0] == 252
                c.docmd('MAIL FROM:<a@b.example>')
                c.docmd('RCPT TO:<c@d.example>')
                c.send(b'BDAT 9\\r\\nSubject: ')
                assert c.getreply()[0] == 250
                c.send(b'BDAT 14 LAST\\r\\nthree\\r\\n\\r\\n.\\r\\n..')
                assert c.getreply()[0] == 250
            print('good')
            """;

    private static final String AIOSMTPD =
            """
            import asyncio, sys
            try:
                from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
            except ImportError:
                sys.exit(%d)
            class Handler:
                async def handle_RCPT(self, server, session, envelope, address, options):
                    if 'nobody' in address:
                        return '550 5.1.1 no such user'
                    envelope.rcpt_tos.append(address)
                    return '250 2.1.5 ok'
                async def handle_DATA(self, server, session, envelope):
                    open(sys.argv[1], 'wb').write(envelope.original_content)
                    print('mail', envelope.mail_from, *envelope.rcpt_tos,
                          session.authenticated, flush=True)
                    return '250 2.6.0 taken'
            def authenticate(server, session, envelope, mechanism, data):
                good = (isinstance(data, LoginPassword) and data.login == b'test'
                        and data.password == b'1234')
                return AuthResult(success=good, auth_data=data)
            async def serve():
                server = await asyncio.get_running_loop().create_server(
                    lambda: SMTP(Handler(), enable_SMTPUTF8=True, authenticator=authenticate,
                                 auth_require_tls=False), '127.0.0.1', 0)
                print('port', server.sockets[0].getsockname()[1], flush=True)
                await asyncio.to_thread(sys.stdin.read)
            asyncio.run(serve())
            """
                    .formatted(SKIP);

    @TempDir Path folder;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Output of a program that ends within a minute.
    private static String run(int good, String... command) throws Exception {
        Process process = MqttPeersTest.start(command);
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said).isEqualTo(good);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void smtplibSendsToOurServer(boolean tls) throws Exception {
        try (Served server = SmtpExamplesTest.server(folder, tls)) {
            String port = Integer.toString(server.address().getPort());
            assertThat(run(0, "python3", "-c", SMTPLIB, port, "" + tls)).isEqualTo("good\n");
        }
        assertThat(SmtpExamplesTest.mails(folder))
                .hasSize(3)
                .anyMatch(m -> m.endsWith("\r\n.\r\n..\r\n" + "x".repeat(70) + "\r\n"))
                .anyMatch(m -> m.contains("Subject: two"))
                .anyMatch(m -> m.endsWith("Subject: three\r\n\r\n.\r\n.."));
    }

    @ParameterizedTest
    @CsvSource({"false, ''", "true, -tls", "false, -pipeline", "true, -pipeline -tls"})
    void swaksSendsToOurServer(boolean tls, String options) throws Exception {
        try (Served server = SmtpExamplesTest.server(folder, tls)) {
            String said =
                    run(
                            0,
                            ("swaks --server 127.0.0.1 --port "
                                            + server.address().getPort()
                                            + " --from a@b.example --to c@d.example,e@f.example"
                                            + " --body hello "
                                            + options)
                                    .strip()
                                    .split(" "));
            assertThat(said).contains("250 2.0.0 kept as").contains("221 2.0.0");
        }
        assertThat(SmtpExamplesTest.mails(folder)).singleElement().asString().contains("hello");
    }

    @Test
    void curlSendsToOurServer() throws Exception {
        Path file = folder.resolve("message");
        Files.writeString(file, "Subject: x\r\n\r\n.\r\n.dot\r\nend without an end of line");
        try (Served server = SmtpExamplesTest.server(folder, true)) {
            var _ =
                    run(
                            0,
                            "curl",
                            "-sS",
                            "--max-time",
                            "60",
                            "--ssl-reqd",
                            "-k",
                            "smtp://127.0.0.1:" + server.address().getPort(),
                            "--mail-from",
                            "a@b.example",
                            "--mail-rcpt",
                            "c@d.example",
                            "-T",
                            file.toString());
        }
        assertThat(SmtpExamplesTest.mails(folder))
                .singleElement()
                .asString()
                .endsWith("\r\n\r\n.\r\n.dot\r\nend without an end of line\r\n");
    }

    @Test
    void msmtpSendsToOurServer() throws Exception {
        try (Served server = SmtpExamplesTest.server(folder, true)) {
            Path message = folder.resolve("message");
            Files.writeString(message, "Subject: msmtp\n\n.\nhello\n");
            Process there = MqttPeersTest.start("msmtp", "--version");
            there.waitFor();
            String command =
                    "exec msmtp --host=127.0.0.1 --tls=on --tls-starttls=on --tls-certcheck=off"
                            + " --from=a@b.example --port="
                            + server.address().getPort()
                            + " c@d.example < "
                            + message;
            var _ = run(0, "sh", "-c", command);
        }
        assertThat(SmtpExamplesTest.mails(folder))
                .singleElement()
                .asString()
                .endsWith("\r\n\r\n.\r\nhello\r\n");
    }

    @Test
    void ourClientSendsToAiosmtpd() throws Exception {
        Path file = folder.resolve("received");
        Process python = MqttPeersTest.start("python3", "-c", AIOSMTPD, file.toString());
        try (BufferedReader lines = python.inputReader(UTF_8)) {
            String first = lines.readLine();
            Assumptions.assumeTrue(
                    first != null, "python3 has no aiosmtpd (dev/install-peers.sh installs it)");
            int port = Integer.parseInt(first.substring(5));
            String text = "Subject: ü\n\n.\n..two\n" + "line\n".repeat(50_000);
            SmtpDelivery delivery =
                    SmtpSend.send(
                            SmtpExamplesTest.options(port, false),
                            SmtpClientConfig.of("client.example")
                                    .withCredentials(SaslClient.login("test", "1234"), true),
                            null,
                            SmtpEnvelope.of("ü@b.example", "c@d.example", "nobody@d.example"),
                            text.getBytes(UTF_8));
            assertThat(delivery.outcome().toString()).isEqualTo("250 2.6.0 taken");
            assertThat(delivery.recipients().stream().map(SmtpReply::code).toList())
                    .isEqualTo(List.of(250, 550));
            String told = lines.readLine();
            while (told != null && !told.startsWith("mail ")) {
                told = lines.readLine(); // a warning
            }
            assertThat(told).isEqualTo("mail ü@b.example c@d.example True");
            assertThat(Files.readString(file)).isEqualTo(text.replace("\n", "\r\n"));
            python.getOutputStream().close();
            assertThat(python.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            python.destroyForcibly();
        }
    }
}
