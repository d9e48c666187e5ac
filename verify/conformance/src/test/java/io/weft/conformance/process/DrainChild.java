package io.weft.conformance.process;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// An HTTP server that answers nobody until as many ask as its property `requests` says; then it
/// begins to shut down, and only then answers them all.
final class DrainChild {
    private static final List<CompletableFuture<Response>> ASKED = new ArrayList<>();

    private DrainChild() {}

    public static void main(String[] args) throws Exception {
        int requests = Integer.getInteger("requests");
        CompletableFuture<Void> allAsked = new CompletableFuture<>();
        try (HttpServer server =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport(args[0])
                        .async(
                                _ -> {
                                    CompletableFuture<Response> answer = new CompletableFuture<>();
                                    synchronized (ASKED) {
                                        ASKED.add(answer);
                                        if (ASKED.size() == requests) {
                                            allAsked.complete(null);
                                        }
                                    }
                                    return answer;
                                })
                        .listen()) {
            System.out.println(server.transport());
            System.out.println(server.address().getPort());
            allAsked.join();
            CompletableFuture<Void> drained =
                    server.shutdownGracefully(Duration.ofSeconds(TenThousandTest.PATIENCE_SECONDS))
                            .toCompletableFuture();
            for (CompletableFuture<Response> answer : ASKED) {
                answer.complete(Response.text("answered"));
            }
            drained.join();
            while (System.in.read() >= 0) {
                // until the parent closes it, or is gone
            }
        }
        System.out.println("done");
    }
}
