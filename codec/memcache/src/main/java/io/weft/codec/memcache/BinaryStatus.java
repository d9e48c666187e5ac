package io.weft.codec.memcache;

import org.jspecify.annotations.Nullable;

/// Statuses of binary responses.
public enum BinaryStatus {
    OK(0),
    KEY_NOT_FOUND(1),
    KEY_EXISTS(2),
    TOO_LARGE(3),
    INVALID(4),
    NOT_STORED(5),
    /// The value is not a number.
    NOT_A_NUMBER(6),
    WRONG_VBUCKET(7),
    AUTH_ERROR(0x20),
    /// Authentication goes on with another step.
    AUTH_CONTINUE(0x21),
    UNKNOWN_COMMAND(0x81),
    OUT_OF_MEMORY(0x82),
    NOT_SUPPORTED(0x83),
    INTERNAL_ERROR(0x84),
    BUSY(0x85),
    TEMPORARY_FAILURE(0x86);

    private static final BinaryStatus[] ALL = values();

    private final int number;

    BinaryStatus(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /// The status with this number; null if it is not known.
    public static @Nullable BinaryStatus of(int number) {
        for (BinaryStatus status : ALL) {
            if (status.number == number) {
                return status;
            }
        }
        return null;
    }
}
