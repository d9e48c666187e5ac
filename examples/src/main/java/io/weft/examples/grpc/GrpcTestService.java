package io.weft.examples.grpc;

import io.weft.http.grpc.GrpcCode;
import io.weft.http.grpc.GrpcCoding;
import io.weft.http.grpc.GrpcException;
import io.weft.http.grpc.GrpcServerCall;
import io.weft.http.grpc.GrpcServices;
import io.weft.http.grpc.GrpcStatus;
import io.weft.http.model.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The service of the interoperability tests of gRPC.
final class GrpcTestService {
    private static final String ECHO_INITIAL = "x-grpc-test-echo-initial";

    /// Of this process.
    private static final String SERVER_ID = UUID.randomUUID().toString();

    private static final String ECHO_TRAILING = "x-grpc-test-echo-trailing-bin";

    private GrpcTestService() {}

    static GrpcServices services() {
        return GrpcServices.builder()
                .unary(GrpcTestMethods.EMPTY_CALL, GrpcTestService::empty)
                .unary(GrpcTestMethods.UNARY_CALL, GrpcTestService::unary)
                .unary(GrpcTestMethods.CACHEABLE_UNARY_CALL, GrpcTestService::unary)
                .method(GrpcTestMethods.STREAMING_INPUT_CALL, GrpcTestService::input)
                .method(GrpcTestMethods.STREAMING_OUTPUT_CALL, GrpcTestService::output)
                .method(GrpcTestMethods.FULL_DUPLEX_CALL, GrpcTestService::fullDuplex)
                .method(GrpcTestMethods.HALF_DUPLEX_CALL, GrpcTestService::halfDuplex)
                .build();
    }

    private static TestMessage empty(
            TestMessage request, GrpcServerCall<TestMessage, TestMessage> call) {
        echoMetadata(call);
        return request;
    }

    private static TestMessage unary(
            TestMessage request, GrpcServerCall<TestMessage, TestMessage> call) {
        echoMetadata(call);
        checkCompression(request, call);
        checkStatus(request);
        if (request.isSet("response_compressed")) {
            var _ = call.compress(GrpcCoding.GZIP);
        }
        TestMessage response = answer("SimpleResponse", request.number("response_size"));
        return request.is("fill_server_id") ? response.with("server_id", SERVER_ID) : response;
    }

    private static void input(GrpcServerCall<TestMessage, TestMessage> call) throws Exception {
        echoMetadata(call);
        int size = 0;
        for (TestMessage request; (request = call.read()) != null; ) {
            checkCompression(request, call);
            size += request.payloadSize();
        }
        call.write(
                TestMessage.empty("StreamingInputCallResponse")
                        .with("aggregated_payload_size", size));
    }

    private static void output(GrpcServerCall<TestMessage, TestMessage> call) throws Exception {
        echoMetadata(call);
        var _ = call.compress(GrpcCoding.GZIP);
        TestMessage request = call.read();
        if (request != null) {
            answer(request, call);
        }
    }

    private static void fullDuplex(GrpcServerCall<TestMessage, TestMessage> call) throws Exception {
        echoMetadata(call);
        for (TestMessage request; (request = call.read()) != null; ) {
            answer(request, call);
        }
    }

    /// Answers when all requests are there.
    private static void halfDuplex(GrpcServerCall<TestMessage, TestMessage> call) throws Exception {
        echoMetadata(call);
        List<TestMessage> requests = new ArrayList<>();
        for (TestMessage request; (request = call.read()) != null; ) {
            requests.add(request);
        }
        for (TestMessage request : requests) {
            answer(request, call);
        }
    }

    private static void answer(TestMessage request, GrpcServerCall<TestMessage, TestMessage> call)
            throws InterruptedException {
        checkStatus(request);
        for (TestMessage wanted : request.messages("response_parameters")) {
            Thread.sleep(Duration.ofNanos(wanted.number("interval_us") * 1000L));
            TestMessage response = answer("StreamingOutputCallResponse", wanted.number("size"));
            if (wanted.isSet("compressed")) {
                call.write(response);
            } else {
                call.writeUncompressed(response);
            }
        }
    }

    private static TestMessage answer(String type, int size) {
        if (size < 0 || size > 64 << 20) {
            throw new GrpcException(
                    GrpcCode.INVALID_ARGUMENT, "size: " + size + " (expected: 0 to 64 MiB)");
        }
        return TestMessage.empty(type).with("payload", TestMessage.payload(size));
    }

    private static void checkStatus(TestMessage request) {
        TestMessage wanted = request.message("response_status");
        GrpcStatus status =
                new GrpcStatus(GrpcCode.of(wanted.number("code")), wanted.text("message"));
        if (!status.isOk()) {
            throw new GrpcException(status, Headers.EMPTY);
        }
    }

    /// A caller that says whether its message is compressed is told if it is not so.
    private static void checkCompression(
            TestMessage request, GrpcServerCall<TestMessage, TestMessage> call) {
        if (request.has("expect_compressed")
                && request.isSet("expect_compressed") != call.wasCompressed()) {
            throw new GrpcException(
                    GrpcCode.INVALID_ARGUMENT,
                    "compressed: "
                            + call.wasCompressed()
                            + " (expected: "
                            + request.isSet("expect_compressed")
                            + ")");
        }
    }

    private static void echoMetadata(GrpcServerCall<TestMessage, TestMessage> call) {
        call.metadata().all(ECHO_INITIAL).forEach(value -> call.header(ECHO_INITIAL, value));
        call.metadata().all(ECHO_TRAILING).forEach(value -> call.trailer(ECHO_TRAILING, value));
    }
}
