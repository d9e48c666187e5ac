package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.RequestTarget.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
    @ParameterizedTest
    @CsvSource({
        "/a?b, /a?b",
        "/a?, /a?",
        "http://h, /",
        "http://h/a?b, /a?b",
        "h:443, ''",
        "*, ''"
    })
    void pathAndQueryAreTheOriginForm(String text, String expected) {
        assertThat(RequestTarget.of(text).pathAndQuery()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "-",
            value = {
                "/ ORIGIN / - -",
                "/a/b%20c?d=e&f=? ORIGIN /a/b%20c d=e&f=? -",
                "/a? ORIGIN /a '' -",
                "//a ORIGIN //a - -",
                "/?a=[]{}|^100% ORIGIN / a=[]{}|^100% -",
                "http://h ABSOLUTE / - h",
                "http://h:80/x?y ABSOLUTE /x y h:80",
                "HTTPS://[::1]:443?y ABSOLUTE / y [::1]:443",
                "h:443 AUTHORITY '' - h:443",
                "[2001:db8::1]:443 AUTHORITY '' - [2001:db8::1]:443",
                "* ASTERISK '' - -"
            })
    void hasFourForms(String text, Form form, String path, String query, String authority) {
        RequestTarget target = RequestTarget.of(text);
        assertThat(target.form()).isEqualTo(form);
        assertThat(target.path()).isEqualTo(path);
        assertThat(target.query()).isEqualTo(query);
        assertThat(target.authority()).isEqualTo(authority);
        assertThat(target).hasToString(text).isEqualTo(RequestTarget.of(text));
        try (Buffer in = BufferAllocator.pooled().allocate(64)) {
            in.writeAscii(" " + text + "x");
            assertThat(RequestTarget.parse(in, 1, 1 + text.length())).isEqualTo(target);
            assertThat(target.isAt(in, 1, 1 + text.length())).isTrue();
            assertThat(target.isAt(in, 1, 2 + text.length())).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a/b",
                "?a",
                "/#a",
                "/a#",
                "/?#",
                "/a b",
                "/é",
                "/\"",
                "/<",
                "/>",
                "/\\",
                "/`",
                "/%",
                "/%2",
                "/%2g",
                "/%g2",
                "/{",
                "/[",
                "http://",
                "http:///",
                "http://?",
                "http://a@b/",
                "http://a:b@c/",
                "http://a:/",
                "http://a:65536/",
                "http://a:x/",
                "http://a#b",
                "http://a,b/",
                "http://[::1",
                "http://[]/",
                "http://[::1]x/",
                "ftp://a/",
                "http:/a",
                "h",
                "h:",
                "h:99999",
                "h:1/",
                "u@h:1",
                ":1",
                "**",
                "*/",
                "[::g]:1",
                "h%:1"
            })
    void refusesWhatIsNoTarget(String text) {
        assertThatThrownBy(() -> RequestTarget.of(text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// RFC 9112, 3.2.4.
    @Test
    void optionsWithoutAPathAreOfTheServer() {
        assertThat(RequestTarget.ASTERISK.isOfServer(Method.OPTIONS)).isTrue();
        assertThat(RequestTarget.of("http://h:80").isOfServer(Method.OPTIONS)).isTrue();
        assertThat(RequestTarget.of("http://h:80").isOfServer(Method.GET)).isFalse();
        for (String other : new String[] {"/", "http://h/", "http://h?", "h:80"}) {
            assertThat(RequestTarget.of(other).isOfServer(Method.OPTIONS)).as(other).isFalse();
        }
    }
}
