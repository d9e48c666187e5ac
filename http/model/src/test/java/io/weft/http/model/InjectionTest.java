package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Every way for text of an application into a message, with every control at every place.
class InjectionTest {
    @Test
    void noSetterTakesAnInjectedControl() {
        Headers headers = Headers.of("a", "b");
        for (int c = 0; c < 128; c = c == 0x1F ? 0x7F : c + 1) {
            for (String bad :
                    new String[] {
                        "" + (char) c, (char) c + "x", "x" + (char) c, "x" + (char) c + "y"
                    }) {
                if (c == '\t' && bad.length() == 3) {
                    continue;
                }
                assertRefused(() -> Headers.of("n", bad));
                assertRefused(() -> Headers.of(bad, "v"));
                assertRefused(() -> headers.with("n", bad));
                assertRefused(() -> headers.with(bad, "v"));
                assertRefused(() -> headers.with(HeaderName.HOST, bad));
                assertRefused(() -> headers.plus(HeaderName.HOST, bad));
                assertRefused(() -> Headers.builder().add("n", bad));
                assertRefused(() -> Headers.builder().add(bad, "v"));
                assertRefused(() -> Headers.builder().add(HeaderName.HOST, bad));
                assertRefused(() -> Headers.builder().set(HeaderName.HOST, bad));
                assertRefused(() -> Headers.builder().set("n", bad));
                assertRefused(() -> Headers.builder().set(bad, "v"));
                assertRefused(() -> HeaderName.of(bad));
                assertRefused(() -> Method.of(bad));
                assertRefused(() -> RequestTarget.of("/" + bad));
                assertRefused(() -> RequestTarget.of("/?" + bad));
                assertRefused(() -> RequestTarget.of("http://" + bad));
                assertRefused(() -> RequestTarget.of(bad));
                assertRefused(() -> Request.get("/" + bad));
                assertRefused(() -> Request.post("/" + bad, Body.empty()));
                assertRefused(() -> Request.get("/").withHeader("n", bad));
                assertRefused(() -> Request.get("/").withHeader(bad, "v"));
                assertRefused(() -> Response.text("").withHeader("n", bad));
                assertRefused(() -> Response.text("").withHeader(bad, "v"));
                assertRefused(() -> Response.text("").withHeader(HeaderName.HOST, bad));
            }
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
}
