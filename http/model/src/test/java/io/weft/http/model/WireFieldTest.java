package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Fields as wires with tables of fields make them: of bytes, without a text between.
class WireFieldTest {
    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static @Nullable HeaderName lower(String name) {
        byte[] in = bytes("<" + name + ">");
        return HeaderName.ofLower(in, 1, in.length - 1);
    }

    @Test
    void listedNamesInLowerCaseAreFound() {
        assertThat(lower("content-type")).isSameAs(HeaderName.CONTENT_TYPE);
        assertThat(lower("refresh")).isSameAs(HeaderName.REFRESH);
        assertThat(lower("x-other")).isEqualTo(HeaderName.of("X-Other"));
        assertThat(HeaderName.CONTENT_TYPE.number()).isBetween(1, 127);
        assertThat(Objects.requireNonNull(lower("x-other")).number()).isZero();
    }

    @Test
    void otherBytesAreNoLowerCaseName() {
        for (String name : new String[] {"", "Content-Type", "x-Other", "a b", ":path", "\u00e4"}) {
            assertThat(lower(name)).as(name).isNull();
        }
    }

    @Test
    void valueOfBytesIsCheckedAsTextIs() {
        byte[] value = bytes("..a\tb \u00e4..");
        Headers headers = Headers.builder().add(HeaderName.VIA, value, 2, 5).build();
        assertThat(headers.first("via")).isEqualTo("a\tb \u00e4");
        for (String bad :
                new String[] {" a", "a ", "\ta", "a\t", "a\u0000", "\u007f", "a\r\nb: c", "\n"}) {
            assertThat(Headers.isValue(bytes(bad), 0, bad.length())).isFalse();
            assertThatThrownBy(
                            () ->
                                    Headers.builder()
                                            .add(HeaderName.VIA, bytes(bad), 0, bad.length()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("via: ");
        }
    }

    @Test
    void bytesBehindTheValueAreNotLookedAt() {
        for (int length = 0; length < 20; length++) {
            byte[] value = bytes("x".repeat(length) + "\n\n");
            assertThat(Headers.isValue(value, 0, length)).isTrue();
            assertThat(Headers.isValue(value, 0, length + 1)).isFalse();
        }
    }

    @Test
    void namesAreTakenFromTheCache() {
        String longest = "x".repeat(64);
        byte[] one = bytes("1");
        HeadersBuilder builder = Headers.builder().add(HeaderName.VIA, one, 0, 1);
        for (int i = 0; i < 40; i++) {
            builder.add(HeaderName.of("x-" + "abcdefgh".substring(i % 8) + i), one, 0, 1);
        }
        builder.add(HeaderName.of(longest), one, 0, 1);
        Headers headers = builder.add(HeaderName.of(longest + "x"), one, 0, 1).build();
        HeaderName[] cache = new HeaderName[16];
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < headers.size(); i++) {
                assertThat(headers.name(i, cache)).isEqualTo(headers.name(i));
            }
        }
        assertThat(headers.name(0, cache)).isSameAs(HeaderName.VIA);
        assertThat(headers.name(41, cache)).isSameAs(headers.name(41, cache));
        assertThat(headers.name(42, cache)).isNotSameAs(headers.name(42, cache));
        assertThat(cache).doesNotContain(HeaderName.of(longest + "x"));
    }

    @Test
    void clearedBuilderMakesOtherHeaders() {
        HeadersBuilder builder = Headers.builder().add("a", "1").add("via", "x");
        Headers before = builder.build();
        Headers after = builder.clear().add("b", "2").build();
        assertThat(before).isEqualTo(Headers.of("a", "1").plus(HeaderName.VIA, "x"));
        assertThat(after).isEqualTo(Headers.of("b", "2"));
        assertThat(after.contains(HeaderName.VIA)).isFalse();
        assertThat(builder.clear().build()).isSameAs(Headers.EMPTY);
    }

    @Test
    void nameAndValueAreCopied() {
        Headers headers = Headers.of("Age", "12");
        byte[] to = new byte[7];
        HeaderName.AGE.copyTo(to, 1);
        headers.copyValue(0, to, 5);
        assertThat(new String(to, ISO_8859_1)).isEqualTo("\0age\00012");
        assertThat(HeaderName.AGE.length()).isEqualTo(3);
    }

    @Test
    void valueWithAControlAnywhereIsRefused() {
        HeadersBuilder headers = Headers.builder();
        for (int length = 1; length <= 20; length++) {
            for (int at = 0; at < length; at++) {
                byte[] bytes = new byte[length + 2];
                Arrays.fill(bytes, (byte) 'v');
                for (int b = 0; b < 256; b++) {
                    bytes[at + 1] = (byte) b;
                    boolean blank = b == ' ' || b == '\t';
                    boolean valid = blank ? at > 0 && at < length - 1 : b >= 0x20 && b != 0x7F;
                    assertThat(headers.clear().addIfValid(HeaderName.ACCEPT, bytes, 1, length))
                            .as("%02x at %d of %d", b, at, length)
                            .isEqualTo(valid);
                    assertThat(headers.build().size()).isEqualTo(valid ? 1 : 0);
                }
            }
        }
    }
}
