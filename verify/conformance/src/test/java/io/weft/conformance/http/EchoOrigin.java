package io.weft.conformance.http;

import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.net.InetAddress;

/// A server of Weft for clients: `/hello` by GET, `/echo` by POST, which answers with the body and
/// the trailers, `/large` with 4 MiB.
final class EchoOrigin {
    static final String LARGE = "0123456789abcdef".repeat(1 << 18);

    private EchoOrigin() {}

    static HttpServer start(String transport) {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport(transport)
                .loops(1)
                .routes(
                        Routes.builder()
                                .get("/hello", _ -> Response.text("hello"))
                                .get("/large", _ -> Response.text(LARGE))
                                .post("/echo", EchoOrigin::echo)
                                .build())
                .listen();
    }

    private static Response echo(Request request) {
        return Response.text(request.body().asString() + text(request.trailers()));
    }

    private static String text(Headers trailers) {
        StringBuilder text = new StringBuilder();
        trailers.forEach(f -> text.append(' ').append(f.name()).append('=').append(f.value()));
        return text.toString();
    }
}
