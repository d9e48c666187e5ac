package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

class MethodTest {
    private static final List<Method> KNOWN =
            List.of(
                    Method.GET,
                    Method.HEAD,
                    Method.POST,
                    Method.PUT,
                    Method.DELETE,
                    Method.CONNECT,
                    Method.OPTIONS,
                    Method.TRACE,
                    Method.PATCH,
                    Method.QUERY);

    private static Method parse(String text) {
        try (Buffer in = BufferAllocator.pooled().allocate(text.length())) {
            in.writeAscii(text);
            return Method.parse(in, 0, text.length());
        }
    }

    @Test
    void registeredMethodsAreOneObjectEach() {
        for (Method method : KNOWN) {
            assertThat(Method.of(method.name())).isSameAs(method);
            assertThat(parse(method.name())).isSameAs(method);
        }
    }

    @Test
    void registeredMethodsSaySo() {
        assertThat(KNOWN).allMatch(Method::isRegistered);
        assertThat(List.of(Method.of("get"), Method.of("PURGE"), Method.of("G")))
                .noneMatch(Method::isRegistered);
    }

    @Test
    void caseMatters() {
        assertThat(parse("get")).isNotEqualTo(Method.GET);
        assertThat(parse("GETS").name()).isEqualTo("GETS");
        assertThat(parse("PURGE")).isEqualTo(Method.of("PURGE")).hasSameHashCodeAs(parse("PURGE"));
    }

    @Test
    void onlyTokensAreMethods() {
        for (int c = 0; c < 256; c++) {
            String name = "GE" + (char) c;
            boolean token =
                    c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
            if (token) {
                assertThat(Method.of(name).name()).isEqualTo(name);
                assertThat(parse(name).name()).isEqualTo(name);
            } else {
                assertThatThrownBy(() -> Method.of(name))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> parse(name)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> Method.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parse("X".repeat(65)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Method.of("A\r\nB"))
                .hasMessage(
                        "method: \"A\\u000d\\u000aB\" (expected: a token of 1 to 64 characters)");
    }
}
