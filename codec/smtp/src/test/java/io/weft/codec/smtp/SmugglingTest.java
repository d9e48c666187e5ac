package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Ends of content that some servers took for one, and others not (CVE-2023-51764, 51765, 51766).
/// Only CRLF, dot, CRLF ends a content: whatever stands in these is refused or data.
class SmugglingTest {
    private static final String SMUGGLED = "MAIL FROM:<admin@example.org>\r\n";

    /// Sequences between a body's text and a second message in it.
    static final List<String> NO_ENDS =
            List.of(
                    "\n.\n",
                    "\n.\r\n",
                    "\n.\r",
                    "\r.\r",
                    "\r.\n",
                    "\r.\r\n",
                    "\r\n.\n",
                    "\r\n.\r",
                    "\n\n.\r\n",
                    "\n\r.\r\n",
                    "\r\r.\r\n",
                    "\r\r\n.\n",
                    "\r\n.\n\n",
                    "\r\n.\r\r",
                    "\r\n.\n\r",
                    "\r\n.\r\r\n",
                    "\r\n.\n\r\n",
                    "\r\n\n.\r\n",
                    "\r\n\r.\r\n",
                    "\n.\n\n",
                    "\r.\r\r",
                    "\n\r\n.\n",
                    "\r\n\r\n.\n",
                    "\n.\0\n",
                    "\r\n.\0\r\n",
                    "\r\n\0.\r\n",
                    "\0\r\n.\n",
                    "\r\n. \r\n",
                    "\r\n.\t\r\n",
                    "\r\n..\r\n",
                    "\r\n .\r\n",
                    "\r\n.\u000b\r\n",
                    "\r\n.\f\r\n",
                    "\u0085.\u0085",
                    "\r\n\u0085.\r\n",
                    "\r\n.\u00a0\r\n",
                    "\\r\\n.\\r\\n",
                    "=0D=0A.=0D=0A",
                    ".\r\n",
                    "\n.\r.\n");

    private static String wire(String sequence) {
        return "DATA\r\ntext" + sequence + SMUGGLED;
    }

    @ParameterizedTest
    @FieldSource("NO_ENDS")
    void sequenceEndsNoContent(String sequence) {
        for (BareLineEnds bare : BareLineEnds.values()) {
            List<String> got =
                    Wire.decode(new SmtpRequestDecoder(SmtpLimits.DEFAULT, bare), wire(sequence));
            assertThat(got).as("%s", bare).noneMatch(m -> m.startsWith("end"));
            assertThat(got).noneMatch(m -> m.startsWith("MAIL"));
        }
    }

    @ParameterizedTest
    @FieldSource("NO_ENDS")
    void sequenceEndsNoContentByteByByte(String sequence) {
        String wire = wire(sequence);
        for (BareLineEnds bare : BareLineEnds.values()) {
            SmtpRequestDecoder decoder = new SmtpRequestDecoder(SmtpLimits.DEFAULT, bare);
            StringBuilder all = new StringBuilder();
            io.weft.codec.Cumulation cumulation = new io.weft.codec.Cumulation();
            try {
                for (int i = 0; i < wire.length(); i++) {
                    decoder.decode(
                            cumulation.add(Wire.buffer(wire.substring(i, i + 1))),
                            Wire.accepting(decoder, r -> all.append(Wire.describe(r)).append('|')));
                    cumulation.trim();
                }
            } catch (SmtpException e) {
                assertThat(e.reply().code()).isEqualTo(521);
            } finally {
                cumulation.release();
            }
            assertThat(all.toString()).doesNotContain("end").doesNotContain("|MAIL");
        }
    }

    /// Those that RFC 5321 forbids in a content are refused; others are data, as they stand.
    @ParameterizedTest
    @FieldSource("NO_ENDS")
    void bareLineEndsAreRefusedByDefault(String sequence) {
        String paired = sequence.replace("\r\n", "");
        boolean bare = paired.indexOf('\r') >= 0 || paired.indexOf('\n') >= 0;
        List<String> got = Wire.decode(new SmtpRequestDecoder(), wire(sequence));
        assertThat(got.getLast()).startsWith(bare ? "! " : "piece text");
    }

    static Stream<String> bareInLines() {
        return Stream.of(
                "NOOP\n",
                "NOOP\r",
                "NOOP\rRSET\r\n",
                "NOOP\nRSET\r\n",
                "NOOP\n\r\n",
                "NOOP\r\r\n",
                "MAIL FROM:<a@b.example>\nRCPT TO:<c@d.example>\r\n",
                "NOOP \0\r\n");
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("bareInLines")
    void commandLinesEndWithCrlfOnly(String wire) {
        List<String> got = Wire.decode(new SmtpRequestDecoder(), wire);
        assertThat(got).noneMatch(m -> m.startsWith("RSET") || m.startsWith("RCPT"));
        assertThat(got.isEmpty() ? "! " : got.getLast()).startsWith("! ");
    }

    @Test
    void contentsWithBareLineEndsAreNotSent() {
        for (String bad :
                List.of("a\nb", "a\rb", "\n.\n", "a\r", "\r\n\n", "\r\r\n", "a\n.\r\nb")) {
            assertThatThrownBy(
                            () ->
                                    Wire.encode(
                                            SmtpCommand.Data::new,
                                            () -> Wire.part(bad),
                                            () -> new SmtpContent.End(null)))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("alone");
        }
    }

    @Test
    void sentDotsAreContent() {
        byte[] wire =
                Wire.encode(
                        SmtpCommand.Data::new,
                        () -> Wire.part("."),
                        () -> Wire.part("\r\n.\r"),
                        () -> Wire.part("\n..\r\nQUIT\r\n"),
                        () -> new SmtpContent.End(null));
        assertThat(new String(wire, ISO_8859_1))
                .isEqualTo("DATA\r\n..\r\n..\r\n...\r\nQUIT\r\n.\r\n");
        assertThat(Wire.decode(new SmtpRequestDecoder(), new String(wire, ISO_8859_1)))
                .containsExactly("DATA", "piece .\r\n.\r\n..\r\nQUIT\r\n", "end");
    }
}
