package io.weft.http.grpc;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import org.jspecify.annotations.Nullable;

/// The outcome of a call.
///
/// @param message for a developer to read, in any language; it may be empty
public record GrpcStatus(GrpcCode code, String message) {
    /// Success.
    public static final GrpcStatus OK = new GrpcStatus(GrpcCode.OK, "");

    static final HeaderName STATUS = HeaderName.of("grpc-status");
    static final HeaderName MESSAGE = HeaderName.of("grpc-message");

    public boolean isOk() {
        return code == GrpcCode.OK;
    }

    /// Appends the fields that say so.
    void writeTo(HeadersBuilder fields) {
        fields.set(STATUS, Integer.toString(code.number()));
        if (!message.isEmpty()) {
            fields.set(MESSAGE, StatusMessage.encode(message));
        }
    }

    /// Returns the status that `fields` say, or null if they say none.
    static @Nullable GrpcStatus of(Headers fields) {
        String number = fields.first(STATUS);
        if (number == null) {
            return null;
        }
        String message = fields.first(MESSAGE);
        return new GrpcStatus(
                GrpcCode.of(parse(number)), message == null ? "" : StatusMessage.decode(message));
    }

    private static int parse(String number) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public String toString() {
        return message.isEmpty() ? code.toString() : code + ": " + message;
    }
}
