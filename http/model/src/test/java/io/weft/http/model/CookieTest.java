package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.Cookie.SameSite;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CookieTest {
    @Test
    void isSafeUnlessToldOtherwise() {
        assertThat(Cookie.of("id", "x").toField())
                .isEqualTo("id=x; Path=/; Secure; HttpOnly; SameSite=Lax");
        assertThat(
                        Cookie.of("id", "x")
                                .withPath("/a")
                                .withDomain("example.org")
                                .withMaxAge(Duration.ofHours(1))
                                .forScripts()
                                .withSameSite(SameSite.NONE)
                                .asPartitioned()
                                .toField())
                .isEqualTo(
                        "id=x; Path=/a; Domain=example.org; Max-Age=3600; Secure; SameSite=None;"
                                + " Partitioned");
        assertThat(Cookie.of("id", "x").withPath(null).insecure().toField())
                .isEqualTo("id=x; HttpOnly; SameSite=Lax");
        assertThat(Cookie.delete("id").toField()).startsWith("id=; Path=/; Max-Age=0;");
        assertThat(Cookie.of("id", "secret")).hasToString("id");
    }

    @Test
    void shortLivesAreNotRoundedToADeletion() {
        for (long millis : new long[] {1, 500, 999, 1000}) {
            assertThat(Cookie.of("a", "b").withMaxAge(Duration.ofMillis(millis)).toField())
                    .contains("; Max-Age=1;");
        }
        assertThat(Cookie.of("a", "b").withMaxAge(Duration.ofMillis(1001)).toField())
                .contains("; Max-Age=2;");
    }

    @Test
    void responsesSetSeveral() {
        Response response =
                Response.text("x").withCookie(Cookie.of("a", "1")).withCookie(Cookie.of("b", "2"));
        assertThat(response.headers().all("set-cookie"))
                .hasSize(2)
                .allMatch(field -> field.endsWith("SameSite=Lax"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a;b",
                "a,b",
                "a\"b",
                "a\\b",
                "a\rb",
                "a\nb",
                "a\u0000b",
                "\u00e9",
                "\t"
            })
    void noValueAddsAnAttribute(String value) {
        assertThatThrownBy(() -> Cookie.of("a", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining(value);
        assertThatThrownBy(() -> Cookie.of(value, "a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attributesAreChecked() {
        Cookie cookie = Cookie.of("a", "b");
        assertThatThrownBy(() -> cookie.withPath("/;x")).hasMessageContaining("without ;");
        assertThatThrownBy(() -> cookie.withPath("a")).hasMessageContaining("beginning with /");
        assertThatThrownBy(() -> cookie.withDomain("a\r\nb")).hasMessageContaining("without ;");
        assertThatThrownBy(() -> cookie.withMaxAge(Duration.ofSeconds(-1)))
                .hasMessageContaining(">= 0");
        assertThatThrownBy(() -> cookie.insecure().withSameSite(SameSite.NONE))
                .hasMessageContaining("secure");
        assertThatThrownBy(() -> cookie.insecure().asPartitioned()).hasMessageContaining("secure");
        assertThatThrownBy(() -> Cookie.of("__Secure-a", "b").insecure())
                .hasMessageContaining("secure");
        assertThatThrownBy(() -> Cookie.of("__Host-a", "b").withPath("/x"))
                .hasMessageContaining("path /");
        for (String name : new String[] {"__Http-a", "__Host-Http-a"}) {
            assertThatThrownBy(() -> Cookie.of(name, "b").insecure()).hasMessageContaining(name);
            assertThatThrownBy(() -> Cookie.of(name, "b").forScripts())
                    .hasMessageContaining("HttpOnly");
        }
        for (String domain : new String[] {"", ".", "x.com, b", "x..com", "x.com.", "a/b"}) {
            assertThatThrownBy(() -> cookie.withDomain(domain))
                    .hasMessageContaining("the name of a host");
        }
        assertThatThrownBy(() -> Cookie.of("__Host-a", "b").withDomain("x"))
                .hasMessageContaining("path /");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a=1 | 1",
                "b=2; a=1 | 1",
                "a=1; a=2 | 1",
                "a=\"1\" | 1",
                "a= | ~~",
                "a=x=y | x=y",
                "ba=1 |",
                "a |",
                "a=1 2; a=3 | 3",
                "a=\"; a=4 | 4",
                "A=1 |"
            })
    void requestsHaveCookies(String field, @Nullable String value) {
        assertThat(Request.get("/").withHeader("cookie", field).cookie("a")).isEqualTo(value);
    }
}
