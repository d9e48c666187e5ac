package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpReplyTest {
    static List<SmtpReply> decode(String wire) {
        SmtpReplyDecoder decoder = new SmtpReplyDecoder();
        List<SmtpReply> replies = new ArrayList<>();
        try (Buffer in = Wire.buffer(wire)) {
            decoder.decode(in, replies::add);
            decoder.end(replies::add);
        }
        return replies;
    }

    @Test
    void linesOfOneCodeAreOneReply() {
        assertThat(decode("250-foo.com greets bar.com\r\n250-SIZE\r\n250 HELP\r\n250\r\n"))
                .containsExactly(
                        SmtpReply.of(250, "foo.com greets bar.com", "SIZE", "HELP"),
                        SmtpReply.of(250, ""));
    }

    @Test
    void enhancedStatusIsTakenOffWhereAllLinesHaveIt() {
        // RFC 2034, section 5
        assertThat(decode("551-5.7.1 Forwarding is disabled\r\n551 5.7.1 here\r\n"))
                .containsExactly(
                        new SmtpReply(
                                551,
                                EnhancedStatus.of("5.7.1"),
                                List.of("Forwarding is disabled", "here")));
        assertThat(decode("250-2.1.0 a\r\n250 b\r\n").getFirst().status()).isNull();
        assertThat(decode("550 2.1.0 of another class\r\n").getFirst().status()).isNull();
        assertThat(decode("250 2.01.0 zero\r\n").getFirst().status()).isNull();
    }

    @Test
    void sameLineIsTheSameReply() {
        List<SmtpReply> got =
                decode(
                        "250 2.1.5 ok\r\n250 2.1.5 ok\r\n250 2.1.5 oK\r\n250-2.1.5 ok\r\n250 2.1.5 ok\r\n");
        assertThat(got.get(1)).isSameAs(got.get(0));
        assertThat(got.get(2).text()).isEqualTo("oK");
        assertThat(got.get(3).lines()).containsExactly("ok", "ok");
    }

    @Test
    void replyIsWrittenAsItWasRead() {
        String wire = "451-4.3.0 try\r\n451 4.3.0 later\r\n";
        assertThat(new String(Wire.encode(decode(wire).getFirst()), ISO_8859_1)).isEqualTo(wire);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "250 a\n250 b\r\n",
                "250 a\r250 b\r\n",
                "25\r\n",
                "abc x\r\n",
                "199 x\r\n",
                "660 x\r\n",
                "600 x\r\n",
                "57 x\r\n",
                "5711 x\r\n",
                "250x\r\n",
                "250-a\r\n251 b\r\n",
                "250 \0\r\n",
            })
    void malformedRepliesAreRefused(String wire) {
        assertThatThrownBy(() -> decode(wire))
                .isInstanceOf(SmtpException.class)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void codesBeyondTheGrammarAreReadButNotMade() {
        // RFC 5321, 4.3.2: the first digit of an unknown code counts.
        SmtpReply refused = decode("571 5.7.1 Delivery not authorized\r\n").getFirst();
        assertThat(refused)
                .isEqualTo(
                        new SmtpReply(
                                571,
                                EnhancedStatus.of("5.7.1"),
                                List.of("Delivery not authorized")));
        assertThat(refused.isPermanent()).isTrue();
        assertThat(decode("560 x\r\n490 x\r\n299 x\r\n"))
                .extracting(SmtpReply::isPermanent, SmtpReply::isTransient, SmtpReply::isPositive)
                .containsExactly(
                        tuple(true, false, false),
                        tuple(false, true, false),
                        tuple(false, false, true));
        assertThatThrownBy(() -> SmtpReply.of(571, "x")).hasMessageContaining("second digit");
        assertThatThrownBy(() -> SmtpReply.of(560, "5.0.0", "x"))
                .hasMessageContaining("second digit");
        assertThat(SmtpReply.of(559, "x").code()).isEqualTo(559);
    }

    @Test
    void repliesAreLimited() {
        assertThat(decode("250 " + "x".repeat(506) + "\r\n")).hasSize(1);
        assertThatThrownBy(() -> decode("250 " + "x".repeat(507) + "\r\n"))
                .hasMessageContaining("at most 512");
        assertThatThrownBy(() -> decode("250-\r\n".repeat(2_000)))
                .hasMessageContaining("at most 65536");
    }

    /// Bytes are looked at eight at a time, in lines of any length and place.
    @Test
    void everyByteIsSeenAtEveryPlace() {
        for (int length : List.of(1, 7, 20, 58, 59, 70)) {
            for (int at = 0; at < length; at++) {
                for (int b = 0; b < 256; b++) {
                    StringBuilder text = new StringBuilder("x".repeat(length));
                    text.setCharAt(at, (char) b);
                    String wire = "250-" + text + "\r\n250 end\r\n";
                    if (b == 0 || b == '\r' || b == '\n') {
                        assertThatThrownBy(() -> decode(wire)).isInstanceOf(SmtpException.class);
                        continue;
                    }
                    boolean text8 = (b >= 0x20 && b < 0x7F) || b == '\t' || b > 0x9F;
                    text.setCharAt(at, text8 ? (char) b : '?');
                    assertThat(decode(wire).getFirst().lines())
                            .containsExactly(text.toString(), "end");
                }
            }
        }
    }

    @Test
    void linesOfAReplyCannotBeChanged() {
        List<String> lines = decode("250-a\r\n250 b\r\n").getFirst().lines();
        assertThatThrownBy(() -> lines.set(0, "\r\n"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(lines).isEqualTo(List.of("a", "b")).hasSameHashCodeAs(List.of("a", "b"));
    }

    @Test
    void controlsOfPeersDoNotReachTheLog() {
        assertThat(decode("550 a\u001b[2Jb\r\n").getFirst().text()).isEqualTo("a?[2Jb");
    }

    @Test
    void statusMatchesTheCode() {
        assertThatThrownBy(() -> SmtpReply.of(250, "5.0.0", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SmtpReply.of(550, "5.1.1", "no")).hasToString("550 5.1.1 no");
        assertThat(EnhancedStatus.of("4.999.0")).hasToString("4.999.0");
    }
}
