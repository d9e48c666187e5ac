package io.weft.http.grpc;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.Set;

/// Metadata on its way out. It may have come with another call, from whose fields nobody has taken
/// those of HTTP and gRPC: they describe that call, so they are left out.
///
/// `grpc-status-details-bin` and other names that gRPC leaves to applications are metadata.
final class Metadata {
    private static final Set<HeaderName> RESERVED =
            Set.of(
                    GrpcStatus.STATUS,
                    GrpcStatus.MESSAGE,
                    GrpcCoding.ENCODING,
                    GrpcCoding.ACCEPT,
                    GrpcTimeout.NAME,
                    HeaderName.of("grpc-message-type"),
                    HeaderName.CONTENT_TYPE,
                    HeaderName.CONTENT_LENGTH,
                    HeaderName.CONTENT_ENCODING,
                    HeaderName.ACCEPT_ENCODING,
                    HeaderName.HOST,
                    HeaderName.DATE,
                    HeaderName.SERVER,
                    HeaderName.CONNECTION,
                    HeaderName.KEEP_ALIVE,
                    HeaderName.PROXY_CONNECTION,
                    HeaderName.TE,
                    HeaderName.TRAILER,
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.UPGRADE);

    private Metadata() {}

    /// Appends the fields of `metadata` that are an application's.
    static void append(Headers metadata, HeadersBuilder fields) {
        metadata.forEach(
                field -> {
                    if (!RESERVED.contains(field.name())) {
                        fields.add(field.name(), field.value());
                    }
                });
    }
}
