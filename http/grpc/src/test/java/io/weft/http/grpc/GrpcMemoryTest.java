package io.weft.http.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.codec.Output;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.testkit.TakenMemory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages that there is no memory for.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcMemoryTest {
    /// Messages of which some need more memory than there is.
    private static final Marshaller<byte[]> LARGE =
            new Marshaller<>() {
                @Override
                public void encode(byte[] message, Output out) {
                    if (message.length == 1) {
                        throw new MemoryLimitException("memory", 1, 0);
                    }
                    Marshaller.BYTES.encode(message, out);
                }

                @Override
                public byte[] decode(Buffer in) {
                    if (in.readableBytes() == 2) {
                        throw new MemoryLimitException("memory", 2, 0);
                    }
                    return Marshaller.BYTES.decode(in);
                }
            };

    private static void withoutMemory(Runnable task) {
        try (TakenMemory _ = TakenMemory.all()) {
            task.run();
        }
    }

    private static Buffer message(byte[] bytes) {
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    private static void assertExhausted(ThrowingCallable task) {
        assertThatThrownBy(task)
                .isInstanceOfSatisfying(
                        GrpcException.class,
                        e -> assertThat(e.status().code()).isEqualTo(GrpcCode.RESOURCE_EXHAUSTED));
    }

    @Test
    void messageThatCannotBeCompressedIsReleased() {
        Buffer message = message(new byte[100_000]);
        withoutMemory(
                () ->
                        assertThatThrownBy(() -> GrpcCoding.GZIP.compress(message))
                                .isInstanceOf(MemoryLimitException.class));
    }

    @Test
    void messageThatCannotBeExpandedEndsTheCallAndIsReleased() throws Exception {
        byte[] packed;
        try (Buffer gzip = GrpcCoding.GZIP.compress(message(new byte[100]))) {
            packed = Marshaller.BYTES.decode(gzip);
        }
        ByteBuffer body = ByteBuffer.allocate(5 + 5 + packed.length);
        body.put((byte) 0).putInt(0).put((byte) 1).putInt(packed.length).put(packed);
        BodySource source = Body.concat(List.of(Body.of(body.array()))).source();
        MessageReader reader = new MessageReader(source, GrpcCoding.GZIP, GrpcLimits.DEFAULT);
        assertThat(reader.read(Marshaller.BYTES)).isEmpty();
        withoutMemory(() -> assertExhausted(() -> reader.read(Marshaller.BYTES)));
        assertExhausted(() -> reader.read(Marshaller.BYTES));
        reader.close();
    }

    @Test
    void bodyThatCannotBeReceivedEndsTheCall() {
        BodySource source = Body.concat(List.of(Body.of(new byte[5]))).source();
        MessageReader reader = new MessageReader(source, GrpcCoding.IDENTITY, GrpcLimits.DEFAULT);
        withoutMemory(() -> assertExhausted(() -> reader.read(Marshaller.BYTES)));
        reader.close();
    }

    @Test
    void callsEndWithResourceExhausted() throws Exception {
        GrpcMethod<byte[], byte[]> method = new GrpcMethod<>("/test.Service/Method", LARGE, LARGE);
        GrpcServices services =
                GrpcServices.builder()
                        .unary(method, (request, call) -> new byte[request.length / 10])
                        .build();
        GrpcLoopback.listen(
                services,
                client -> {
                    assertThat(client.unary(method, new byte[30])).hasSize(3);
                    // The client's request, the server's, the server's response, the client's.
                    for (int size : new int[] {1, 2, 10, 20}) {
                        assertExhausted(() -> client.unary(method, new byte[size]));
                    }
                });
    }
}
