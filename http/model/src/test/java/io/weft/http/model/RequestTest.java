package io.weft.http.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void usualMethodsHaveFactories() {
        Body body = Body.wrap("text".getBytes(UTF_8));
        assertThat(Request.get("/a").method()).isEqualTo(Method.GET);
        assertThat(Request.head("/a").method()).isEqualTo(Method.HEAD);
        assertThat(Request.delete("/a").method()).isEqualTo(Method.DELETE);
        assertThat(Request.post("/a", body).method()).isEqualTo(Method.POST);
        assertThat(Request.patch("/a", body).method()).isEqualTo(Method.PATCH);
        Request put = Request.put("/a", body);
        assertThat(put.method()).isEqualTo(Method.PUT);
        assertThat(put.body()).isSameAs(body);
        assertThat(put.target().toString()).isEqualTo("/a");
        assertThatIllegalArgumentException().isThrownBy(() -> Request.delete("a b"));
    }
}
