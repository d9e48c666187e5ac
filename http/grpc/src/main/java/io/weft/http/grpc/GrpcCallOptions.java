package io.weft.http.grpc;

import io.weft.http.model.Headers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Options of one call.
///
/// @param metadata that the service gets; fields of HTTP and gRPC are left out, so that it may be
///     that of a call that is served
/// @param timeout until the status is there, of which the service hears; null for none
/// @param coding that requests are compressed by
public record GrpcCallOptions(Headers metadata, @Nullable Duration timeout, GrpcCoding coding) {
    /// No metadata, no deadline, no compression.
    public static final GrpcCallOptions DEFAULT =
            new GrpcCallOptions(Headers.EMPTY, null, GrpcCoding.IDENTITY);

    public GrpcCallOptions withMetadata(Headers fields) {
        return new GrpcCallOptions(fields, timeout, coding);
    }

    public GrpcCallOptions withTimeout(Duration time) {
        return new GrpcCallOptions(metadata, time, coding);
    }

    public GrpcCallOptions withCoding(GrpcCoding compression) {
        return new GrpcCallOptions(metadata, timeout, compression);
    }
}
