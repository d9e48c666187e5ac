package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class HeaderNameTest {
    private static List<HeaderName> listed() {
        return Arrays.stream(HeaderName.class.getFields())
                .filter(f -> Modifier.isStatic(f.getModifiers()))
                .map(
                        f -> {
                            try {
                                return (HeaderName) f.get(null);
                            } catch (IllegalAccessException e) {
                                throw new AssertionError(e);
                            }
                        })
                .toList();
    }

    @Test
    void listedNamesAreOneObjectInAnyCase() {
        assertThat(listed()).hasSizeGreaterThan(60).doesNotHaveDuplicates();
        for (HeaderName name : listed()) {
            String text = name.toString();
            assertThat(HeaderName.of(text)).isSameAs(name);
            assertThat(HeaderName.of(text.toUpperCase(Locale.ROOT))).isSameAs(name);
            assertThat(HeaderName.of(text + "s")).isNotEqualTo(name);
            assertThat(HeaderName.of(text.substring(0, text.length() - 1) + "^"))
                    .isNotEqualTo(name);
        }
    }

    @Test
    void namesThatTheWiresAskForHaveABitOfTheirOwn() {
        assertThat(
                        List.of(
                                HeaderName.HOST,
                                HeaderName.CONNECTION,
                                HeaderName.CONTENT_LENGTH,
                                HeaderName.TRANSFER_ENCODING,
                                HeaderName.EXPECT,
                                HeaderName.DATE))
                .allSatisfy(name -> assertThat(name.id).isBetween(1, 62));
    }

    @Test
    void noOtherBytesFoldToAListedName() {
        for (HeaderName name : listed()) {
            byte[] bytes = name.lower.clone();
            for (int at = 0; at < bytes.length; at++) {
                for (int b = 0; b < 256; b++) {
                    bytes[at] = (byte) b;
                    int lower = Chars.lower(b);
                    int id = HeaderName.idOf(bytes, 0, bytes.length);
                    assertThat(id == name.id).isEqualTo(lower == name.lower[at]);
                }
                bytes[at] = name.lower[at];
            }
        }
    }

    @Test
    void otherNamesAreEqualInAnyCase() {
        assertThat(HeaderName.of("X-Foo")).isEqualTo(HeaderName.of("x-fOO"));
        assertThat(HeaderName.of("X-Foo")).hasSameHashCodeAs(HeaderName.of("x-foo"));
        assertThat(HeaderName.of("X-Foo")).isNotEqualTo(HeaderName.of("x-fop"));
        assertThat(HeaderName.of("^")).isNotEqualTo(HeaderName.of("~"));
        assertThat(HeaderName.of("X-Foo")).hasToString("x-foo");
    }

    @Test
    void onlyTokensAreNames() {
        for (char c = 0; c < 600; c++) {
            String name = "x" + c + "y";
            if (c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0)) {
                assertThat(HeaderName.of(name)).isNotNull();
                assertThat(HeaderName.isTokenChar(c)).isTrue();
            } else {
                assertThatThrownBy(() -> HeaderName.of(name))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(HeaderName.isTokenChar(c)).isFalse();
            }
        }
        assertThatThrownBy(() -> HeaderName.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeaderName.of("a: b\r\n"))
                .hasMessage("header name: \"a: b\\u000d\\u000a\" (expected: a token)");
    }
}
