package io.weft.rivals;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;

/// Helidon, whose requests are handled on virtual threads.
final class HelidonHello implements Hello.Server {
    private static final Header TYPE =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");

    @Override
    public int start() {
        return WebServer.builder()
                .host(Hello.HOST)
                .port(0)
                .routing(
                        routing ->
                                routing.get(
                                        "/",
                                        (_, response) -> response.header(TYPE).send(Hello.BYTES)))
                .build()
                .start()
                .port();
    }
}
