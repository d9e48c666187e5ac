package io.weft.http.grpc;

import io.weft.buffer.MemoryLimitException;
import io.weft.http.model.Headers;

/// A call that did not succeed. A handler throws it to end its call with that status; a client's
/// calls throw it when they end with another status than OK.
public final class GrpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient GrpcStatus status;
    private final transient Headers trailers;

    public GrpcException(GrpcCode code, String message) {
        this(new GrpcStatus(code, message), Headers.EMPTY);
    }

    /// @param trailers metadata that the status has with it
    /// @throws IllegalArgumentException for OK
    public GrpcException(GrpcStatus status, Headers trailers) {
        super(status.toString());
        if (status.isOk()) {
            throw new IllegalArgumentException("status: OK (expected: a failure)");
        }
        this.status = status;
        this.trailers = trailers;
    }

    GrpcException(GrpcCode code, String message, Throwable cause) {
        this(new GrpcStatus(code, message), Headers.EMPTY);
        initCause(cause);
    }

    /// Returns the end of a call whose message finds no memory.
    static GrpcException noMemory(MemoryLimitException cause) {
        return new GrpcException(GrpcCode.RESOURCE_EXHAUSTED, "no memory for a message", cause);
    }

    public GrpcStatus status() {
        return status;
    }

    /// Returns the metadata that came, or goes, with the status. If it came, the fields of HTTP and
    /// gRPC are among it; they do not go on when a service throws the exception of another call.
    public Headers trailers() {
        return trailers;
    }
}
