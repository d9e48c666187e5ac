package io.weft.examples.grpc;

import com.google.protobuf.ByteString;
import io.weft.http.grpc.BinaryMetadata;
import io.weft.http.grpc.GrpcCallOptions;
import io.weft.http.grpc.GrpcClient;
import io.weft.http.grpc.GrpcClientCall;
import io.weft.http.grpc.GrpcCode;
import io.weft.http.grpc.GrpcCoding;
import io.weft.http.grpc.GrpcException;
import io.weft.http.grpc.GrpcMethod;
import io.weft.http.grpc.GrpcStatus;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The cases of the interoperability tests of gRPC, as a client runs them. Their names and numbers
/// are those of the official description.
final class GrpcInteropCases {
    /// Runs one case, and throws when the service behaves otherwise.
    interface Case {
        void run(GrpcInteropCases with) throws Exception;
    }

    static final Map<String, Case> ALL = new LinkedHashMap<>();

    static {
        ALL.put("empty_unary", GrpcInteropCases::emptyUnary);
        ALL.put("large_unary", GrpcInteropCases::largeUnary);
        ALL.put("client_compressed_unary", GrpcInteropCases::clientCompressedUnary);
        ALL.put("server_compressed_unary", GrpcInteropCases::serverCompressedUnary);
        ALL.put("client_streaming", GrpcInteropCases::clientStreaming);
        ALL.put("client_compressed_streaming", GrpcInteropCases::clientCompressedStreaming);
        ALL.put("server_streaming", GrpcInteropCases::serverStreaming);
        ALL.put("server_compressed_streaming", GrpcInteropCases::serverCompressedStreaming);
        ALL.put("ping_pong", GrpcInteropCases::pingPong);
        ALL.put("empty_stream", GrpcInteropCases::emptyStream);
        ALL.put("custom_metadata", GrpcInteropCases::customMetadata);
        ALL.put("status_code_and_message", GrpcInteropCases::statusCodeAndMessage);
        ALL.put("special_status_message", GrpcInteropCases::specialStatusMessage);
        ALL.put("unimplemented_method", GrpcInteropCases::unimplementedMethod);
        ALL.put("unimplemented_service", GrpcInteropCases::unimplementedService);
        ALL.put("cancel_after_begin", GrpcInteropCases::cancelAfterBegin);
        ALL.put("cancel_after_first_response", GrpcInteropCases::cancelAfterFirstResponse);
        ALL.put("timeout_on_sleeping_server", GrpcInteropCases::timeoutOnSleepingServer);
    }

    private static final int LARGE_REQUEST = 271_828;
    private static final int LARGE_RESPONSE = 314_159;
    private static final int[] REQUESTS = {27_182, 8, 1_828, 45_904};
    private static final int[] RESPONSES = {31_415, 9, 2_653, 58_979};
    private static final String INITIAL = "x-grpc-test-echo-initial";
    private static final String TRAILING = "x-grpc-test-echo-trailing-bin";
    private static final GrpcCallOptions PLAIN = GrpcCallOptions.DEFAULT;
    private static final GrpcCallOptions GZIP = PLAIN.withCoding(GrpcCoding.GZIP);

    private final GrpcClient client;

    GrpcInteropCases(GrpcClient client) {
        this.client = client;
    }

    // ---- messages ----

    private static TestMessage simple(int responseSize, int payloadSize) {
        return TestMessage.empty("SimpleRequest")
                .with("response_size", responseSize)
                .with("payload", TestMessage.payload(payloadSize));
    }

    private static TestMessage input(int size) {
        return TestMessage.empty("StreamingInputCallRequest")
                .with("payload", TestMessage.payload(size));
    }

    private static TestMessage wanted(int size) {
        return TestMessage.empty("ResponseParameters").with("size", size);
    }

    private static TestMessage output(int responseSize, int payloadSize) {
        return TestMessage.empty("StreamingOutputCallRequest")
                .with("response_parameters", wanted(responseSize))
                .with("payload", TestMessage.payload(payloadSize));
    }

    private static TestMessage status(TestMessage request, GrpcStatus status) {
        return request.with(
                "response_status",
                TestMessage.empty("EchoStatus")
                        .with("code", status.code().number())
                        .with("message", status.message()));
    }

    // ---- what is expected ----

