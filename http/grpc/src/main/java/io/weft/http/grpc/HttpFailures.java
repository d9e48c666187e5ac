package io.weft.http.grpc;

import io.weft.buffer.MemoryLimitException;
import io.weft.http.client.HttpClientException;
import io.weft.http.client.StreamResetException;
import java.util.concurrent.CancellationException;

/// Maps failures of HTTP to statuses, as the gRPC specification does for those of HTTP/2.
final class HttpFailures {
    private static final int REFUSED_STREAM = 7;

    private HttpFailures() {}

    static GrpcException of(Throwable cause) {
        return new GrpcException(code(cause), String.valueOf(cause.getMessage()), cause);
    }

    /// Tells if the server has certainly not processed the call (RFC 9113, 8.7).
    static boolean isUnprocessed(GrpcException end) {
        return end.getCause() instanceof HttpClientException.Disconnected cause
                && cause.getCause() instanceof StreamResetException reset
                && reset.code() == REFUSED_STREAM;
    }

    private static GrpcCode code(Throwable cause) {
        if (cause instanceof CancellationException) {
            return GrpcCode.CANCELLED;
        }
        if (cause instanceof MemoryLimitException) {
            return GrpcCode.RESOURCE_EXHAUSTED;
        }
        if (!(cause instanceof HttpClientException failure)) {
            return GrpcCode.UNKNOWN;
        }
        return switch (failure) {
            case HttpClientException.Cancelled _ -> GrpcCode.CANCELLED;
            case HttpClientException.TimedOut _ -> GrpcCode.UNAVAILABLE;
            case HttpClientException.ConnectFailed _, HttpClientException.Rejected _ ->
                    GrpcCode.UNAVAILABLE;
            case HttpClientException.Disconnected d ->
                    d.getCause() instanceof StreamResetException reset
                            ? ofReset(reset.code())
                            : GrpcCode.UNAVAILABLE;
            case HttpClientException.TooLarge _ -> GrpcCode.RESOURCE_EXHAUSTED;
            case HttpClientException.Malformed _,
                    HttpClientException.RedirectFailed _,
                    HttpClientException.UpgradeFailed _,
                    HttpClientException.Unsendable _ ->
                    GrpcCode.INTERNAL;
        };
    }

    /// The code for an error code of HTTP/2 (RFC 9113, 7).
    private static GrpcCode ofReset(int code) {
        return switch (code) {
            case REFUSED_STREAM -> GrpcCode.UNAVAILABLE;
            case 8 -> GrpcCode.CANCELLED; // CANCEL
            case 11 -> GrpcCode.RESOURCE_EXHAUSTED; // ENHANCE_YOUR_CALM
            case 12 -> GrpcCode.PERMISSION_DENIED; // INADEQUATE_SECURITY
            default -> GrpcCode.INTERNAL;
        };
    }
}
