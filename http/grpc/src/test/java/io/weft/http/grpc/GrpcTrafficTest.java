package io.weft.http.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.server.HttpServer;
import io.weft.http.server.HttpServerLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many calls at a time that end in every way: nothing is left of any of them.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcTrafficTest {
    private static final int CALLS = 300;
    private static final GrpcMethod<byte[], byte[]> ECHO =
            new GrpcMethod<>("/test.Service/Echo", Marshaller.BYTES, Marshaller.BYTES);
    private static final GrpcMethod<byte[], byte[]> POUR =
            new GrpcMethod<>("/test.Service/Pour", Marshaller.BYTES, Marshaller.BYTES);

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    private static void echo(GrpcServerCall<byte[], byte[]> call) throws InterruptedException {
        for (byte[] message; (message = call.read()) != null; ) {
            call.write(message);
        }
    }

    private static void pour(GrpcServerCall<byte[], byte[]> call) throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            call.write(new byte[20_000]);
        }
        throw new GrpcException(GrpcCode.DATA_LOSS, "empty");
    }

    @Test
    void nothingIsLeftOfCallsThatEndInEveryWay() throws Exception {
        GrpcServices services =
                GrpcServices.builder()
                        .method(ECHO, GrpcTrafficTest::echo)
                        .method(POUR, GrpcTrafficTest::pour)
                        .build();
        try (HttpServer server =
                        GrpcLoopback.server()
                                .limits(GrpcServices.patient(HttpServerLimits.DEFAULT))
                                .streaming(services)
                                .listen();
                HttpClient http =
                        GrpcLoopback.http()
                                .limits(GrpcClient.patient(HttpClientLimits.DEFAULT))
                                .build()) {
            GrpcClient client = GrpcLoopback.client(http, server);
            List<CompletableFuture<GrpcCode>> ends = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                Plan plan = Plan.of(random);
                ends.add(
                        CompletableFuture.supplyAsync(
                                () -> plan.run(client), Thread::startVirtualThread));
            }
            for (CompletableFuture<GrpcCode> end : ends) {
                assertThat(end.get())
                        .isIn(
                                GrpcCode.OK,
                                GrpcCode.CANCELLED,
                                GrpcCode.DEADLINE_EXCEEDED,
                                GrpcCode.DATA_LOSS);
            }
            // The connection is in order behind all that.
            assertThat(client.unary(ECHO, new byte[5])).hasSize(5);
            assertThat(services.awaitIdle(Duration.ofSeconds(60))).isTrue();
        }
    }

    /// One call.
    ///
    /// @param messages that are sent
    /// @param read of the answers
    /// @param cancel whether another thread gives the call up
    private record Plan(
            GrpcMethod<byte[], byte[]> method,
            int messages,
            int size,
            int read,
            boolean cancel,
            GrpcCallOptions options) {
        static Plan of(Random random) {
            GrpcCallOptions options = GrpcCallOptions.DEFAULT;
            if (random.nextInt(4) == 0) {
                options = options.withTimeout(Duration.ofMillis(random.nextInt(100)));
            }
            if (random.nextInt(4) == 0) {
                options = options.withCoding(GrpcCoding.GZIP);
            }
            return new Plan(
                    random.nextInt(3) == 0 ? POUR : ECHO,
                    random.nextInt(5),
                    random.nextInt(1 << random.nextInt(18)),
                    random.nextInt(60),
                    random.nextInt(3) == 0,
                    options);
        }

        GrpcCode run(GrpcClient client) {
            try (GrpcClientCall<byte[], byte[]> call = client.open(method, options)) {
                if (cancel) {
                    Thread.startVirtualThread(call::cancel);
                }
                CompletableFuture<Void> reads =
                        CompletableFuture.runAsync(() -> read(call), Thread::startVirtualThread);
                for (int i = 0; i < messages; i++) {
                    if (!call.write(new byte[size])) {
                        break;
                    }
                }
                call.halfClose();
                reads.join();
                return GrpcCode.OK;
            } catch (CompletionException e) {
                if (e.getCause() instanceof GrpcException end) {
                    return end.status().code();
                }
                throw e;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void read(GrpcClientCall<byte[], byte[]> call) {
            try {
                for (int i = 0; i < read; i++) {
                    if (call.read() == null) {
                        return;
                    }
                }
                call.cancel(); // or both sides would wait for the other to read
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
