package io.weft.examples;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.net.InetSocketAddress;

/// Answers every request with "Hello, World!".
public final class HelloHttp {
    private HelloHttp() {}

    public static void main(String[] args) {
        Example.main(8080, args, HelloHttp::start);
    }

    static Example.Running start(Options options) {
        // Responses are immutable: one object answers everybody.
        Response hello = Response.text("Hello, World!");
        HttpServer server =
                HttpServer.builder()
                        .host(options.host())
                        .port(options.port())
                        .transport(options.transport())
                        .loops(options.loops())
                        .handler(request -> hello)
                        .listen();
        return new Running(server);
    }

    private record Running(HttpServer server) implements Example.Running {
        @Override
        public InetSocketAddress address() {
            return server.address();
        }

        @Override
        public String transport() {
            return server.transport();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
