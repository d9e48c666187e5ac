package io.weft.http.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import org.junit.jupiter.api.Test;

class ResponseTest {
    @Test
    void textIsUtf8() {
        Response response = Response.text("héllo");
        assertThat(response.status()).isSameAs(Status.OK);
        assertThat(response.headers().first("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(response.body().length()).isEqualTo(6);
        assertThat(response.body().asString()).isEqualTo("héllo");
    }

    @Test
    void framingBelongsToTheWire() {
        Response response = Response.text("hello");
        assertThatThrownBy(() -> response.withHeader("Transfer-Encoding", "chunked"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> response.withHeader("Content-Length", "4"))
                .hasMessage("content-length: [4] (expected: once, the body's length 5)");
        assertThatThrownBy(
                        () ->
                                response.withHeaders(
                                        Headers.of("content-length", "5")
                                                .plus(HeaderName.CONTENT_LENGTH, "5")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(response.withHeader("content-length", "5")).isNotNull();
        assertThat(Response.of(Status.NOT_MODIFIED).withHeader("content-length", "7")).isNotNull();
        assertThatThrownBy(() -> Response.of(Status.OK).withHeader("content-length", "+7"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void changedCopiesLeaveTheOriginal() {
        Response response = Response.of(Status.OK);
        assertThat(response.withStatus(Status.NOT_FOUND).status()).isSameAs(Status.NOT_FOUND);
        assertThat(response.withBody(Body.of("x")).body().asString()).isEqualTo("x");
        assertThat(response.withHeader("a", "b").headers().first("a")).isEqualTo("b");
        assertThat(response.headers().isEmpty()).isTrue();
        assertThat(response).hasToString("200 OK");
    }

    @Test
    void requestsAreImmutableToo() {
        Request request = Request.get("/a?b");
        assertThat(request.withHeader("x", "y").headers().size()).isEqualTo(1);
        assertThat(request.headers().size()).isZero();
        assertThat(Request.post("/p", Body.of("z")).body().asString()).isEqualTo("z");
        assertThat(request.path()).isEqualTo("/a");
        assertThat(request).hasToString("GET /a?b HTTP/1.1");
    }

    @Test
    void bodiesInMemoryDoNotChangeWithTheirSource() {
        byte[] bytes = "abc".getBytes(UTF_8);
        Body.Bytes body = Body.of(bytes);
        bytes[0] = 'X';
        body.toByteArray()[1] = 'X';
        assertThat(body.asString()).isEqualTo("abc");
        try (Buffer b = BufferAllocator.pooled().allocate(8)) {
            body.writeTo(b);
            body.writeTo(b, 1, 2);
            assertThat(Body.of(b).asString()).isEqualTo("abcbc");
        }
        assertThat(Body.empty().asString()).isEmpty();
    }

    @Test
    void aStreamIsReadForItsText() {
        BodySource source =
                out -> {
                    out.writeAscii("text");
                    return BodySource.Step.END;
                };
        assertThat(Body.of(source).asString()).isEqualTo("text");
        assertThatThrownBy(() -> Body.of(source, -1, 3).asString())
                .hasCauseInstanceOf(BodyTooLongException.class);
        assertThatThrownBy(() -> Body.of(source, 4, 3).asString())
                .hasCauseInstanceOf(BodyTooLongException.class);
    }
}
