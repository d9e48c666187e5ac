package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class SmtpLabTest implements CodecLab {
    private static final SmtpLimits LIMITS = new SmtpLimits(64, 60, 120, 60, 400, 60, 500, 10, 10);

    @Override
    public List<Subject> subjects() {
        return List.of(
                requests("smtp-request", BareLineEnds.REFUSE),
                requests("smtp-request-passing", BareLineEnds.PASS),
                replies());
    }

    private static Subject requests(String name, BareLineEnds bare) {
        Subject subject =
                Subject.named(name)
                        .decoder(
                                () -> {
                                    SmtpRequestDecoder d = new SmtpRequestDecoder(LIMITS, bare);
                                    return Machine.of(
                                            (in, out) -> d.decode(in, Wire.accepting(d, out)),
                                            out -> d.end(out),
                                            d::close);
                                },
                                DecoderException.class)
                        .describe(Wire::describe);
        if (bare == BareLineEnds.REFUSE) {
            subject.refuses("LF alone", "DATA\r\na\nb\r\n.\r\n", SmtpException.class)
                    .refuses("CR alone", "DATA\r\na\rb\r\n.\r\n", SmtpException.class)
                    .refuses("LF, dot, LF", "DATA\r\na\r\n.\n", SmtpException.class);
        } else {
            subject.sample("DATA\r\na\n.\r\nb\r.\r\r\n.\n\r\n.\r\n");
        }
        return subject.sample("EHLO a.example\r\nMAIL FROM:<a@b.c> SIZE=5\r\nRCPT TO:<d@e.f>\r\n")
                .sample("DATA\r\nline\r\n..dot\r\n.more\r\n\r\n.\r\nQUIT\r\n")
                .sample("DATA\r\n.\r\nDATA\r\n" + "x".repeat(70) + "\r\n.\r\nNOOP\r\n")
                .sample("DATA\r\n" + "0123456789\r\n".repeat(50) + ".\r\n")
                .sample("BDAT 4\r\na\r\nbBDAT 0\r\nBDAT 3 LAST\r\nxyzRSET\r\n")
                .sample("AUTH LOGIN\r\ndXNlcg==\r\nAUTH PLAIN =\r\n*\r\nNOOP\r\nnonsense\r\n\r\n")
                .refuses("a long line", "NOOP " + "x".repeat(124), SmtpException.class)
                .refuses("BDAT without a size", "BDAT x\r\n", SmtpException.class)
                .refuses("LF in a command", "NOOP\nRSET\r\n", SmtpException.class)
                .refuses("half a command", "NOO", PrematureEndException.class)
                .refuses("half a content", "DATA\r\nabc", PrematureEndException.class)
                .refuses("half a chunk", "BDAT 5\r\nabc", PrematureEndException.class)
                .roundTrip(
                        () ->
                                Wire.encode(
                                        () -> new SmtpCommand.Ehlo(MailHost.of("[192.0.2.1]")),
                                        SmtpCommand.Data::new,
                                        () -> Wire.part(".a\r\n.\r\nb"),
                                        () -> new SmtpContent.End(null),
                                        () -> new SmtpCommand.Bdat(3, true),
                                        () -> Wire.part(".\r\n"),
                                        () -> new SmtpContent.End(null),
                                        SmtpCommand.Quit::new),
                        "EHLO [192.0.2.1]",
                        "DATA",
                        "piece .a\r\n.\r\nb\r\n",
                        "end",
                        "BDAT 3 LAST",
                        "piece .\r\n",
                        "end",
                        "QUIT")
                .injection(SmtpLabTest::injected)
                .endless(n -> ("DATA\r\n" + ".\r\r\n".repeat(n / 4)).getBytes(US_ASCII))
                .endless(n -> ("DATA\r\n" + "..\r\n".repeat(n / 4)).getBytes(US_ASCII))
                .endless(n -> ("DATA\r\n" + "x".repeat(n)).getBytes(US_ASCII))
                .endless(n -> "NOOP\r\n".repeat(n / 6).getBytes(US_ASCII))
                .endless(n -> ("BDAT " + n + "\r\n" + "x".repeat(n)).getBytes(US_ASCII));
    }

    private static byte[] injected(String text) {
        byte[] wire = Wire.encode(() -> new SmtpCommand.Noop(text));
        String line = new String(wire, ISO_8859_1);
        return line.substring(5, Math.max(5, line.length() - 2)).getBytes(ISO_8859_1);
    }

    private static Subject replies() {
        return Subject.named("smtp-reply")
                .decoder(
                        () -> {
                            SmtpReplyDecoder d = new SmtpReplyDecoder(LIMITS);
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Wire::describe)
                .sample("220 mail.example ESMTP\r\n250-mail\r\n250-SIZE 5\r\n250 HELP\r\n")
                .sample("250 2.1.0 ok\r\n354\r\n550-5.1.1 no\r\n550 5.1.1 such\r\n")
                .refuses("a long line", "250 " + "x".repeat(60), SmtpException.class)
                .refuses("many lines", "250-\r\n".repeat(20), SmtpException.class)
                .refuses("half a reply", "250-a\r\n", PrematureEndException.class)
                .refuses("half a line", "250 a", PrematureEndException.class)
                .roundTrip(
                        () ->
                                Wire.encode(
                                        new SmtpReply(
                                                250,
                                                EnhancedStatus.of("2.0.0"),
                                                List.of("a", "b"))),
                        "250 2.0.0 a b")
                .injection(
                        text -> {
                            String wire =
                                    new String(Wire.encode(SmtpReply.of(250, text)), ISO_8859_1);
                            return wire.substring(4, wire.length() - 2).getBytes(ISO_8859_1);
                        })
                .endless(n -> "250 a\r\n".repeat(n / 7).getBytes(US_ASCII));
    }
}
