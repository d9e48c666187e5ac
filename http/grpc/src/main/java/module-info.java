import org.jspecify.annotations.NullMarked;

/// Floor 4: gRPC over HTTP/2, for servers and clients: messages behind their length, metadata,
/// deadlines and statuses. Code of calls blocks, on virtual threads.
///
/// A service is a handler of an HTTP server:
///
/// ```java
/// HttpServer.builder()
///         .streaming(GrpcServices.builder().unary(SAY_HELLO, (request, call) -> ...).build())
///         .listen();
/// ```
///
/// A client calls its methods:
///
/// ```java
/// try (GrpcClient client = GrpcClient.create("http://localhost:50051")) {
///     Reply reply = client.unary(SAY_HELLO, request);
/// }
/// ```
@NullMarked
module io.weft.http.grpc {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires io.weft.codec.compression;
    requires transitive io.weft.http.client;
    requires transitive io.weft.http.model;
    requires transitive io.weft.http.server;

    exports io.weft.http.grpc;
}
