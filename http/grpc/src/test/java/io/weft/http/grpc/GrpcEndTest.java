package io.weft.http.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.codec.CorruptedFrameException;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.testkit.Warns;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that end in rare ways: each ends, and nothing is left of it.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcEndTest {
    private static final GrpcMethod<byte[], byte[]> METHOD =
            new GrpcMethod<>("/test.Service/Method", Marshaller.BYTES, Marshaller.BYTES);

    private static void serve(GrpcHandler<byte[], byte[]> handler, GrpcLoopback.Use use)
            throws Exception {
        GrpcLoopback.listen(GrpcServices.builder().method(METHOD, handler).build(), use);
    }

    private static GrpcStatus failure(GrpcClient client) {
        GrpcException end =
                catchThrowableOfType(GrpcException.class, () -> client.unary(METHOD, new byte[1]));
        return end.status();
    }

    private static Body threeMessages() {
        byte[] first = {0, 0, 0, 0, 1, 'a', 0, 0, 0, 0, 1, 'b', 0, 0, 0, 0, 1, 'c'};
        return Body.of(first);
    }

    private static MessageReader reader() {
        BodySource source = Body.concat(List.of(threeMessages())).source();
        return new MessageReader(source, GrpcCoding.IDENTITY, GrpcLimits.DEFAULT);
    }

    @Test
    void failedReaderReleasesWhatItReceived() throws Exception {
        MessageReader reader = reader();
        assertThat(reader.read(Marshaller.BYTES)).containsExactly('a');
        GrpcException why = new GrpcException(GrpcCode.CANCELLED, "enough");
        reader.fail(why);
        assertThatThrownBy(() -> reader.read(Marshaller.BYTES)).isSameAs(why);
    }

    @Test
    void readerThatIsFailedWithinAReadReleasesWhatItReceived() throws Exception {
        MessageReader reader = reader();
        GrpcException why = new GrpcException(GrpcCode.CANCELLED, "enough");
        Marshaller<byte[]> failing =
                Marshaller.of(
                        (message, out) -> {},
                        (in, out) -> {
                            in.release();
                            CompletableFuture.runAsync(() -> reader.fail(why)).join();
                            out.accept(new byte[0]);
                        });
        assertThat(reader.read(failing)).isEmpty();
        assertThatThrownBy(() -> reader.read(Marshaller.BYTES)).isSameAs(why);
    }

    @Test
    void callThatIsReadToAFailureNeedsNoClose() throws Exception {
        Response response =
                Response.of(
                        Status.OK,
                        Headers.of("content-type", GrpcServices.CONTENT_TYPE),
                        threeMessages());
        Marshaller<byte[]> bad =
                Marshaller.of(
                        (message, out) -> {},
                        (in, out) -> {
                            in.release();
                            throw new CorruptedFrameException("bad (expected: good)");
                        });
        GrpcMethod<byte[], byte[]> method =
                new GrpcMethod<>("/test.Service/Method", Marshaller.BYTES, bad);
        GrpcLoopback.listen(
                _ -> CompletableFuture.completedFuture(response),
                client -> {
                    GrpcClientCall<byte[], byte[]> broken = client.open(method);
                    assertThatThrownBy(broken::read).hasMessageContaining("bad");
                    GrpcClientCall<byte[], byte[]> cancelled = client.open(METHOD);
                    assertThat(cancelled.read()).containsExactly('a');
                    cancelled.cancel();
                    assertThatThrownBy(cancelled::read).isInstanceOf(GrpcException.class);
                });
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