    private static void check(String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new IllegalStateException(what + ": " + actual + " (expected: " + expected + ")");
        }
    }

    private static void checkPayload(@Nullable TestMessage response, int size) {
        if (response == null) {
            throw new IllegalStateException("responses: over (expected: one of " + size + ")");
        }
        check("payload", response.message("payload"), TestMessage.payload(size));
    }

    private interface Attempt {
        @Nullable Object run() throws InterruptedException;
    }

    private static GrpcStatus failure(Attempt attempt) throws InterruptedException {
        try {
            var _ = attempt.run();
            return GrpcStatus.OK;
        } catch (GrpcException e) {
            return e.status();
        }
    }

    private static void checkFails(GrpcCode expected, Attempt attempt) throws InterruptedException {
        GrpcStatus status = failure(attempt);
        check("status of " + status, status.code(), expected);
    }

    // ---- unary ----

    private void emptyUnary() throws InterruptedException {
        TestMessage empty = TestMessage.empty("Empty");
        check("response", client.unary(GrpcTestMethods.EMPTY_CALL, empty), empty);
    }

    private void largeUnary() throws InterruptedException {
        checkPayload(
                client.unary(GrpcTestMethods.UNARY_CALL, simple(LARGE_RESPONSE, LARGE_REQUEST)),
                LARGE_RESPONSE);
    }

    /// Asks first if the service checks at all that compression is as the message says.
    private void clientCompressedUnary() throws InterruptedException {
        TestMessage large = simple(LARGE_RESPONSE, LARGE_REQUEST);
        TestMessage compressed = large.with("expect_compressed", TestMessage.flag(true));
        TestMessage plain = large.with("expect_compressed", TestMessage.flag(false));
        checkFails(
                GrpcCode.INVALID_ARGUMENT,
                () -> client.unary(GrpcTestMethods.UNARY_CALL, compressed));
        checkPayload(client.unary(GrpcTestMethods.UNARY_CALL, compressed, GZIP), LARGE_RESPONSE);
        checkPayload(client.unary(GrpcTestMethods.UNARY_CALL, plain), LARGE_RESPONSE);
    }

    private void serverCompressedUnary() throws InterruptedException {
        for (boolean compressed : new boolean[] {true, false}) {
            TestMessage request =
                    simple(LARGE_RESPONSE, LARGE_REQUEST)
                            .with("response_compressed", TestMessage.flag(compressed));
            try (var call = client.open(GrpcTestMethods.UNARY_CALL)) {
                call.write(request);
                call.halfClose();
                checkPayload(call.read(), LARGE_RESPONSE);
                check("compressed", call.wasCompressed(), compressed);
                check("response", call.read(), null);
            }
        }
    }

    // ---- streams ----

    private void clientStreaming() throws InterruptedException {
        try (var call = client.open(GrpcTestMethods.STREAMING_INPUT_CALL)) {
            for (int size : REQUESTS) {
                call.write(input(size));
            }
            call.halfClose();
            checkSum(call, 74_922);
        }
    }

    private static void checkSum(GrpcClientCall<TestMessage, TestMessage> call, int sum)
            throws InterruptedException {
        TestMessage response = call.read();
        check("sum", response == null ? null : response.number("aggregated_payload_size"), sum);
        check("response", call.read(), null);
    }

    private void clientCompressedStreaming() throws InterruptedException {
        TestMessage compressed =
                input(REQUESTS[0]).with("expect_compressed", TestMessage.flag(true));
        TestMessage plain = input(REQUESTS[3]).with("expect_compressed", TestMessage.flag(false));
        try (var call = client.open(GrpcTestMethods.STREAMING_INPUT_CALL)) {
            call.write(compressed);
            call.halfClose();
            checkFails(GrpcCode.INVALID_ARGUMENT, call::read);
        }
        try (var call = client.open(GrpcTestMethods.STREAMING_INPUT_CALL, GZIP)) {
            call.write(compressed);
            call.writeUncompressed(plain);
            call.halfClose();
            checkSum(call, 73_086);
        }
    }

    private void serverStreaming() throws InterruptedException {
        TestMessage request = TestMessage.empty("StreamingOutputCallRequest");
        for (int size : RESPONSES) {
            request = request.with("response_parameters", wanted(size));
        }
        try (var call = client.open(GrpcTestMethods.STREAMING_OUTPUT_CALL)) {
            call.write(request);
            call.halfClose();
            for (int size : RESPONSES) {
                checkPayload(call.read(), size);
            }
            check("response", call.read(), null);
        }
    }

    private void serverCompressedStreaming() throws InterruptedException {
        int[] sizes = {31_415, 92_653};
        TestMessage request = TestMessage.empty("StreamingOutputCallRequest");
        for (int size : sizes) {
            TestMessage flag = TestMessage.flag(size == sizes[0]);
            request = request.with("response_parameters", wanted(size).with("compressed", flag));
        }
        try (var call = client.open(GrpcTestMethods.STREAMING_OUTPUT_CALL)) {
            call.write(request);
            call.halfClose();
            for (int size : sizes) {
                checkPayload(call.read(), size);
                check("compressed", call.wasCompressed(), size == sizes[0]);
            }
            check("response", call.read(), null);
        }
    }

    private void pingPong() throws InterruptedException {
        try (var call = client.open(GrpcTestMethods.FULL_DUPLEX_CALL)) {
            for (int i = 0; i < REQUESTS.length; i++) {
                call.write(output(RESPONSES[i], REQUESTS[i]));
                checkPayload(call.read(), RESPONSES[i]);
            }
            call.halfClose();
            check("response", call.read(), null);
        }
    }

    private void emptyStream() throws InterruptedException {
        try (var call = client.open(GrpcTestMethods.FULL_DUPLEX_CALL)) {
            call.halfClose();
            check("response", call.read(), null);
        }
    }

    // ---- metadata and status ----

    private void customMetadata() throws InterruptedException {
        byte[] trailing = HexFormat.of().parseHex("ababab");
        HeadersBuilder sent = Headers.builder().add(INITIAL, "test_initial_metadata_value");
        Headers metadata = BinaryMetadata.add(sent, TRAILING, trailing).build();
        checkEcho(GrpcTestMethods.UNARY_CALL, simple(LARGE_RESPONSE, LARGE_REQUEST), metadata);
        checkEcho(
                GrpcTestMethods.FULL_DUPLEX_CALL, output(LARGE_RESPONSE, LARGE_REQUEST), metadata);
    }

    private void checkEcho(
            GrpcMethod<TestMessage, TestMessage> method, TestMessage request, Headers metadata)
            throws InterruptedException {
        try (var call = client.open(method, PLAIN.withMetadata(metadata))) {
            call.write(request);
            call.halfClose();
            checkPayload(call.read(), LARGE_RESPONSE);
            check("response", call.read(), null);
            check(INITIAL, call.headers().first(INITIAL), metadata.first(INITIAL));
            check(TRAILING, shown(call.trailers()), shown(metadata));
        }
    }

    private static List<ByteString> shown(Headers metadata) {
        return BinaryMetadata.all(metadata, TRAILING).stream().map(ByteString::copyFrom).toList();
    }

    private void statusCodeAndMessage() throws InterruptedException {
        GrpcStatus status = new GrpcStatus(GrpcCode.UNKNOWN, "test status message");
        checkStatusOfUnary(status);
        TestMessage request = status(TestMessage.empty("StreamingOutputCallRequest"), status);
        try (var call = client.open(GrpcTestMethods.FULL_DUPLEX_CALL)) {
            call.write(request);
            call.halfClose();
            check("status", failure(call::read), status);
        }
    }

    private void specialStatusMessage() throws InterruptedException {
        checkStatusOfUnary(
                new GrpcStatus(
                        GrpcCode.UNKNOWN,
                        "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"));
    }

    private void checkStatusOfUnary(GrpcStatus status) throws InterruptedException {
        TestMessage request = status(TestMessage.empty("SimpleRequest"), status);
        check("status", failure(() -> client.unary(GrpcTestMethods.UNARY_CALL, request)), status);
    }

    private void unimplementedMethod() throws InterruptedException {
        TestMessage empty = TestMessage.empty("Empty");
        checkFails(
                GrpcCode.UNIMPLEMENTED,
                () -> client.unary(GrpcTestMethods.UNIMPLEMENTED_CALL, empty));
    }

    private void unimplementedService() throws InterruptedException {
        TestMessage empty = TestMessage.empty("Empty");
        checkFails(
                GrpcCode.UNIMPLEMENTED,
                () -> client.unary(GrpcTestMethods.UNIMPLEMENTED_SERVICE, empty));
    }

    // ---- the end before the end ----

    private void cancelAfterBegin() throws InterruptedException {
        try (var call = client.open(GrpcTestMethods.STREAMING_INPUT_CALL)) {
            call.cancel();
            checkFails(GrpcCode.CANCELLED, call::read);
        }
    }

    private void cancelAfterFirstResponse() throws InterruptedException {
        try (var call = client.open(GrpcTestMethods.FULL_DUPLEX_CALL)) {
            call.write(output(RESPONSES[0], REQUESTS[0]));
            checkPayload(call.read(), RESPONSES[0]);
            call.cancel();
            checkFails(GrpcCode.CANCELLED, call::read);
        }
    }

    private void timeoutOnSleepingServer() throws InterruptedException {
        GrpcCallOptions soon = PLAIN.withTimeout(Duration.ofMillis(1));
        try (var call = client.open(GrpcTestMethods.FULL_DUPLEX_CALL, soon)) {
            call.write(
                    TestMessage.empty("StreamingOutputCallRequest")
                            .with("payload", TestMessage.payload(REQUESTS[0])));
            checkFails(GrpcCode.DEADLINE_EXCEEDED, call::read);
        }
    }
}
