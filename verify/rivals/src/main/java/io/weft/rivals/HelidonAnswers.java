package io.weft.rivals;

import io.helidon.common.tls.Tls;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Helidon, whose requests are handled on virtual threads.
final class HelidonAnswers implements Answers.Server {
    private static final Header TEXT = cached("text/plain");
    private static final Header JSON = cached("application/json");

    private static Header cached(String type) {
        return HeaderValues.createCached(HeaderNames.CONTENT_TYPE, type);
    }

    @Override
    public Answers.Ports start(Path keys) throws Exception {
        Tls tls = Tls.builder().sslContext(Answers.context(keys)).build();
        Path file = Answers.file(keys);
        return new Answers.Ports(
                start(WebServer.builder(), file), start(WebServer.builder().tls(tls), file));
    }

    private static int start(WebServerConfig.Builder builder, Path file) {
        return builder.host(Hello.HOST)
                .port(0)
                .routing(routing -> routes(routing, file))
                .build()
                .start()
                .port();
    }

    private static void routes(HttpRouting.Builder routing, Path file) {
        for (String path : List.of("/hello", "/1k", "/64k", "/1m")) {
            byte[] body = Answers.body(path);
            routing.get(path, (_, response) -> response.header(TEXT).send(body));
        }
        routing.get(Answers.JSON, (_, response) -> response.header(JSON).send(Answers.json()));
        routing.get(
                Answers.BLOCKING,
                (_, response) -> {
                    Answers.block();
                    response.header(TEXT).send(Hello.BYTES);
                });
        routing.get(
                Answers.FILE,
                (_, response) -> {
                    response.header(TEXT).header(HeaderNames.CONTENT_LENGTH, "" + Files.size(file));
                    try (OutputStream out = response.outputStream()) {
                        Files.copy(file, out);
                    }
                });
        routing.post(Answers.UPLOAD, HelidonAnswers::count);
    }

    private static void count(ServerRequest request, ServerResponse response) throws IOException {
        try (InputStream body = request.content().inputStream()) {
            long length = body.transferTo(OutputStream.nullOutputStream());
            response.header(TEXT).send(Long.toString(length));
        }
    }
}
