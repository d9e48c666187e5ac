package io.weft.rivals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/// The server of the JDK, each exchange on a virtual thread.
final class JdkAnswers implements Answers.Server {
    @Override
    public Answers.Ports start(Path keys) throws Exception {
        HttpsServer secure = HttpsServer.create(any(), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(Answers.context(keys)));
        return new Answers.Ports(start(HttpServer.create(any(), 0)), start(secure));
    }

    private static InetSocketAddress any() {
        return new InetSocketAddress(Hello.HOST, 0);
    }

    private static int start(HttpServer server) {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", JdkAnswers::answer);
        server.start();
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body =
                switch (path) {
                    case Answers.JSON -> Answers.json();
                    case Answers.UPLOAD -> {
                        long length =
                                exchange.getRequestBody()
                                        .transferTo(OutputStream.nullOutputStream());
                        yield Long.toString(length).getBytes();
                    }
                    default -> Answers.body(path);
                };
        exchange.getResponseHeaders().set("Content-Type", Answers.type(path));
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
