package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private static Headers parse(String lines) {
        try (Buffer in = BufferAllocator.pooled().allocate(lines.length() + 2)) {
            in.writeAscii("##" + lines);
            return Headers.parse(in, 2, in.writeOffset(), 1);
        }
    }

    private static String written(Headers headers) {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            headers.writeTo(out);
            return out.readString(ISO_8859_1);
        }
    }

    @Test
    void findsReceivedFieldsInAnyCase() {
        Headers headers = parse("Host: a\r\nX-Foo:  1 \r\ncookie: b\r\nx-fOO:\t2, 3\r\nEmpty:\r\n");
        assertThat(headers.size()).isEqualTo(5);
        assertThat(headers.first(HeaderName.HOST)).isEqualTo("a");
        assertThat(headers.first("hOST")).isEqualTo("a");
        assertThat(headers.first("empty")).isEmpty();
        assertThat(headers.first("hos")).isNull();
        assertThat(headers.first(HeaderName.DATE)).isNull();
        assertThat(headers.all("X-FOO")).containsExactly("1", "2, 3");
        assertThat(headers.all(HeaderName.of("x-foo"))).containsExactly("1", "2, 3");
        assertThat(headers.name(2)).isSameAs(HeaderName.COOKIE);
        assertThat(headers).first().isEqualTo(new Headers.Field(HeaderName.HOST, "a"));
        assertThat(headers).hasSize(5).hasToString("Headers[host, x-foo, cookie, x-foo, empty]");
    }

    @Test
    void parsesLinesLikeThoseBeforeAsWithoutThem() {
        List<String> lines =
                List.of("Host: a\r\n", "x:\tb c \r\n", "Cookie: 1234567890\r\n", "y:\r\n");
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second += 3) {
                String before = "A:b\r\n" + pick(lines, first);
                String text = "A:b\r\n" + pick(lines, second);
                Headers expected = parse(text);
                try (Buffer in = BufferAllocator.pooled().allocate(text.length() + 5)) {
                    in.writeAscii("###" + text + "\r\n");
                    Headers like = parse(before);
                    int known = like.linesAt(in, 3);
                    assertThat(text).startsWith(before.substring(0, like.sectionLength(known)));
                    assertThat(known).isPositive();
                    Headers headers = Headers.parse(in, 3, 3 + text.length(), 2, like, known);
                    assertThat(headers).isEqualTo(expected).hasSameSizeAs(expected);
                    assertThat(written(headers)).isEqualTo(written(expected));
                    for (HeaderName name : List.of(HeaderName.HOST, HeaderName.COOKIE)) {
                        assertThat(headers.all(name)).isEqualTo(expected.all(name));
                    }
                }
            }
        }
    }

    /// Returns four lines, chosen by two bits each.
    private static String pick(List<String> lines, int bits) {
        StringBuilder picked = new StringBuilder();
        for (int i = 0; i < 8; i += 2) {
            picked.append(lines.get(bits >> i & 3));
        }
        return picked.toString();
    }

    @Test
    void linesThatAreNotWholeAreNotFound() {
        String text = "Host: a\r\nCookie: 1234567890\r\n";
        Headers like = parse(text);
        for (int length = 0; length <= text.length(); length++) {
            try (Buffer in = BufferAllocator.pooled().allocate(64)) {
                in.writeAscii(text.substring(0, length));
                int whole = length == text.length() ? 2 : length >= "Host: a\r\n".length() ? 1 : 0;
                assertThat(like.linesAt(in, 0)).isEqualTo(whole);
            }
        }
    }

    @Test
    void headersThatWereMadeHaveNoLines() {
        Headers made = Headers.of("host", "a");
        try (Buffer in = BufferAllocator.pooled().allocate(16).writeAscii("host: a\r\n\r\n")) {
            assertThat(made.linesAt(in, 0)).isZero();
            assertThatThrownBy(() -> Headers.parse(in, 0, 9, 1, made, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("like: made (expected: received)");
        }
    }

    @Test
    void findsTokensInLists() {
        Headers headers = parse("Connection: a ,\tClose,b\r\nconnection: upgrade\r\n");
        assertThat(headers.containsToken(HeaderName.CONNECTION, "close")).isTrue();
        assertThat(headers.containsToken(HeaderName.CONNECTION, "A")).isTrue();
        assertThat(headers.containsToken(HeaderName.CONNECTION, "upgrade")).isTrue();
        assertThat(headers.containsToken(HeaderName.CONNECTION, "clos")).isFalse();
        assertThat(headers.containsToken(HeaderName.UPGRADE, "a")).isFalse();
    }

    @Test
    void writesWhatItParsedWithoutTheExtraBlanks() {
        String canonical = "Host: a\r\nx: b c\r\ny: \r\n";
        assertThat(written(parse(canonical))).isEqualTo(canonical);
        assertThat(written(parse("Host:a \r\nx:\tb c\r\ny:\r\n"))).isEqualTo(canonical);
    }

    @Test
    void refusesLinesThatAreNoFields() {
        for (String lines :
                new String[] {
                    " a: b\r\n", ": b\r\n", "a\r\n", "a b: c\r\n", "a : b\r\n", "a: b\n", "a: b\r",
                    "a: b", "a: b\r\n c\r\n", "a: b\rc\r\n", "a: b\nc: d\r\n", "\r\n", "a",
                            "é: b\r\n",
                    "a: b\r\n\r\n", "a: b\r\r\n"
                }) {
            assertThatThrownBy(() -> parse(lines))
                    .as(lines)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void allowsNoControlInAReceivedValueAtAnyPlace() {
        for (int c = 0; c < 256; c++) {
            for (int at = 0; at < 20; at++) {
                String value = "x".repeat(at + 1) + (char) c + "x".repeat(20 - at);
                String lines = "name: " + value + "\r\n";
                if ((c < 0x20 && c != '\t') || c == 0x7F) {
                    assertThatThrownBy(() -> parse(lines))
                            .isInstanceOf(IllegalArgumentException.class);
                } else {
                    assertThat(parse(lines).first("name")).isEqualTo(value);
                }
            }
        }
    }

    @Test
    void aCharacterBeyondLatin1DoesNotBecomeALineBreak() {
        assertRefused(() -> Headers.of("a", "b\u010Ac"));
        assertRefused(() -> Headers.of("a\u010A", "b"));
        assertRefused(() -> RequestTarget.of("/\u010A"));
        assertThat(Headers.of("a", "b\u00E9").first("a")).isEqualTo("b\u00E9");
    }

    @Test
    void blanksAtTheEndsOfAValueAreRefused() {
        assertRefused(() -> Headers.of("a", " b"));
        assertRefused(() -> Headers.of("a", "b\t"));
        assertThat(Headers.of("a", "b c\td").first("a")).isEqualTo("b c\td");
        assertThat(Headers.of("a", "").first("a")).isEmpty();
    }

    @Test
    void aFailedChangeLeavesTheBuilderAsItWas() {
        HeadersBuilder builder = Headers.builder().add("a", "1").add("b", "2");
        assertRefused(() -> builder.set("a", "\n"));
        assertRefused(() -> builder.add("a", "\n"));
        assertThat(builder.build()).isEqualTo(parse("a: 1\r\nb: 2\r\n"));
    }

    @Test
    void changedCopiesLeaveTheOriginal() {
        Headers headers = parse("Host: a\r\nX-Foo: 1\r\nx-foo: 2\r\nz: 9\r\n");
        assertThat(written(headers.with("x-foo", "3")))
                .isEqualTo("host: a\r\nz: 9\r\nx-foo: 3\r\n");
        assertThat(written(headers.plus(HeaderName.HOST, "b")))
                .isEqualTo("host: a\r\nx-foo: 1\r\nx-foo: 2\r\nz: 9\r\nhost: b\r\n");
        assertThat(written(headers.without(HeaderName.HOST)))
                .isEqualTo("x-foo: 1\r\nx-foo: 2\r\nz: 9\r\n");
        assertThat(headers.without(HeaderName.DATE)).isSameAs(headers);
        assertThat(headers.size()).isEqualTo(4);
        assertThat(headers.without(HeaderName.HOST).contains(HeaderName.HOST)).isFalse();
        assertThat(headers.mayContain(NameSet.of(HeaderName.DATE, HeaderName.HOST))).isTrue();
        assertThat(headers.mayContain(NameSet.of(HeaderName.DATE))).isFalse();
    }

    @Test
    void manyFieldsGrowTheBuilder() {
        HeadersBuilder builder = Headers.builder();
        for (int i = 0; i < 300; i++) {
            builder.add("name-" + i, "value " + i);
        }
        Headers headers = builder.build();
        assertThat(headers.size()).isEqualTo(300);
        assertThat(headers.first("name-299")).isEqualTo("value 299");
        assertThat(parse(written(headers))).isEqualTo(headers).hasSameHashCodeAs(headers);
    }

    @Test
    void clearedBuilderMakesHeadersOfAnySize() {
        HeadersBuilder builder = Headers.builder();
        for (int size : new int[] {1, 30, 31, 8, 9, 200, 3, 65}) {
            builder.clear();
            for (int i = 0; i < size; i++) {
                builder.add("name-" + i, "value " + size);
            }
            Headers headers = builder.build();
            assertThat(headers.size()).isEqualTo(size);
            assertThat(headers.first("name-" + (size - 1))).isEqualTo("value " + size);
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    /// The headers that a builder began with stay as they are, whatever goes and comes there.
    @Test
    void fieldsAreRemovedAndAddedBehindOneAnother() {
        for (int count : new int[] {1, 3, 63, 64, 65, 200}) {
            HeadersBuilder builder = Headers.builder();
            for (int i = 0; i < count; i++) {
                builder.add("x-" + i % 50, "v" + i);
            }
            Headers before = builder.build();
            HeadersBuilder changed =
                    before.toBuilder()
                            .remove(HeaderName.of("x-0"))
                            .remove(HeaderName.of("x-0"))
                            .remove(HeaderName.of("none"));
            changed.add("x-0", "back").set("x-2", "set").remove(HeaderName.of("x-1"));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (i % 50 > 2) {
                    expected.add("v" + i);
                }
            }
            expected.add("back");
            expected.add("set");
            Headers after = changed.build();
            assertThat(after).extracting(Headers.Field::value).containsExactlyElementsOf(expected);
            assertThat(after.sectionLength()).isEqualTo(lineLengths(after));
            assertThat(before.size()).isEqualTo(count);
            assertThat(before.first("x-0")).isEqualTo("v0");
            assertThat(
                            changed.remove(HeaderName.of("x-0"))
                                    .remove(HeaderName.of("x-2"))
                                    .build()
                                    .size())
                    .isEqualTo(expected.size() - 2);
        }
    }

    private static int lineLengths(Headers headers) {
        int length = 0;
        for (Headers.Field field : headers) {
            length += field.name().toString().length() + field.value().length() + 4;
        }
        return length;
    }
}
