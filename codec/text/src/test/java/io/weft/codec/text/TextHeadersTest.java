package io.weft.codec.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AsciiString;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextHeadersTest {
    private final TextHeaders headers =
            new TextHeaders().add("Via", "a").add("Content-Length", 12).add("via", "b");

    private static String written(TextHeaders headers) {
        try (Buffer out = BufferAllocator.pooled().allocate(0)) {
            headers.writeTo(out);
            assertThat(out.readableBytes()).isEqualTo(headers.length());
            byte[] bytes = new byte[out.readableBytes()];
            out.readBytes(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Test
    void namesAreFoundInAnyCaseAndValuesKeepTheirOrder() {
        assertThat(headers.get("VIA")).isEqualTo("a");
        assertThat(headers.all(AsciiString.of("vIa"))).containsExactly("a", "b");
        assertThat(headers.contains("content-length")).isTrue();
        assertThat(headers.get("vi")).isNull();
        assertThat(headers.all("\u0130")).isEmpty();
        assertThat(headers).extracting(TextHeaders.Field::value).containsExactly("a", "12", "b");
        assertThat(headers.size()).isEqualTo(3);
    }

    @Test
    void turkishLocalesChangeNothing() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.of("tr", "TR"));
            assertThat(headers.get("VIA")).isEqualTo("a");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aFieldReplacesAllOfItsNameAndGoesToTheEnd() {
        headers.set("VIA", "c");
        assertThat(written(headers)).isEqualTo("Content-Length: 12\r\nVIA: c\r\n");
        assertThat(headers.remove("via")).isEqualTo(1);
        assertThat(headers.remove("via")).isZero();
        assertThat(headers.length()).isEqualTo("Content-Length: 12\r\n".length());
    }

    @Test
    void whatCannotReplaceReplacesNothing() {
        String before = written(headers);
        assertThatThrownBy(() -> headers.set("via", "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> headers.set("via", "x".repeat(TextHeaders.DEFAULT_MAX_BYTES)))
                .isInstanceOf(LimitExceededException.class);
        assertThat(written(headers)).isEqualTo(before);
    }

    @Test
    void valuesHaveTypes() {
        assertThat(headers.getInt("content-length")).hasValue(12);
        assertThat(headers.getInt("age")).isEmpty();
        headers.add("age", Long.MIN_VALUE);
        assertThat(headers.getLong("age")).hasValue(Long.MIN_VALUE);
        headers.add("date", "1994-11-06T08:49:37Z");
        assertThat(headers.get("date", Instant::parse))
                .contains(Instant.parse("1994-11-06T08:49:37Z"));
        assertThat(headers.get("expires", Instant::parse)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " 1",
                "1 ",
                "+1",
                "-",
                "--1",
                "1.0",
                "0x1",
                "\u0661",
                "99999999999999999999"
            })
    void whatIsNoNumberIsNotTakenForOne(String value) {
        headers.add("n", value);
        assertThatThrownBy(() -> headers.getLong("n")).isInstanceOf(CorruptedFrameException.class);
        assertThatThrownBy(() -> headers.getInt("n")).isInstanceOf(CorruptedFrameException.class);
        assertThatThrownBy(() -> headers.get("n", Instant::parse))
                .isInstanceOf(CorruptedFrameException.class);
    }

    @Test
    void anIntIsNotCutOffALong() {
        headers.add("n", 1L << 32);
        assertThatThrownBy(() -> headers.getInt("n")).isInstanceOf(CorruptedFrameException.class);
        assertThatThrownBy(() -> headers.get("n", _ -> null))
                .isInstanceOf(CorruptedFrameException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a b", "a:", "a\r", "a\n", "a\0", "\u007f", "\u00e9", "a\t"})
    void noNameEndsOrBeginsAnotherField(String name) {
        assertThatThrownBy(() -> headers.add(name, "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(headers.size()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb: c", "a\n", "\r", "\0", "\ud800", "a\udc00"})
    void noValueEndsOrBeginsAnotherField(String value) {
        assertThatThrownBy(() -> headers.add("x", value))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(headers.size()).isEqualTo(3);
    }

    @Test
    void fieldsAndBytesAreLimited() {
        TextHeaders two = new TextHeaders(2, 18).add("a", "1234").add("b", "1234");
        assertThat(two.length()).isEqualTo(18);
        assertThatThrownBy(() -> two.add("c", "")).isInstanceOf(LimitExceededException.class);
        TextHeaders bytes = new TextHeaders(9, 18).add("a", "1234");
        assertThatThrownBy(() -> bytes.add("b", "12345"))
                .isInstanceOf(LimitExceededException.class);
        assertThatThrownBy(() -> bytes.add("b", "12\u00e93"))
                .isInstanceOf(LimitExceededException.class);
        bytes.add("b", "1\u20ac");
        assertThat(written(bytes)).isEqualTo("a: 1234\r\nb: 1\u20ac\r\n");
    }

    @Test
    void linesBecomeFields() {
        TextHeaders read = new TextHeaders();
        for (String line : List.of("Via:a", "Content-Length: \t12 ", "via: b")) {
            read.addLine(line);
        }
        assertThat(read).isEqualTo(headers).hasSameHashCodeAs(headers);
        assertThat(read.addLine("empty:").get("empty")).isEmpty();
        assertThat(read.addLine("url: http://x").get("url")).isEqualTo("http://x");
        assertThat(read).isNotEqualTo(headers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "no colon", ": no name", " folded: x", "a : b", "a: \0", "a: b\rc: d"})
    void whatIsNoFieldIsRefused(String line) {
        assertThatThrownBy(() -> headers.addLine(line))
                .isInstanceOf(CorruptedFrameException.class)
                .message()
                .doesNotContain("\r", "\n", "\0");
        assertThat(headers.size()).isEqualTo(3);
    }

    @Test
    void valuesAreNotShown() {
        assertThat(headers.add("password", "secret").toString())
                .contains("password")
                .doesNotContain("secret");
    }
}
