package io.weft.examples.grpc;

import io.weft.http.grpc.GrpcLimits;
import io.weft.http.grpc.GrpcMethod;

/// The methods of `grpc.testing.TestService` (`grpc/testing/test.proto`).
final class GrpcTestMethods {
    static final GrpcMethod<TestMessage, TestMessage> EMPTY_CALL =
            method("EmptyCall", "Empty", "Empty");
    static final GrpcMethod<TestMessage, TestMessage> UNARY_CALL =
            method("UnaryCall", "SimpleRequest", "SimpleResponse");
    static final GrpcMethod<TestMessage, TestMessage> CACHEABLE_UNARY_CALL =
            method("CacheableUnaryCall", "SimpleRequest", "SimpleResponse");
    static final GrpcMethod<TestMessage, TestMessage> STREAMING_INPUT_CALL =
            method("StreamingInputCall", "StreamingInputCallRequest", "StreamingInputCallResponse");
    static final GrpcMethod<TestMessage, TestMessage> STREAMING_OUTPUT_CALL =
            output("StreamingOutputCall");
    static final GrpcMethod<TestMessage, TestMessage> FULL_DUPLEX_CALL = output("FullDuplexCall");
    static final GrpcMethod<TestMessage, TestMessage> HALF_DUPLEX_CALL = output("HalfDuplexCall");

    /// Served by nobody.
    static final GrpcMethod<TestMessage, TestMessage> UNIMPLEMENTED_CALL =
            method("UnimplementedCall", "Empty", "Empty");

    /// Of a service that nobody has.
    static final GrpcMethod<TestMessage, TestMessage> UNIMPLEMENTED_SERVICE =
            method("/grpc.testing.UnimplementedService/", "UnimplementedCall", "Empty", "Empty");

    private GrpcTestMethods() {}

    private static GrpcMethod<TestMessage, TestMessage> output(String name) {
        return method(name, "StreamingOutputCallRequest", "StreamingOutputCallResponse");
    }

    private static GrpcMethod<TestMessage, TestMessage> method(
            String name, String request, String response) {
        return method("/grpc.testing.TestService/", name, request, response);
    }

    private static GrpcMethod<TestMessage, TestMessage> method(
            String service, String name, String request, String response) {
        int most = GrpcLimits.DEFAULT.messageBytes();
        return new GrpcMethod<>(
                service + name,
                TestMessage.marshaller(request, most),
                TestMessage.marshaller(response, most));
    }
}
