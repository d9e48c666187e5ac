package io.weft.http.grpc;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.server.AsyncHttpHandler;
import io.weft.http.server.HttpServer;
import java.net.InetAddress;

/// A server and a client of it, on the loopback interface.
final class GrpcLoopback {
    interface Use {
        void with(GrpcClient client) throws Exception;
    }

    private GrpcLoopback() {}

    static void listen(AsyncHttpHandler services, Use use) throws Exception {
        try (HttpServer server = server().streaming(services).listen();
                HttpClient http = http().build()) {
            use.with(client(http, server));
        }
    }

    static HttpServer.Builder server() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1);
    }

    static HttpClient.Builder http() {
        return HttpClient.builder().transport("nio").loops(1).protocol(HttpProtocol.HTTP_2);
    }

    static GrpcClient client(HttpClient http, HttpServer server) {
        String url = "http://127.0.0.1:" + server.address().getPort();
        return GrpcClient.of(http, url, GrpcLimits.DEFAULT);
    }
}
