package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SmtpRequestTest {
    /// Bytes are looked at eight at a time.
    @Test
    void nulOfAContentIsSeenAtEveryPlace() {
        String content =
                "0123456\r\n89abcdefghij\r\n\tklmn\r\n..opqrstuvwxyzABCDEFGHIJKLM\r\nend\r\n";
        for (int at = 0; at < content.length(); at++) {
            if ("\r\n.".indexOf(content.charAt(at)) >= 0) {
                continue;
            }
            String nul = content.substring(0, at) + "\0" + content.substring(at + 1);
            List<String> got =
                    Wire.decode(new SmtpRequestDecoder(), "DATA\r\n" + nul + ".\r\nNOOP\r\n");
            String before = content.substring(0, at).replace("\r\n.", "\r\n");
            List<String> expected = new ArrayList<>(List.of("DATA"));
            if (!before.isEmpty()) {
                expected.add("piece " + before);
            }
            expected.add("end 554 5.6.0 content: a NUL (expected: none, or BODY=BINARYMIME)");
            expected.add("NOOP");
            assertThat(got).as("NUL at %d", at).isEqualTo(expected);
        }
    }

    @Test
    void typicalSessionIsRead() {
        // RFC 5321, D.1
        assertThat(
                        Wire.decode(
                                new SmtpRequestDecoder(),
                                Wire.lines(
                                        "EHLO bar.com",
                                        "mail from:<Smith@bar.com>",
                                        "RCPT TO:<Jones@foo.com>  ",
                                        "DATA",
                                        "Blah blah blah...",
                                        "..etc. etc. etc.",
                                        ".",
                                        "QUIT")))
                .containsExactly(
                        "EHLO bar.com",
                        "MAIL FROM:<Smith@bar.com>",
                        "RCPT TO:<Jones@foo.com>",
                        "DATA",
                        "piece Blah blah blah...\r\n.etc. etc. etc.\r\n",
                        "end",
                        "QUIT");
    }

    @Test
    void emptyContentIsRead() {
        assertThat(Wire.decode(new SmtpRequestDecoder(), "DATA\r\n.\r\nRSET\r\n"))
                .containsExactly("DATA", "end", "RSET");
    }

    @Test
    void chunksAreReadByLength() {
        // RFC 3030, 4.1
        assertThat(
                        Wire.decode(
                                new SmtpRequestDecoder(),
                                "BDAT 5\r\na\n.\r\nBDAT 0 LAST\r\nBDAT 6 last\r\nQUIT\r\nNOOP\r\n"))
                .containsExactly(
                        "BDAT 5",
                        "piece a\n.\r\n",
                        "end",
                        "BDAT 0 LAST",
                        "end",
                        "BDAT 6 LAST",
                        "piece QUIT\r\n",
                        "end",
                        "NOOP");
    }

    @Test
    void parametersAreTyped() {
        List<String> got =
                Wire.decode(
                        new SmtpRequestDecoder(),
                        Wire.lines(
                                "MAIL FROM:<\"a b> c\"@x.org> SIZE=1000 body=8BITMIME SMTPUTF8 RET=HDRS",
                                "RCPT TO:<postmaster> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;a+2Bb@c"));
        assertThat(got)
                .containsExactly(
                        "MAIL FROM:<\"a b> c\"@x.org> SIZE=1000 BODY=8BITMIME SMTPUTF8 RET=HDRS",
                        "RCPT TO:<Postmaster> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;a+2Bb@c");
        MailParameters parameters = MailParameters.NONE.with("size", "77").with("SMTPUTF8", "");
        assertThat(parameters.size()).isEqualTo(77);
        assertThat(parameters.isUtf8()).isTrue();
        assertThat(MailParameters.NONE.with("SIZE", "1x").size()).isEqualTo(-1);
    }

    @Test
    void authExchangeIsRead() {
        // RFC 4954, section 4
        assertThat(
                        Wire.decode(
                                new SmtpRequestDecoder(),
                                "AUTH plain dGVzdAB0ZXN0ADEyMzQ=\r\n\r\nAUTH LOGIN\r\n*\r\nNOOP\r\n"))
                .containsExactly("AUTH PLAIN dGVzdAB0ZXN0ADEyMzQ=", "", "AUTH LOGIN", "*", "NOOP");
        assertThat(new SmtpCommand.Auth("PLAIN", "c2VjcmV0").toString()).doesNotContain("c2Vj");
    }

    @ParameterizedTest
    @CsvSource({
        "MAIL FROM: <a@b.c>, 501",
        "MAIL <a@b.c>, 501",
        "MAIL FROM:a@b.c, 501",
        "MAIL FROM:<a@b.c, 501",
        "MAIL FROM:<a@b.c>SIZE=1, 501",
        "MAIL FROM:<a@b.c> SIZE=1 SIZE=2, 501",
        "MAIL FROM:<a@b.c> SIZE=, 501",
        "MAIL FROM:<a@b.c> =1, 501",
        "MAIL FROM:<a@b.c> A=B=C, 501",
        "MAIL FROM:<Postmaster>, 501",
        "RCPT TO:<>, 501",
        "RCPT TO:<a@b.c><d@e.f>, 501",
        "DATA now, 501",
        "EHLO, 501",
        "EHLO -x, 501",
        "AUTH, 501",
        "AUTH PLAIN a%, 501",
        "VRFY, 501",
        "M@IL x, 500",
        "'', 500",
    })
    void faultsOfSyntaxAreAnswered(String line, int code) {
        List<String> got = Wire.decode(new SmtpRequestDecoder(), line + "\r\nNOOP\r\n");
        assertThat(got).hasSize(2).last().isEqualTo("NOOP");
        assertThat(got.getFirst()).startsWith("invalid " + code + " 5.5.");
    }

    @Test
    void lineLimitsAreThoseOfTheRfc() {
        SmtpRequestDecoder decoder = new SmtpRequestDecoder();
        assertThat(Wire.decode(decoder, "NOOP " + "x".repeat(505) + "\r\n").getFirst())
                .startsWith("NOOP x");
        assertThat(Wire.decode(decoder, "NOOP " + "x".repeat(506) + "\r\n").getFirst())
                .startsWith("invalid 500");
        assertThat(Wire.decode(decoder, "x".repeat(12_288)).getFirst()).startsWith("! ");
    }

    @Test
    void contentLimitsFailTheMessageAlone() {
        SmtpLimits limits = SmtpLimits.DEFAULT.withContent(20).withTextLine(10);
        String line = "12345678\r\n";
        assertThat(Wire.decode(new SmtpRequestDecoder(limits), "DATA\r\n" + line + line + ".\r\n"))
                .containsExactly("DATA", "piece " + line + line, "end");
        assertThat(
                        Wire.decode(
                                new SmtpRequestDecoder(limits),
                                "DATA\r\n" + line + line + "x\r\n.\r\nNOOP\r\n"))
                .satisfies(
                        got -> {
                            assertThat(got.get(1)).isEqualTo("piece " + line + line);
                            assertThat(got.get(2)).startsWith("end 552 5.3.4");
                            assertThat(got.get(3)).isEqualTo("NOOP");
                        });
        assertThat(Wire.decode(new SmtpRequestDecoder(limits), "DATA\r\n123456789\r\n.\r\n"))
                .satisfies(got -> assertThat(got.getLast()).startsWith("end 554 5.6.0"));
    }

    static Stream<String> injections() {
        return Stream.of("a\r\nRCPT TO:<x@y.z>", "a\nb", "a\rb", "a\0b");
    }

    @ParameterizedTest
    @MethodSource("injections")
    void noTextBeginsAnotherCommand(String text) {
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> attempts =
                List.of(
                        () -> new SmtpCommand.Noop(text),
                        () -> new SmtpCommand.Help(text),
                        () -> new SmtpCommand.Vrfy(text),
                        () -> new SmtpCommand.Expn(text),
                        () -> new SmtpCommand.Other("XCLIENT", text),
                        () -> new SmtpCommand.Other(text, ""),
                        () -> new SmtpCommand.Auth(text, null),
                        () -> new SmtpCommand.Auth("PLAIN", text),
                        () -> new SmtpCommand.AuthResponse(text),
                        () -> new MailHost.Domain(text),
                        () -> new MailHost.General(text, "x"),
                        () -> new MailHost.General("x", text),
                        () -> new Mailbox(text, MailHost.of("b.c")),
                        () -> MailPath.to(text + "@b.c"),
                        () -> MailParameters.NONE.with(text, ""),
                        () -> MailParameters.NONE.with("X", text),
                        () -> SmtpReply.of(250, text));
        for (var attempt : attempts) {
            assertThatThrownBy(attempt).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void internationalAddressesAreUtf8() {
        byte[] wire =
                Wire.encode(
                        () ->
                                new SmtpCommand.Mail(
                                        MailPath.to("用户@例子.广告"),
                                        MailParameters.NONE.with("SMTPUTF8", "")));
        assertThat(new String(wire, UTF_8)).isEqualTo("MAIL FROM:<用户@例子.广告> SMTPUTF8\r\n");
        assertThat(Wire.decode(new SmtpRequestDecoder(), new String(wire, ISO_8859_1)))
                .containsExactly("MAIL FROM:<用户@例子.广告> SMTPUTF8");
        assertThat(Wire.decode(new SmtpRequestDecoder(), "MAIL FROM:<\u00ff@b.c>\r\n").getFirst())
                .startsWith("invalid 501");
    }

    @Test
    void requestOfHttpEndsTheConnection() {
        assertThat(
                        Wire.decode(
                                new SmtpRequestDecoder(),
                                "POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<a@b.c>\r\n"))
                .singleElement()
                .asString()
                .startsWith("! a request of HTTP");
        assertThat(Wire.decode(new SmtpRequestDecoder(), "GET\r\nNOOP\r\n"))
                .satisfies(got -> assertThat(got.getFirst()).startsWith("invalid 501"))
                .endsWith("NOOP");
    }

    @Test
    void contentStandsBehindItsCommandAlone() {
        Supplier<SmtpRequest> end = () -> new SmtpContent.End(null);
        Supplier<SmtpRequest> quit = SmtpCommand.Quit::new;
        Supplier<SmtpRequest> part = () -> Wire.part("hi\r\n");
        Supplier<SmtpRequest> chunk = () -> new SmtpCommand.Bdat(8, true);
        for (List<Supplier<SmtpRequest>> bad :
                List.of(
                        List.of(part),
                        List.of(end),
                        List.of(SmtpCommand.Data::new, part, quit),
                        List.of(chunk, quit),
                        List.of(chunk, part, quit),
                        List.of(chunk, part, end),
                        List.of(chunk, part, part, part),
                        List.of(SmtpCommand.Data::new, part, end, part))) {
            assertThatThrownBy(() -> Wire.encode(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("(expected: ");
        }
        // DATA may be refused, and a chunk of nothing needs no end.
        assertThat(
                        new String(
                                Wire.encode(
                                        List.of(
                                                SmtpCommand.Data::new,
                                                quit,
                                                () -> new SmtpCommand.Bdat(0, true),
                                                quit)),
                                UTF_8))
                .isEqualTo("DATA\r\nQUIT\r\nBDAT 0 LAST\r\nQUIT\r\n");
    }

    @Test
    void verbsAreAscii() {
        for (String line : List.of("R\u017fET", "MA\u0131L FROM:<a@b.c>", "NOOP\u0131")) {
            String wire = new String((line + "\r\n").getBytes(UTF_8), ISO_8859_1);
            assertThat(Wire.decode(new SmtpRequestDecoder(), wire).getFirst())
                    .startsWith("invalid 50");
        }
        String last = new String("BDAT 0 LA\u017fT\r\n".getBytes(UTF_8), ISO_8859_1);
        assertThat(Wire.decode(new SmtpRequestDecoder(), last).getLast()).startsWith("! BDAT");
    }

    @Test
    void chunkOfUnknownLengthEndsTheConnection() {
        for (String bad : List.of("x", "", "-1", "1 LAS", "99999999999999999999", "1 LAST x")) {
            assertThat(Wire.decode(new SmtpRequestDecoder(), "BDAT " + bad + "\r\nRSET\r\n"))
                    .singleElement()
                    .asString()
                    .startsWith("! BDAT");
        }
    }
}
