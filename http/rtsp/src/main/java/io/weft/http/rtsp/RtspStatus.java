package io.weft.http.rtsp;

import io.weft.http.model.Status;

/// The status codes that RTSP has and HTTP has not, or has for something else (RFC 2326, 11.3; RFC
/// 7826, 17.4 and 17.5). For all others, [Status] has the constants.
public final class RtspStatus {
    public static final Status LOW_ON_STORAGE_SPACE = Status.of(250);
    public static final Status PARAMETER_NOT_UNDERSTOOD = Status.of(451);
    public static final Status NOT_ENOUGH_BANDWIDTH = Status.of(453);
    public static final Status SESSION_NOT_FOUND = Status.of(454);
    public static final Status METHOD_NOT_VALID_IN_THIS_STATE = Status.of(455);
    public static final Status HEADER_FIELD_NOT_VALID = Status.of(456);
    public static final Status INVALID_RANGE = Status.of(457);
    public static final Status PARAMETER_IS_READ_ONLY = Status.of(458);
    public static final Status AGGREGATE_OPERATION_NOT_ALLOWED = Status.of(459);
    public static final Status ONLY_AGGREGATE_OPERATION_ALLOWED = Status.of(460);
    public static final Status UNSUPPORTED_TRANSPORT = Status.of(461);
    public static final Status DESTINATION_UNREACHABLE = Status.of(462);
    public static final Status VERSION_NOT_SUPPORTED = Status.of(505);
    public static final Status OPTION_NOT_SUPPORTED = Status.of(551);

    private RtspStatus() {}

    /// Returns the phrase that RTSP has for `status`, or HTTP's where RTSP has none.
    public static String reason(Status status) {
        return switch (status.code()) {
            case 250 -> "Low on Storage Space";
            case 451 -> "Parameter Not Understood";
            case 453 -> "Not Enough Bandwidth";
            case 454 -> "Session Not Found";
            case 455 -> "Method Not Valid in This State";
            case 456 -> "Header Field Not Valid for Resource";
            case 457 -> "Invalid Range";
            case 458 -> "Parameter Is Read-Only";
            case 459 -> "Aggregate Operation Not Allowed";
            case 460 -> "Only Aggregate Operation Allowed";
            case 461 -> "Unsupported Transport";
            case 462 -> "Destination Unreachable";
            case 505 -> "RTSP Version Not Supported";
            case 551 -> "Option Not Supported";
            default -> status.reason();
        };
    }
}
