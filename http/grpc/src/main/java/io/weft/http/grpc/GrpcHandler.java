package io.weft.http.grpc;

/// Serves the calls of one method, each on a virtual thread of its own, and may block.
///
/// When it returns the call ends with OK. An exception ends the call: a [GrpcException] with its
/// status, any other with UNKNOWN, and is logged. When the caller gives the call up, or its
/// deadline is over, reads and writes throw and the thread is interrupted.
@FunctionalInterface
public interface GrpcHandler<Q, R> {
    void handle(GrpcServerCall<Q, R> call) throws Exception;

    /// Serves a call of one request and one response.
    @FunctionalInterface
    interface Unary<Q, R> {
        /// @param call for metadata; its messages are read and written already
        R handle(Q request, GrpcServerCall<Q, R> call) throws Exception;
    }
}
