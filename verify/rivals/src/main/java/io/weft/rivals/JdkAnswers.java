package io.weft.rivals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/// The server of the JDK, each exchange on a virtual thread.
final class JdkAnswers implements Answers.Server {
    @Override
    public Answers.Ports start(Path keys) throws Exception {
        Path file = Answers.file(keys);
        HttpsServer secure = HttpsServer.create(any(), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(Answers.context(keys)));
        return new Answers.Ports(start(HttpServer.create(any(), 0), file), start(secure, file));
    }

    private static InetSocketAddress any() {
        return new InetSocketAddress(Hello.HOST, 0);
    }

    private static int start(HttpServer server, Path file) {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", JdkAnswers::answer);
        server.createContext(Answers.FILE, exchange -> send(exchange, file));
        server.start();
        return server.getAddress().getPort();
    }

    private static void send(HttpExchange exchange, Path file) throws IOException {
        exchange.sendResponseHeaders(200, Files.size(file));
        Files.copy(file, exchange.getResponseBody());
        exchange.close();
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
                    case Answers.BLOCKING -> {
                        Answers.block();
                        yield Hello.BYTES;
                    }
                    default -> Answers.body(path);
                };
        exchange.getResponseHeaders().set("Content-Type", Answers.type(path));
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
