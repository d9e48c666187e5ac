package io.weft.codec.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SmtpServerSessionTest {
    private static final SmtpServerConfig PLAIN = SmtpServerConfig.of("mx.example");
    private static final String MAIL = "MAIL FROM:<a@b.example>\r\n";
    private static final String RCPT = "RCPT TO:<c@d.example>\r\n";
    private static final String EHLO = "EHLO client.example\r\n";

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void pipelinedMailIsTakenAndRepliesGoTogether() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            rig.session.begin();
            assertThat(rig.codes()).containsExactly(220);
            assertThat(rig.say(EHLO)).containsExactly(250);
            int flushes = rig.flushes;
            assertThat(rig.say(MAIL + RCPT + "RCPT TO:<nobody@d.example>\r\nDATA\r\n"))
                    .containsExactly(250, 250, 550, 354);
            assertThat(rig.flushes).isEqualTo(flushes + 1);
            assertThat(rig.say("hi\r\n..\r\n.\r\n" + MAIL)).containsExactly(250, 250);
            assertThat(rig.mails).containsExactly("<a@b.example> hi\r\n.\r\n");
            assertThat(rig.say("QUIT\r\nNOOP\r\n")).containsExactly(221);
            assertThat(rig.closed).isTrue();
        }
    }

    @Test
    void orderOfCommandsIsKept() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            assertThat(rig.say(MAIL)).containsExactly(503);
            assertThat(rig.say("HELO x\r\n" + RCPT + "DATA\r\n" + MAIL + MAIL + "DATA\r\n"))
                    .containsExactly(250, 503, 503, 250, 503, 554);
            assertThat(
                            rig.say(
                                    RCPT
                                            + "RSET\r\nDATA\r\nSTARTTLS\r\nAUTH PLAIN\r\nFOO\r\nVRFY a\r\n"))
                    .containsExactly(250, 250, 503, 502, 502, 502, 252);
            assertThat(rig.say(MAIL + RCPT + EHLO + RCPT)).containsExactly(250, 250, 250, 503);
        }
    }

    @Test
    void extensionsAreAnnounced() {
        SmtpServerConfig config =
                PLAIN.withTls(false).withAuth(false, false, SaslServer.PLAIN, SaslServer.LOGIN);
        try (ServerRig rig = new ServerRig(config)) {
            var _ = rig.say(EHLO);
            List<String> lines = rig.replies.getFirst().lines();
            assertThat(lines)
                    .contains("PIPELINING", "SIZE 26214400", "SMTPUTF8", "CHUNKING", "STARTTLS")
                    .noneMatch(line -> line.startsWith("AUTH"));
            rig.session.secured();
            var _ = rig.say(EHLO);
            assertThat(rig.replies.getFirst().lines())
                    .contains("AUTH PLAIN LOGIN")
                    .doesNotContain("STARTTLS");
        }
    }

    @Test
    void pipelinedBehindStarttlsIsDropped() {
        try (ServerRig rig = new ServerRig(PLAIN.withTls(true))) {
            assertThat(rig.say(EHLO + MAIL)).containsExactly(250, 530);
            assertThat(rig.say("STARTTLS\r\n" + EHLO + MAIL + "RC")).containsExactly(220);
            assertThat(rig.startedTls).isTrue();
            rig.session.secured();
            assertThat(rig.codes()).containsExactly(220);
            // And nothing said before is known any longer.
            assertThat(rig.say(MAIL + EHLO + MAIL + "STARTTLS\r\n"))
                    .containsExactly(503, 250, 250, 503);
        }
    }

    @Test
    void readingGoesOnWhenTlsBeginsLater() {
        try (ServerRig rig = new ServerRig(PLAIN.withTls(true))) {
            var _ = rig.say(EHLO + "STARTTLS\r\n");
            assertThat(rig.reading).isFalse();
            rig.session.secured();
            assertThat(rig.reading).isTrue();
            assertThat(rig.say(EHLO)).containsExactly(250);
        }
    }

    /// Attack class: a text that ends early for programs in C, and goes on for others.
    @Test
    void contentWithNulIsRefusedAndTheSessionGoesOn() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            var _ = rig.say(EHLO);
            for (String content : new String[] {"\0", "a\0b", "a\r\n\0.\r\nb", "a\r\n..\0"}) {
                String data = MAIL + RCPT + "DATA\r\n" + content + "\r\n.\r\nNOOP\r\n";
                assertThat(rig.say(data)).containsExactly(250, 250, 354, 554, 250);
                assertThat(rig.replies.get(3).toString()).contains("NUL");
                assertThat(rig.content).isEmpty();
            }
            assertThat(rig.say(MAIL + RCPT + "DATA\r\nhi\r\n.\r\n"))
                    .containsExactly(250, 250, 354, 250);
            assertThat(rig.mails).containsExactly("<a@b.example> hi\r\n");
        }
    }

    @Test
    void repliesWaitForLateAnswers() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            rig.later = true;
            assertThat(rig.say(EHLO + MAIL + RCPT + "DATA\r\nx\r\n.\r\nNOOP\r\n"))
                    .containsExactly(250, 250, 250, 354);
            assertThat(rig.reading).isFalse();
            assertThat(rig.say("QUIT\r\n")).isEmpty();
            rig.pending.removeFirst().accept(SmtpReply.of(250, "2.0.0", "durable"));
            assertThat(rig.codes()).containsExactly(250, 250, 221);
            assertThat(rig.reading).isTrue();
        }
    }

    @Test
    void authenticationIsCheckedInBothMechanisms() {
        SmtpServerConfig config = PLAIN.withAuth(true, true, SaslServer.PLAIN, SaslServer.LOGIN);
        try (ServerRig rig = new ServerRig(config)) {
            assertThat(rig.say(EHLO + MAIL + "AUTH CRAM-MD5\r\n")).containsExactly(250, 530, 504);
            assertThat(rig.say("AUTH PLAIN AHRlc3QAMTIzNQ==\r\n")).containsExactly(535);
            assertThat(rig.say("AUTH PLAIN\r\n*\r\nAUTH PLAIN\r\n%\r\n"))
                    .containsExactly(334, 501, 334, 501);
            assertThat(rig.say("AUTH LOGIN\r\ndGVzdA==\r\nMTIzNA==\r\n"))
                    .containsExactly(334, 334, 235);
            assertThat(rig.session.user()).isEqualTo("test");
            assertThat(rig.say("AUTH PLAIN\r\n" + MAIL)).containsExactly(503, 250);
        }
        try (ServerRig rig = new ServerRig(config)) {
            assertThat(rig.say(EHLO + "AUTH PLAIN AHRlc3QAMTIzNA==\r\n")).containsExactly(250, 235);
        }
        try (ServerRig rig = new ServerRig(PLAIN.withAuth(false, false, SaslServer.PLAIN))) {
            assertThat(rig.say(EHLO + "AUTH PLAIN AHRlc3QAMTIzNA==\r\n")).containsExactly(250, 538);
        }
    }

    @Test
    void chunksMakeAMessage() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            assertThat(rig.say(EHLO + "BDAT 3\r\nabc" + MAIL + RCPT + "BDAT 4\r\na\nb."))
                    .containsExactly(250, 503, 250, 250, 250);
            assertThat(rig.say("DATA\r\nBDAT 0 LAST\r\n")).containsExactly(503, 250);
            assertThat(rig.mails).containsExactly("<a@b.example> a\nb.");
        }
    }

    @Test
    void nulInChunksIsRefusedUnlessTheyAreBinary() {
        // RFC 3030, section 3; RFC 2045, 2.7 and 2.8
        for (String body : List.of("", " BODY=7BIT", " BODY=8BITMIME")) {
            String mail = "MAIL FROM:<a@b.example>" + body + "\r\n";
            try (ServerRig rig = new ServerRig(PLAIN)) {
                assertThat(rig.say(EHLO + mail + RCPT + "BDAT 3 LAST\r\na\0b"))
                        .as(body)
                        .endsWith(250, 554);
                assertThat(rig.say(mail + RCPT + "BDAT 2\r\nabBDAT 2\r\nc\0BDAT 1 LAST\r\nd"))
                        .as(body)
                        .containsExactly(250, 250, 250, 554, 503);
                assertThat(rig.mails).as(body).isEmpty();
                assertThat(rig.say(mail + RCPT + "BDAT 1 LAST\r\na")).endsWith(250);
            }
        }
        try (ServerRig rig = new ServerRig(PLAIN)) {
            String mail = "MAIL FROM:<a@b.example> BODY=BINARYMIME\r\n";
            assertThat(rig.say(EHLO + mail + RCPT + "BDAT 3 LAST\r\na\0b")).endsWith(250);
            assertThat(rig.mails).containsExactly("<a@b.example> a\0b");
        }
    }

    @Test
    void parametersAreChecked() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            var _ = rig.say(EHLO);
            String from = "MAIL FROM:<a@b.example> ";
            assertThat(rig.say(from + "SIZE=26214401\r\n")).containsExactly(552);
            assertThat(rig.say(from + "FOO=1\r\n")).containsExactly(555);
            assertThat(rig.say(from + "BODY=9BIT\r\n")).containsExactly(501);
            assertThat(rig.say(from + "SMTPUTF8=1\r\n")).containsExactly(501);
            assertThat(rig.say(from + "RET=ALL\r\n")).containsExactly(501);
            assertThat(rig.say("MAIL FROM:<\u00c3\u00bc@b.example>\r\n")).containsExactly(553);
            assertThat(rig.say(from + "BODY=BINARYMIME RET=HDRS ENVID=a+2Bb AUTH=<>\r\n"))
                    .containsExactly(250);
            assertThat(rig.say("RCPT TO:<\u00c3\u00bc@b.example>\r\n")).containsExactly(553);
            assertThat(rig.say("RCPT TO:<c@d.example> NOTIFY=NEVER,SUCCESS\r\n"))
                    .containsExactly(501);
            assertThat(rig.say("RCPT TO:<c@d.example> NOTIFY=DELAY,SUCCESS ORCPT=rfc822;c@d\r\n"))
                    .containsExactly(250);
            assertThat(rig.say("DATA\r\nRSET\r\n")).containsExactly(503, 250);
            assertThat(rig.say("MAIL FROM:<\u00c3\u00bc@b.example> SMTPUTF8\r\n"))
                    .containsExactly(250);
        }
    }

    @Test
    void parametersOfNotificationsHoldNoLineEnds() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            var _ = rig.say(EHLO);
            String from = "MAIL FROM:<a@b.example> ";
            assertThat(rig.say(from + "ENVID=x+0D+0ABcc:+20evil\r\n")).containsExactly(501);
            assertThat(rig.say(from + "ENVID=x+7F\r\n")).containsExactly(501);
            assertThat(rig.say(from + "AUTH=e+0Ax\r\n" + MAIL)).containsExactly(501, 250);
            for (String bad :
                    List.of(
                            "rfc822;a+0Ab",
                            "rfc822;",
                            "r@c;x",
                            ";x",
                            "x",
                            "utf-8;",
                            "utf-8;a\\b",
                            "utf-8;a\\x{0A}")) {
                assertThat(rig.say("RCPT TO:<c@d.example> ORCPT=" + bad + "\r\n"))
                        .as(bad)
                        .containsExactly(501);
            }
            for (String good : List.of("utf-8;a\\x{20AC}@d", "x-local;a+20b")) {
                assertThat(rig.say("RCPT TO:<c@d.example> ORCPT=" + good + "\r\n"))
                        .as(good)
                        .containsExactly(250);
            }
        }
    }

    @Test
    void smugglingEndsTheSessionAndItsMessage() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            assertThat(
                            rig.say(
                                    EHLO
                                            + MAIL
                                            + RCPT
                                            + "DATA\r\nx\r\n.\n"
                                            + MAIL
                                            + RCPT
                                            + "DATA\r\ny\r\n.\r\n"))
                    .containsExactly(250, 250, 250, 354, 521);
            assertThat(rig.mails).isEmpty();
            assertThat(rig.resets).isOne();
            assertThat(rig.closed).isTrue();
        }
    }

    @Test
    void tooManyErrorsAndRecipientsAreRefused() {
        SmtpLimits limits = new SmtpLimits(512, 1_024, 12_288, 512, 65_536, 1_000, 100, 2, 3);
        try (ServerRig rig = new ServerRig(PLAIN.withLimits(limits))) {
            assertThat(rig.say(EHLO + MAIL + RCPT + RCPT + RCPT))
                    .containsExactly(250, 250, 250, 250, 452);
            assertThat(rig.say("DATA\r\n" + "x".repeat(101) + "\r\n.\r\n"))
                    .containsExactly(354, 552);
            assertThat(rig.say("A\r\nB\r\nC\r\nD\r\n")).containsExactly(502, 502, 502, 421);
            assertThat(rig.closed).isTrue();
        }
    }

    @Test
    void endOfInputWaitsForLateAnswers() {
        try (ServerRig rig = new ServerRig(PLAIN)) {
            rig.later = true;
            var _ = rig.say(EHLO + MAIL + RCPT + "DATA\r\nx\r\n.\r\n" + MAIL);
            rig.session.inputClosed();
            assertThat(rig.closed).isFalse();
            rig.replies.clear();
            rig.pending.removeFirst().accept(SmtpReply.of(250, "2.0.0", "durable"));
            assertThat(rig.codes()).containsExactly(250, 250);
            assertThat(rig.closed).isTrue();
            assertThat(rig.resets).isZero();
        }
    }

    @Test
    void endOfInputGivesUpTheMessage() {
        ServerRig rig = new ServerRig(PLAIN);
        assertThat(rig.say(EHLO + MAIL + RCPT + "DATA\r\nhalf")).hasSize(4);
        rig.session.inputClosed();
        assertThat(rig.resets).isOne();
        assertThat(rig.closed).isTrue();
    }
}
