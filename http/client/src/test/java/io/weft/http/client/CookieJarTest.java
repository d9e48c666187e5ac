package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookieJarTest {
    private Instant now = Instant.parse("2026-11-23T00:00:00Z");
    private final CookieJar jar =
            new CookieJar(Set.of("com", "co.uk", "github.io")::contains, () -> now);

    private void set(String url, String... fields) {
        HeadersBuilder headers = Headers.builder();
        for (String field : fields) {
            headers.add("set-cookie", field);
        }
        jar.store(RequestTarget.of(url), headers.build());
    }

    private @Nullable String at(String url) {
        return jar.field(RequestTarget.of(url));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                // Name and value.
                "a=b | a=b",
                "a=b; x=y | a=b",
                "  a  =  b c  ; Path=/ | a=b c",
                "a= | a=",
                "=b | b",
                "b | b",
                "a=b=c | a=b=c",
                "a=\"b\" | a=\"b\"",
                "= | none",
                "; Path=/ | none",
                // Domains.
                "a=b; Domain=example.com | a=b",
                "a=b; Domain=.example.com | a=b",
                "a=b; Domain=EXAMPLE.com | a=b",
                "a=b; Domain=www.example.com | a=b",
                "a=b; Domain= | a=b",
                "a=b; Domain=. | a=b",
                "a=b; Domain=example.com. | a=b",
                "a=b; Domain=com | none",
                "a=b; Domain=other.com | none",
                "a=b; Domain=x.www.example.com | none",
                "a=b; Domain=ww.example.com | none",
                "a=b; Domain=ample.com | none",
                "a=b; Domain=..example.com | none",
                // Paths.
                "a=b; Path=/ | a=b",
                "a=b; Path=/dir | a=b",
                "a=b; Path=/dir/ | a=b",
                "a=b; Path=/dir/page | a=b",
                "a=b; Path=dir | a=b",
                "a=b; Path=/di | none",
                "a=b; Path=/other | none",
                "a=b; Path=/dir/page/ | none",
                // Ends.
                "a=b; Max-Age=1 | a=b",
                "a=b; Max-Age=0 | none",
                "a=b; Max-Age=-1 | none",
                "a=b; Max-Age=x | a=b",
                "a=b; Max-Age=99999999999999999999 | a=b",
                "a=b; Expires=Wed, 09 Jun 2027 10:18:14 GMT | a=b",
                "a=b; Expires=Wed, 09 Jun 2021 10:18:14 GMT | none",
                "a=b; Expires=Wed, 09-Jun-21 10:18:14 GMT | none",
                "a=b; Expires=nonsense | a=b",
                "a=b; Max-Age=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT | a=b",
                "a=b; Max-Age=0; Expires=Wed, 09 Jun 2027 10:18:14 GMT | none",
                // Promises.
                "a=b; Secure; HttpOnly | a=b",
                "__Secure-a=b; Secure | __Secure-a=b",
                "__Secure-a=b | none",
                "__SECURE-a=b | none",
                "__Host-a=b; Secure; Path=/ | __Host-a=b",
                "__Host-a=b; Secure | none",
                "__Host-a=b; Path=/ | none",
                "__Host-a=b; Secure; Path=/; Domain=www.example.com | none",
                "__Http-a=b; Secure; HttpOnly | __Http-a=b",
                "__Http-a=b; Secure | none",
                "__Host-Http-a=b; Secure; HttpOnly; Path=/ | __Host-Http-a=b",
                "__Host-Http-a=b; Secure; Path=/ | none",
                "=__Secure-a=b | none",
                "__Host-a | none",
                "a=b; SameSite=None | none",
                "a=b; SameSite=None; Secure | a=b",
                "a=b; SameSite=Strict | a=b",
                "a=b; SameSite=nonsense | a=b",
                "a=b; Partitioned | none",
                "a=b; Partitioned; Secure | a=b"
            })
    void cookiesAreTakenOrRefused(String field, @Nullable String expected) {
        set("https://www.example.com/dir/page", field);
        assertThat(at("https://www.example.com/dir/page")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "a=b | https://www.example.com/ | a=b",
                "a=b | https://www.example.com:8443/ | a=b",
                "a=b | https://example.com/ | none",
                "a=b | https://x.www.example.com/ | none",
                "a=b | https://WWW.EXAMPLE.com/ | a=b",
                "a=b; Domain=example.com | https://example.com/ | a=b",
                "a=b; Domain=example.com | https://x.y.example.com/ | a=b",
                "a=b; Domain=example.com | https://badexample.com/ | none",
                "a=b | http://www.example.com/ | a=b",
                "a=b; Secure | http://www.example.com/ | none",
                "a=b; Path=/p | https://www.example.com/p | a=b",
                "a=b; Path=/p | https://www.example.com/p/q | a=b",
                "a=b; Path=/p | https://www.example.com/pq | none",
                "a=b; Path=/p | https://www.example.com/p?q | a=b",
                "a=b; Path=/p | https://www.example.com/P | none"
            })
    void cookiesGoWhereTheyBelong(String field, String url, @Nullable String expected) {
        set("https://www.example.com/", field);
        assertThat(at(url)).isEqualTo(expected);
    }

    /// A host may be named with the dot of the root, which leads to the same server.
    @Test
    void aDotAtTheEndGetsAroundNoPublicSuffix() {
        set("https://evil.com./", "a=b; Domain=com.", "c=d; Domain=.com.", "e=f; Domain=evil.com.");
        assertThat(at("https://evil.com./")).isEqualTo("a=b; c=d; e=f");
        assertThat(at("https://victim.com./")).isNull();
        assertThat(at("https://www.evil.com./")).isNull();
        assertThat(at("https://evil.com/")).isNull();
        set("https://evil.com./", "g=h; Domain=com");
        assertThat(at("https://victim.com/")).isNull();
    }

    @Test
    void anAddressHasNoDomain() {
        set("http://127.0.0.1/", "a=b; Domain=0.0.1", "c=d; Domain=127.0.0.1");
        assertThat(at("http://127.0.0.1/")).isEqualTo("c=d");
        set("http://[::1]/", "a=b");
        assertThat(at("http://[::1]/")).isEqualTo("a=b");
    }

    @Test
    void aPublicSuffixMaySetCookiesForItselfAlone() {
        set("https://github.io/", "a=b; Domain=github.io");
        assertThat(at("https://github.io/")).isEqualTo("a=b");
        assertThat(at("https://x.github.io/")).isNull();
        CookieJar plain = CookieJar.create();
        plain.store(RequestTarget.of("http://a.b/"), Headers.of("set-cookie", "a=b; Domain=b"));
        assertThat(plain.size()).isZero();
    }

    @Test
    void longerPathsComeFirstThenOlderCookies() {
        set("https://h/a/b/c", "1=1; Path=/", "2=2; Path=/a/b", "3=3; Path=/a", "4=4; Path=/a/b");
        set("https://h/a/b/c", "2=new; Path=/a/b");
        assertThat(at("https://h/a/b/c")).isEqualTo("2=new; 4=4; 3=3; 1=1");
    }

    @Test
    void cookiesEndWithTimeAndSession() {
        set("https://h/", "a=1; Max-Age=10", "b=2", "c=3; Max-Age=99999999");
        now = now.plusSeconds(10);
        assertThat(at("https://h/")).isEqualTo("b=2; c=3");
        jar.endSession();
        assertThat(at("https://h/")).isEqualTo("c=3");
        now = now.plus(Duration.ofDays(400));
        assertThat(at("https://h/")).isNull();
        assertThat(jar.size()).isZero();
    }

    @Test
    void aServerWithoutTlsLeavesSecureCookiesAlone() {
        set("https://h.x/", "a=1; Secure; Path=/p");
        set("http://h.x/", "a=2; Path=/p", "a=3; Secure", "a=4; Path=/p/q", "b=5");
        assertThat(at("https://h.x/p/q")).isEqualTo("a=1; b=5");
        set("http://h.x/", "a=6; Path=/");
        assertThat(at("https://h.x/p")).isEqualTo("a=1; b=5; a=6");
    }

    @Test
    void aCookieIsDeletedByItsEnd() {
        set("https://h/", "a=1");
        set("https://h/", "a=; Max-Age=0");
        assertThat(jar.size()).isZero();
    }

    @Test
    void lengthsAndNumbersAreLimited() {
        set("https://h/", "a=" + "x".repeat(4096));
        assertThat(jar.size()).isZero();
        set("https://h/", "a=" + "x".repeat(4095));
        assertThat(jar.size()).isEqualTo(1);
        set("https://h/", "b=c; Path=/" + "p".repeat(1024));
        assertThat(at("https://h/")).contains("b=c");
        for (int i = 0; i < 200; i++) {
            set("https://h/", "n" + i + "=" + "y".repeat(200));
        }
        assertThat(jar.size()).isEqualTo(CookieJar.MAX_OF_DOMAIN);
        assertThat(at("https://h/")).hasSizeLessThanOrEqualTo(CookieJar.MAX_FIELD);
        for (int i = 0; i < CookieJar.MAX_COOKIES; i++) {
            set("https://h" + i + "/", "a=b");
        }
        assertThat(jar.size()).isEqualTo(CookieJar.MAX_COOKIES);
        jar.clear();
        assertThat(jar).hasToString("CookieJar[0]");
    }

    @Test
    void aClientKeepsCookiesOfRedirectsToo() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.cookies(jar))
                        .serve(
                                80,
                                r ->
                                        r.path().equals("/login")
                                                ? Response.redirect(Status.SEE_OTHER, "/home")
                                                        .withHeader("set-cookie", "id=1; Path=/")
                                                : Response.text(r.cookie("id") + ""))) {
            assertThat(web.get("http://h.x/home").body().asString()).isEqualTo("null");
            assertThat(web.get("http://h.x/login").body().asString()).isEqualTo("1");
            assertThat(web.get("http://other.x/home").body().asString()).isEqualTo("null");
            Request own = Request.get("http://h.x/home").withHeader("cookie", "id=2");
            assertThat(web.send(own).body().asString()).isEqualTo("2");
        }
    }
}
