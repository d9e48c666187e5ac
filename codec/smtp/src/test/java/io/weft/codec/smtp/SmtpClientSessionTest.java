package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.buffer.MemoryLimitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SmtpClientSessionTest {
    private static final SmtpClientConfig CONFIG = SmtpClientConfig.of("client.example");
    private static final SmtpEnvelope ENVELOPE =
            SmtpEnvelope.of("a@b.example", "c@d.example", "nobody@d.example");

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// A client whose server is a script.
    private static final class Client implements SmtpClientHandler {
        final SmtpClientSession session;
        final StringBuilder sent = new StringBuilder();
        final List<SmtpDelivery> deliveries = new ArrayList<>();
        boolean startedTls;
        boolean closed;
        boolean writable = true;
        @Nullable SmtpException failure;

        Client(SmtpClientConfig config) {
            session = SmtpClientSession.of(config, this);
        }

        /// Sent since the last call, when `wire` has come.
        String hear(String wire) {
            sent.setLength(0);
            session.received(Wire.buffer(wire));
            return sent.toString();
        }

        String mail(String content) {
            sent.setLength(0);
            session.send(ENVELOPE, Wire.buffer(content), deliveries::add);
            return sent.toString();
        }

        @Override
        public void send(Buffer bytes) {
            try (bytes) {
                sent.append(bytes.readString(ISO_8859_1));
            }
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void startTls() {
            startedTls = true;
        }

        @Override
        public void failed(SmtpException cause) {
            failure = cause;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void commandsArePipelinedWhereOffered() {
        Client client = new Client(CONFIG);
        assertThat(client.mail(".\r\nhi\r\n")).isEmpty();
        assertThat(client.hear("220 mx\r\n")).isEqualTo("EHLO client.example\r\n");
        assertThat(client.hear("250-mx\r\n250-SIZE 100\r\n250 PIPELINING\r\n"))
                .isEqualTo(
                        Wire.lines(
                                "MAIL FROM:<a@b.example> SIZE=7",
                                "RCPT TO:<c@d.example>",
                                "RCPT TO:<nobody@d.example>",
                                "DATA"));
        assertThat(client.hear("250 ok\r\n250 ok\r\n550 5.1.1 no\r\n354 go\r\n"))
                .isEqualTo("..\r\nhi\r\n.\r\n");
        client.session.quit();
        assertThat(client.hear("250 2.0.0 taken\r\n")).isEqualTo("QUIT\r\n");
        SmtpDelivery delivery = client.deliveries.getFirst();
        assertThat(delivery.outcome().isPositive()).isTrue();
        assertThat(delivery.isComplete()).isFalse();
        assertThat(delivery.recipients()).extracting(SmtpReply::code).containsExactly(250, 550);
        assertThat(client.hear("221 bye\r\n")).isEmpty();
        assertThat(client.closed).isTrue();
        assertThat(client.failure).isNull();
    }

    @Test
    void oneCommandAtATimeWithoutPipelining() {
        Client client = new Client(CONFIG);
        var _ = client.mail("hi");
        var _ = client.hear("220 mx\r\n");
        assertThat(client.hear("500 what\r\n")).isEqualTo("HELO client.example\r\n");
        assertThat(client.hear("250 mx\r\n")).isEqualTo("MAIL FROM:<a@b.example>\r\n");
        assertThat(client.hear("250 ok\r\n")).isEqualTo("RCPT TO:<c@d.example>\r\n");
        assertThat(client.hear("550 no\r\n")).isEqualTo("RCPT TO:<nobody@d.example>\r\n");
        assertThat(client.hear("551 no\r\n")).isEqualTo("RSET\r\n");
        assertThat(client.hear("250 ok\r\n")).isEmpty();
        assertThat(client.deliveries.getFirst().outcome().code()).isEqualTo(550);
        client.session.close();
    }

    @Test
    void acceptedDataWithoutRecipientsGetsAnEmptyContent() {
        Client client = new Client(CONFIG);
        var _ = client.mail("hi");
        var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n");
        assertThat(client.hear("250 ok\r\n550 no\r\n550 no\r\n354 go\r\n")).isEqualTo(".\r\n");
        var _ = client.hear("554 no valid recipients\r\n");
        assertThat(client.deliveries.getFirst().outcome().code()).isEqualTo(550);
        client.session.close();
    }

    @Test
    void chunksAreSentWhereAskedForAndOffered() {
        Client client = new Client(CONFIG.withChunks(true));
        var _ = client.mail(".\r\n");
        var _ = client.hear("220 mx\r\n250-mx\r\n250-CHUNKING\r\n250 PIPELINING\r\n");
        assertThat(client.hear("250 ok\r\n250 ok\r\n250 ok\r\n")).isEqualTo("BDAT 3 LAST\r\n.\r\n");
        var _ = client.hear("250 ok\r\n");
        assertThat(client.deliveries.getFirst().isComplete()).isTrue();
        client.session.close();
    }

    @Test
    void answerBeforeTheWholeChunkEndsTheSession() {
        for (String answer : new String[] {"552 too large", "421 closing", "250 taken"}) {
            Client client = new Client(CONFIG.withChunks(true));
            var _ = client.mail("0123456789abcd\r\n".repeat(10_000));
            var _ = client.mail("hi");
            var _ = client.hear("220 mx\r\n250-mx\r\n250-CHUNKING\r\n250 PIPELINING\r\n");
            client.writable = false;
            assertThat(client.hear("250 ok\r\n250 ok\r\n250 ok\r\n"))
                    .isEqualTo("BDAT 160000 LAST\r\n");
            assertThat(client.hear(answer + "\r\n")).isEmpty();
            int code = Integer.parseInt(answer.substring(0, 3));
            assertThat(client.deliveries)
                    .extracting(delivery -> delivery.outcome().code())
                    .containsExactly(code == 250 ? 451 : code, 451);
            assertThat(client.failure).hasMessageContaining("(expected: behind the whole chunk)");
            assertThat(client.closed).isTrue();
            client.session.writable();
            client.session.quit();
            assertThat(client.mail("late")).isEmpty();
            assertThat(client.deliveries).hasSize(3);
        }
    }

    @Test
    void mailWhoseCommandsCannotBeWrittenFailsWithTheSession() {
        Client client = new Client(CONFIG);
        var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n");
        Buffer content = Wire.buffer("hi");
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        try {
            assertThatThrownBy(() -> client.session.send(ENVELOPE, content, client.deliveries::add))
                    .isInstanceOf(MemoryLimitException.class);
        } finally {
            AllocationTap.set(null);
        }
        assertThat(client.deliveries)
                .extracting(delivery -> delivery.outcome().code())
                .containsExactly(451);
        assertThat(client.closed).isTrue();
    }

    @Test
    void contentWaitsForTheConnection() {
        Client client = new Client(CONFIG);
        var _ = client.mail("0123456789abcd\r\n".repeat(10_000));
        var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n250 ok\r\n250 ok\r\n250 ok\r\n");
        client.writable = false;
        assertThat(client.hear("354 go\r\n")).isEmpty();
        client.session.writable();
        assertThat(client.sent).isEmpty();
        client.writable = true;
        client.session.writable();
        assertThat(client.sent).hasSize(160_003).endsWith("cd\r\n.\r\n");
        client.session.writable();
        assertThat(client.sent).hasSize(160_003);
        client.session.close();
    }

    @Test
    void repliesBehindStarttlsFailTheSession() {
        Client client = new Client(CONFIG);
        var _ = client.hear("220 mx\r\n250-mx\r\n250 STARTTLS\r\n");
        var _ = client.hear("220 go\r\n250-injected\r\n250 AUTH PLAIN\r\n");
        assertThat(client.startedTls).isFalse();
        assertThat(client.failure).hasMessageContaining("behind the reply to STARTTLS");
    }

    @Test
    void tlsComesBeforeCredentials() {
        SaslClient credentials = SaslClient.plain("test", "1234");
        Client client =
                new Client(
                        CONFIG.withTls(SmtpClientConfig.Tls.REQUIRED)
                                .withCredentials(credentials, false));
        var _ = client.hear("220 mx\r\n");
        assertThat(client.hear("250-mx\r\n250 STARTTLS\r\n")).isEqualTo("STARTTLS\r\n");
        var _ = client.hear("220 go\r\n");
        assertThat(client.startedTls).isTrue();
        client.session.secured();
        assertThat(client.hear("250-mx\r\n250 AUTH LOGIN PLAIN\r\n"))
                .isEqualTo("AUTH PLAIN AHRlc3QAMTIzNA==\r\n");
        assertThat(client.hear("535 no\r\n")).isEmpty();
        assertThat(Objects.requireNonNull(client.failure).reply().code()).isEqualTo(535);

        Client stripped = new Client(CONFIG.withTls(SmtpClientConfig.Tls.REQUIRED));
        assertThat(stripped.hear("220 mx\r\n250 mx\r\n")).doesNotContain("MAIL");
        assertThat(stripped.failure).isNotNull();

        Client clear = new Client(CONFIG.withCredentials(credentials, false));
        var _ = clear.hear("220 mx\r\n250-mx\r\n250 AUTH PLAIN\r\n");
        assertThat(Objects.requireNonNull(clear.failure).reply().code()).isEqualTo(538);
    }

    @Test
    void refusedSessionIsTheOutcomeOfItsMail() {
        String ehlo = "220 mx\r\n250-mx\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n";
        SmtpClientConfig tls = CONFIG.withTls(SmtpClientConfig.Tls.REQUIRED);
        SmtpClientConfig auth = CONFIG.withTls(SmtpClientConfig.Tls.NEVER);
        SaslClient plain = SaslClient.plain("test", "1234");
        refusedSession(CONFIG, "554 5.7.1 not you\r\n", "554 5.7.1 not you");
        refusedSession(CONFIG, "421 4.3.2 busy\r\n", "421 4.3.2 busy");
        refusedSession(CONFIG, "250 what\r\n", "451 4.5.0 unexpected: 250 what");
        refusedSession(CONFIG, "220 mx\r\n550 no\r\n550 no, again\r\n", "550 no, again");
        refusedSession(CONFIG, "220 mx\r\n421 bye\r\n", "421 bye");
        refusedSession(tls, "220 mx\r\n250 mx\r\n", "554 5.7.4 STARTTLS is not offered");
        refusedSession(tls, ehlo + "454 later\r\n", "454 later");
        refusedSession(tls, ehlo + "501 no\r\n", "501 no");
        refusedSession(
                auth.withCredentials(plain, true), ehlo + "535 5.7.8 no\r\n", "535 5.7.8 no");
        refusedSession(
                auth.withCredentials(plain, true), ehlo + "454 4.7.0 later\r\n", "454 4.7.0 later");
        refusedSession(
                auth.withCredentials(plain, false),
                ehlo,
                "538 5.7.11 no TLS (expected: TLS for credentials)");
        refusedSession(
                auth.withCredentials(SaslClient.login("test", "1234"), true),
                ehlo,
                "504 5.5.4 AUTH: LOGIN not offered (expected: one of PLAIN)");
    }

    private static void refusedSession(SmtpClientConfig config, String wire, String outcome) {
        Client client = new Client(config);
        var _ = client.mail("one");
        var _ = client.mail("two");
        var _ = client.hear(wire);
        assertThat(client.closed).isTrue();
        client.session.inputClosed();
        assertThat(client.mail("late")).isEmpty();
        assertThat(client.deliveries)
                .extracting(delivery -> delivery.outcome().toString())
                .containsExactly(outcome, outcome, outcome);
    }

    @Test
    void replyWithinAContentIsItsOutcome() {
        for (String answer : new String[] {"552 5.3.4 too large", "421 closing", "250 taken"}) {
            Client client = new Client(CONFIG);
            var _ = client.mail("hi");
            var _ = client.mail("next");
            var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n");
            client.writable = false;
            var _ = client.hear("250 ok\r\n250 ok\r\n250 ok\r\n354 go\r\n" + answer + "\r\n");
            assertThat(client.deliveries)
                    .extracting(delivery -> delivery.outcome().toString())
                    .containsExactly(
                            answer.startsWith("250") ? "451 4.5.0 unexpected: 250 taken" : answer,
                            "451 4.4.2 the connection is over");
        }
    }

    @Test
    void unsupportedMailFailsWithoutAServersWord() {
        Client client = new Client(CONFIG);
        var _ = client.hear("220 mx\r\n250 mx\r\n");
        client.session.send(
                SmtpEnvelope.of("ü@b.example", "c@d.example"),
                Wire.buffer("x"),
                client.deliveries::add);
        client.session.send(ENVELOPE, Wire.buffer("\u00fc\r\n"), client.deliveries::add);
        assertThat(client.deliveries)
                .extracting(d -> d.outcome().status())
                .containsExactly(EnhancedStatus.of("5.6.7"), EnhancedStatus.of("5.6.3"));
        assertThatThrownBy(() -> client.session.send(ENVELOPE, Wire.buffer("a\nb"), _ -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        client.session.close();
    }

    @Test
    void manyUnsupportedMessagesEndOneAfterAnother() {
        Client client = new Client(CONFIG);
        for (int i = 0; i < 20_000; i++) {
            var _ = client.mail("too large");
        }
        assertThat(client.hear("220 mx\r\n250-mx\r\n250 SIZE 1\r\n")).startsWith("EHLO");
        assertThat(client.deliveries)
                .hasSize(20_000)
                .allMatch(d -> d.outcome().toString().startsWith("552 5.3.4"));
        client.session.close();
    }

    @Test
    void contentIsNotSentForARefusedSender() {
        Client client = new Client(CONFIG);
        var _ = client.mail("hi");
        var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n");
        assertThat(client.hear("550 no\r\n250 ok\r\n250 ok\r\n354 go\r\n")).isEqualTo(".\r\n");
        var _ = client.hear("250 ok\r\n");
        assertThat(client.deliveries.getFirst().outcome().code()).isEqualTo(550);
        client.session.close();
    }

    @Test
    void lostConnectionFailsWhatWaits() {
        Client client = new Client(CONFIG);
        var _ = client.mail("one");
        var _ = client.mail("two");
        var _ = client.hear("220 mx\r\n250 mx\r\n");
        client.session.inputClosed();
        assertThat(client.deliveries)
                .hasSize(2)
                .allMatch(d -> d.outcome().toString().startsWith("451 4.4.2"));
        assertThat(client.closed).isTrue();
    }

    @Test
    void endOfInputTellsWhereItCame() {
        String ready = "220 mx\r\n250-mx\r\n250 PIPELINING\r\n";
        String[][] ends = {
            {"", "the greeting"},
            {"220 mx\r\n", "a reply to EHLO"},
            {ready, "a reply to MAIL"},
            {ready + "250 ok\r\n", "a reply to RCPT"},
            {ready + "250 ok\r\n250 ok\r\n250 ok\r\n", "a reply to DATA"},
            {ready + "250 ok\r\n250 ok\r\n250 ok\r\n354 go\r\n", "a reply to the content"},
            {ready + "250 ok\r\n250 ok\r\n250 ok\r\n354 go\r\n250 ok\r\n", "a reply to QUIT"},
        };
        for (String[] end : ends) {
            Client client = new Client(CONFIG);
            var _ = client.mail("hi");
            client.session.quit();
            var _ = client.hear(end[0]);
            client.session.inputClosed();
            String told = "end of input (expected: " + end[1] + ")";
            assertThat(client.failure).hasMessage(told);
            boolean taken = end[1].endsWith("QUIT");
            assertThat(client.deliveries.getFirst().outcome().toString())
                    .isEqualTo(taken ? "250 ok" : "451 4.4.2 " + told);
        }
    }

    @Test
    void endOfInputInAContentTellsThat() {
        Client client = new Client(CONFIG);
        var _ = client.mail("hi");
        var _ = client.hear("220 mx\r\n250-mx\r\n250 PIPELINING\r\n250 ok\r\n250 ok\r\n250 ok\r\n");
        client.writable = false;
        var _ = client.hear("354 go\r\n");
        client.session.inputClosed();
        assertThat(client.failure).hasMessageContaining("all of the content before it");
    }

    /// Both sessions talk to each other, by pieces of one byte.
    @Test
    void clientAndServerUnderstandEachOther() {
        SmtpServerConfig config =
                SmtpServerConfig.of("mx.example").withAuth(true, true, SaslServer.LOGIN);
        try (ServerRig rig = new ServerRig(config)) {
            Client client =
                    new Client(CONFIG.withCredentials(SaslClient.login("test", "1234"), true));
            rig.session.begin();
            client.session.send(
                    SmtpEnvelope.of("ü@b.example", "c@d.example"),
                    LineEnds.toCrlf("Subject: ü\n\n.\n..\rend".getBytes(UTF_8)),
                    client.deliveries::add);
            client.session.quit();
            while (!client.closed) {
                StringBuilder replies = new StringBuilder();
                rig.replies.forEach(r -> replies.append(new String(Wire.encode(r), ISO_8859_1)));
                rig.replies.clear();
                String requests = client.hear(replies.toString());
                for (int i = 0; i < requests.length(); i++) {
                    rig.session.received(Wire.buffer(requests.substring(i, i + 1)));
                }
            }
            assertThat(client.failure).isNull();
            assertThat(client.deliveries.getFirst().isComplete()).isTrue();
            byte[] latin1 = rig.mails.getFirst().getBytes(ISO_8859_1);
            assertThat(new String(latin1, UTF_8)).endsWith("Subject: ü\r\n\r\n.\r\n..\r\nend\r\n");
        }
    }
}
