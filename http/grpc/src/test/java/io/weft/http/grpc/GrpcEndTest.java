package io.weft.http.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.server.HttpServer;
import io.weft.testkit.Warns;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that end in rare ways: each ends, and nothing is left of it.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcEndTest {
    private static final GrpcMethod<byte[], byte[]> METHOD =
            new GrpcMethod<>("/test.Service/Method", Marshaller.BYTES, Marshaller.BYTES);

    private interface Use {
        void with(GrpcClient client) throws Exception;
    }

    private static void serve(GrpcHandler<byte[], byte[]> handler, Use use) throws Exception {
        GrpcServices services = GrpcServices.builder().method(METHOD, handler).build();
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport("nio")
                                .loops(1)
                                .streaming(services)
                                .listen();
                HttpClient http =
                        HttpClient.builder()
                                .transport("nio")
                                .loops(1)
                                .protocol(HttpProtocol.HTTP_2)
                                .build()) {
            String url = "http://127.0.0.1:" + server.address().getPort();
            use.with(GrpcClient.of(http, url, GrpcLimits.DEFAULT));
        }
    }

    private static GrpcStatus failure(GrpcClient client) {
        GrpcException end =
                catchThrowableOfType(GrpcException.class, () -> client.unary(METHOD, new byte[1]));
        return end.status();
    }

    @Test
    void descriptionThatIsCutBehindABlankIsSent() throws Exception {
        String kept = "a".repeat(2047) + " ";
        serve(
                call -> {
                    throw new GrpcException(GrpcCode.NOT_FOUND, kept + "is no name");
                },
                client ->
                        assertThat(failure(client))
                                .isEqualTo(new GrpcStatus(GrpcCode.NOT_FOUND, kept)));
    }

    @Test
    @Warns
    @SuppressWarnings("NullAway") // a handler that nothing checks
    void statusThatCannotBeSentIsUnknown() throws Exception {
        serve(
                call -> {
                    throw new GrpcException(new GrpcStatus(GrpcCode.ABORTED, "no trailers"), null);
                },
                client -> assertThat(failure(client).code()).isEqualTo(GrpcCode.UNKNOWN));
    }
}
