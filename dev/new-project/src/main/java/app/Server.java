package app;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;

/// Serves HTTP on the port of the first argument, by default 8080.
public final class Server {
    private Server() {}

    static Routes routes() {
        return Routes.builder()
                .get("/", _ -> Response.text("This is @NAME@.\n"))
                .get("/hello/{name}", request -> Response.text(greeting(request.parameter("name"))))
                .build();
    }

    private static String greeting(String name) {
        return "Hello, " + name + "!\n";
    }

    public static void main(String... arguments) throws Exception {
        int port = arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]);
        HttpServer server = HttpServer.builder().port(port).routes(routes()).listen();
        System.out.println("listening on port " + server.address().getPort());
        // Its loops keep the process alive. On SIGTERM requests in flight are finished first.
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
}
