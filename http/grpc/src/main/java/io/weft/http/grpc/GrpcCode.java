package io.weft.http.grpc;

/// The codes of a [GrpcStatus], in the order of their numbers.
public enum GrpcCode {
    /// The call succeeded.
    OK(0),
    /// The caller gave the call up.
    CANCELLED(1),
    /// A failure that says no more.
    UNKNOWN(2),
    /// The request is wrong, whatever the state of the system.
    INVALID_ARGUMENT(3),
    /// The time was over before the call was.
    DEADLINE_EXCEEDED(4),
    /// Something that was asked for is not there.
    NOT_FOUND(5),
    /// Something that was to be made is there.
    ALREADY_EXISTS(6),
    /// The caller may not do this.
    PERMISSION_DENIED(7),
    /// A quota, a limit or memory is exhausted.
    RESOURCE_EXHAUSTED(8),
    /// The system is not in the state that the call needs.
    FAILED_PRECONDITION(9),
    /// The call was aborted, as by a conflict of transactions.
    ABORTED(10),
    /// Beyond the valid range.
    OUT_OF_RANGE(11),
    /// There is no such service, method or coding here.
    UNIMPLEMENTED(12),
    /// Something that always holds does not.
    INTERNAL(13),
    /// The service cannot be reached now; the call may be repeated.
    UNAVAILABLE(14),
    /// Data is lost or corrupted for good.
    DATA_LOSS(15),
    /// The caller did not say who it is.
    UNAUTHENTICATED(16);

    private static final GrpcCode[] CODES = values();

    private final int number;

    GrpcCode(int number) {
        this.number = number;
    }

    /// Returns the code of a number; [#UNKNOWN] for one that has none.
    public static GrpcCode of(int number) {
        return number >= 0 && number < CODES.length ? CODES[number] : UNKNOWN;
    }

    /// Returns the number, as it is on the wire.
    public int number() {
        return number;
    }

    /// The code for a response of HTTP that is no answer of gRPC.
    static GrpcCode ofHttp(int status) {
        return switch (status) {
            case 400 -> INTERNAL;
            case 401 -> UNAUTHENTICATED;
            case 403 -> PERMISSION_DENIED;
            case 404 -> UNIMPLEMENTED;
            case 429, 502, 503, 504 -> UNAVAILABLE;
            default -> UNKNOWN;
        };
    }
}
