package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {
    private static Request request(String method, String url, Body body) {
        return Request.of(Method.of(method), RequestTarget.of(url))
                .withHeader("content-type", "text/plain")
                .withHeader("content-digest", "sha-256=::")
                .withHeader("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                .withHeader("authorization", "Basic eDp5")
                .withHeader("cookie", "a=b")
                .withHeader("accept", "*/*")
                .withBody(body);
    }

    private static @Nullable Request follow(Request request, int status, String location) {
        return Redirect.follow(
                request,
                Origin.of(request.target()),
                Status.of(status),
                Headers.of("location", location));
    }

    /// RFC 3986, 5.4.
    @ParameterizedTest
    @CsvSource({
        "g, http://a/b/c/g",
        "./g, http://a/b/c/g",
        "g/, http://a/b/c/g/",
        "/g, http://a/g",
        "//g, http://g",
        "//g/x, http://g/x",
        "?y, http://a/b/c/d;p?y",
        "g?y, http://a/b/c/g?y",
        "'', http://a/b/c/d;p?q",
        "#s, http://a/b/c/d;p?q",
        "g#s, http://a/b/c/g",
        ";x, http://a/b/c/;x",
        "., http://a/b/c/",
        "./, http://a/b/c/",
        ".., http://a/b/",
        "../, http://a/b/",
        "../g, http://a/b/g",
        "../.., http://a/",
        "../../g, http://a/g",
        "../../../g, http://a/g",
        "/./g, http://a/g",
        "/../g, http://a/g",
        "g., http://a/b/c/g.",
        "..g, http://a/b/c/..g",
        "./../g, http://a/b/g",
        "g/./h, http://a/b/c/g/h",
        "g/../h, http://a/b/c/h",
        "g?y/../x, http://a/b/c/g?y/../x",
        "http://x:8080/y, http://x:8080/y",
        "https://x, https://x",
        "http://x/a/../b, http://x/b",
        "http://x/a/./b/..?c/../d, http://x/a/?c/../d",
        "http://x/../..#/../y, http://x/",
        "https://x?a/../b, https://x?a/../b",
        "//x/a/../b, http://x/b",
        "//x, http://x",
        "http://x:/y, http://x/y",
        "https://[::1]:?z, https://[::1]?z",
        "//x:, http://x",
        "http://[::1]:81/a[1], http://[::1]:81/a%5B1%5D",
        "/a[1]?b[]=%5b, http://a/a%5B1%5D?b%5B%5D=%5b",
        "/%zz, http://a/%25zz",
        "/%, http://a/%25",
        "/%4, http://a/%254",
        "/%%41?%a%g1, http://a/%25%41?%25a%25g1",
        "a:/b, a:/b",
        "a/x://:/, http://a/b/c/a/x://:/",
        "a b, http://a/b/c/a%20b",
        "\u00e9, http://a/b/c/%E9"
    })
    void referencesAreResolved(String reference, String url) {
        assertThat(
                        Redirect.resolve(
                                Origin.of(RequestTarget.of("http://a/")),
                                RequestTarget.of("/b/c/d;p?q"),
                                reference))
                .isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET",
        "302, POST, GET",
        "303, POST, GET",
        "303, PUT, GET",
        "303, DELETE, GET",
        "301, GET, GET",
        "301, PUT, PUT",
        "302, DELETE, DELETE",
        "303, HEAD, HEAD",
        "307, POST, POST",
        "308, POST, POST",
        "308, PUT, PUT",
        "307, GET, GET"
    })
    void methodsAreRewrittenAsTheStatusSays(int status, String method, String expected) {
        Request next = follow(request(method, "http://a/", Body.of("x")), status, "/b");
        assertThat(next).isNotNull();
        assertThat(next.method().name()).isEqualTo(expected);
        assertThat(next.target().toString()).isEqualTo("http://a/b");
        boolean rewritten = !expected.equals(method);
        assertThat(next.body().length()).isEqualTo(rewritten ? 0 : 1);
        for (String name : List.of("content-type", "content-digest", "last-modified")) {
            assertThat(next.headers().contains(name)).as(name).isEqualTo(!rewritten);
        }
        assertThat(next.headers().contains("authorization")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://b/",
                "http://a:81/",
                "https://a/",
                "//b/",
                "http://a.b/",
                "https://a:80"
            })
    void credentialsStayWithTheirOrigin(String location) {
        Request next = follow(request("GET", "http://a/", Body.empty()), 302, location);
        assertThat(next).isNotNull();
        assertThat(next.headers().contains("authorization")).isFalse();
        assertThat(next.headers().contains("cookie")).isFalse();
        assertThat(next.headers().contains("accept")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://A/b", "http://a:80/b", "/b", "b", "//a:80/b"})
    void theSameOriginKeepsCredentials(String location) {
        Request next = follow(request("GET", "http://a/", Body.empty()), 302, location);
        assertThat(next).isNotNull();
        assertThat(next.headers().contains("authorization")).isTrue();
    }

    @Test
    void someAreNotFollowed() {
        Request get = request("GET", "https://a/", Body.empty());
        assertThat(follow(get, 302, "http://a/")).as("from https to http").isNull();
        assertThat(follow(get, 200, "/b")).isNull();
        assertThat(follow(get, 300, "/b")).isNull();
        assertThat(follow(get, 304, "/b")).isNull();
        assertThat(Redirect.follow(get, Origin.of(get.target()), Status.FOUND, Headers.EMPTY))
                .isNull();
        Headers two = Headers.builder().add("location", "/a").add("location", "/b").build();
        assertThat(Redirect.follow(get, Origin.of(get.target()), Status.FOUND, two)).isNull();
        Body stream = Body.of(out -> BodySource.Step.END);
        assertThat(follow(request("POST", "http://a/", stream), 307, "/b")).isNull();
        assertThat(follow(request("POST", "http://a/", stream), 303, "/b")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://a/",
                "javascript:alert(1)",
                "file:///etc/passwd",
                "http://",
                "http://u:p@a/",
                "http://a:99999/",
                "http:a",
                "mailto:a@b",
                "http://[::1",
                "http://:/",
                "http://x::/",
                "http://%zz/",
                "http://x[1]/"
            })
    void targetsThatAreNoUrlsOfHttpAreRefused(String location) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> follow(request("GET", "http://a/", Body.empty()), 302, location));
    }
}
