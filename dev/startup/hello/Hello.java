package hello;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;

/// Serves "hello" on a port that the system chooses, and prints that.
public final class Hello {
    private Hello() {}

    public static void main(String... arguments) {
        HttpServer server =
                HttpServer.builder()
                        .port(0)
                        .loops(1)
                        .handler(request -> Response.text("hello"))
                        .listen();
        System.out.println(server.address().getPort());
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
}
