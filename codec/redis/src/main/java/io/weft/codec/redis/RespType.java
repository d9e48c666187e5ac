package io.weft.codec.redis;

import org.jspecify.annotations.Nullable;

/// Types of values, by their first byte on the wire.
public enum RespType {
    SIMPLE_STRING('+'),
    SIMPLE_ERROR('-'),
    INTEGER(':'),
    BULK('$'),
    ARRAY('*'),
    NULL('_'),
    DOUBLE(','),
    BOOLEAN('#'),
    BULK_ERROR('!'),
    VERBATIM('='),
    BIG_NUMBER('('),
    MAP('%'),
    SET('~'),
    ATTRIBUTE('|'),
    PUSH('>');

    private static final @Nullable RespType[] BY_BYTE = new RespType[128];

    static {
        for (RespType type : values()) {
            BY_BYTE[type.prefix] = type;
        }
    }

    private final byte prefix;

    RespType(char prefix) {
        this.prefix = (byte) prefix;
    }

    /// The first byte of such a value.
    public byte prefix() {
        return prefix;
    }

    /// The type whose values begin with `prefix`; null if there is none.
    static @Nullable RespType of(byte prefix) {
        return prefix < 0 ? null : BY_BYTE[prefix];
    }

    /// Tells if values of this type have elements.
    public boolean isAggregate() {
        return switch (this) {
            case ARRAY, MAP, SET, ATTRIBUTE, PUSH -> true;
            default -> false;
        };
    }

    /// Tells if values of this type have a length and content of any bytes.
    public boolean isBulk() {
        return this == BULK || this == BULK_ERROR || this == VERBATIM;
    }

    /// Tells if elements come in pairs of a key and its value.
    boolean isOfPairs() {
        return this == MAP || this == ATTRIBUTE;
    }

    /// Tells if the length may be left open: elements until a dot, or a string in chunks.
    boolean isStreamable() {
        return this == BULK || this == ARRAY || this == MAP || this == SET;
    }
}
