package io.weft.examples;

import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.server.Cors;
import io.weft.http.server.Routes;
import java.time.Instant;

/// Tells the time to pages of every origin, which may put to it and delete as well.
public final class HttpCors {
    private HttpCors() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8080, args, HttpCors::start);
    }

    static Example.Running start(Options options) {
        Cors everybody = Cors.of("*").withMethods(Method.PUT, Method.DELETE).withPrivateNetwork();
        Routes routes =
                Routes.builder()
                        .any("/time")
                        .handler(_ -> Response.json("{\"now\":\"" + Instant.now() + "\"}"))
                        .build();
        return Example.http(options, server -> server.routes(routes).filter(everybody));
    }
}
