package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.http2.RequestHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import org.junit.jupiter.api.Test;

/// Requests over HTTP/2 that name no host.
class Http2AuthorityTest {
    /// RFC 9113, 8.3.1. Over HTTP/1.1 a request without Host gets 400, too.
    @Test
    void requestWithoutAnAuthorityGets400() {
        try (Http2Client client = Http2Client.of(_ -> Response.text("hello"))) {
            RequestHead head =
                    new RequestHead(
                            Method.POST, "http", RequestTarget.of("/"), null, Headers.EMPTY, -1);
            client.h2.request(head, true);
            client.h2.request(head, false);
            client.run();
            assertThat(client.log).containsExactly("1 400 end", "3 400 end");
        }
    }
}
