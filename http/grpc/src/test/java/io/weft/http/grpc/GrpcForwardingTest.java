package io.weft.http.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.model.Headers;
import io.weft.http.server.HttpServer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A service that calls another one, and hands on metadata as it came, in both directions.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GrpcForwardingTest {
    private static final GrpcMethod<byte[], byte[]> OUTER =
            new GrpcMethod<>("/test.Service/Outer", Marshaller.BYTES, Marshaller.BYTES);
    private static final GrpcMethod<byte[], byte[]> INNER =
            new GrpcMethod<>("/test.Service/Inner", Marshaller.BYTES, Marshaller.BYTES);

    private final BlockingQueue<Headers> received = new LinkedBlockingQueue<>();
    private final GrpcServices services =
            GrpcServices.builder().method(OUTER, this::outer).method(INNER, this::inner).build();
    private final HttpServer server = GrpcLoopback.server().streaming(services).listen();
    private final HttpClient http =
            GrpcLoopback.http().limits(GrpcClient.patient(HttpClientLimits.DEFAULT)).build();
    private final GrpcClient client = GrpcLoopback.client(http, server);

    @AfterEach
    void end() throws InterruptedException {
        http.close();
        server.close();
        assertThat(services.awaitIdle(Duration.ofSeconds(60))).isTrue();
    }

    private void outer(GrpcServerCall<byte[], byte[]> call) throws Exception {
        byte[] mode = Objects.requireNonNull(call.read());
        GrpcCallOptions options = GrpcCallOptions.DEFAULT.withMetadata(call.metadata());
        try (var inner = client.open(INNER, options)) {
            inner.write(mode);
            inner.halfClose();
            inner.headers().forEach(field -> call.header(field.name().toString(), field.value()));
            for (byte[] message; (message = inner.read()) != null; ) {
                call.write(message);
            }
            inner.trailers().forEach(field -> call.trailer(field.name().toString(), field.value()));
        }
    }

    private void inner(GrpcServerCall<byte[], byte[]> call) throws Exception {
        received.add(call.metadata());
        String mode = new String(Objects.requireNonNull(call.read()), UTF_8);
        call.header("x-head", "h");
        call.trailer("x-why", "rules");
        call.trailer("grpc-status-details-bin", "CAc");
        if (!mode.equals("at once")) {
            call.write(new byte[1]);
        }
        if (!mode.equals("ok")) {
            throw new GrpcException(GrpcCode.PERMISSION_DENIED, "no");
        }
    }

    private static void assertOnce(Headers fields, String... names) {
        for (String name : names) {
            assertThat(fields.all(name)).as(name).hasSize(1);
        }
    }

    @Test
    void failureOfAnotherCallGoesOnWithItsMetadataOnly() throws Exception {
        for (String mode : new String[] {"at once", "behind a message"}) {
            try (var call = client.open(OUTER)) {
                call.write(mode.getBytes(UTF_8));
                call.halfClose();
                assertThatThrownBy(
                                () -> {
                                    while (call.read() != null) {
                                        // until the status
                                    }
                                })
                        .as(mode)
                        .isInstanceOfSatisfying(
                                GrpcException.class,
                                e -> {
                                    assertThat(e.status().code())
                                            .isEqualTo(GrpcCode.PERMISSION_DENIED);
                                    assertOnce(e.trailers(), "grpc-status", "grpc-message");
                                    // At once, it is metadata before the messages as well.
                                    assertThat(e.trailers().all("x-why")).containsOnly("rules");
                                    assertThat(e.trailers().all("grpc-status-details-bin"))
                                            .containsOnly("CAc");
                                    assertThat(e.trailers().all("content-type").size())
                                            .isLessThan(2);
                                });
            }
        }
    }

    @Test
    void metadataOfAnotherCallGoesOnWithoutItsProtocol() throws Exception {
        GrpcCallOptions options =
                GrpcCallOptions.DEFAULT
                        .withMetadata(Headers.of("x-value", "v"))
                        .withTimeout(Duration.ofMinutes(5))
                        .withCoding(GrpcCoding.GZIP);
        try (var call = client.open(OUTER, options)) {
            call.write("ok".getBytes(UTF_8));
            call.halfClose();
            assertOnce(call.headers(), "content-type", "grpc-accept-encoding", "date", "x-head");
            assertThat(call.read()).hasSize(1);
            assertThat(call.read()).isNull();
            assertOnce(call.trailers(), "grpc-status", "x-why");
        }
        Headers inner = received.take();
        assertOnce(
                inner, "content-type", "te", "accept-encoding", "grpc-accept-encoding", "x-value");
        assertThat(inner.all("grpc-timeout")).isEmpty();
        assertThat(inner.all("grpc-encoding")).isEmpty();
    }
}
