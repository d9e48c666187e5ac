package io.weft.rivals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/// The server of the JDK, each exchange on a virtual thread.
final class JdkHello implements Hello.Server {
    @Override
    public int start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(Hello.HOST, 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/plain");
                    exchange.sendResponseHeaders(200, Hello.BYTES.length);
                    exchange.getResponseBody().write(Hello.BYTES);
                    exchange.close();
                });
        server.start();
        return server.getAddress().getPort();
    }
}
