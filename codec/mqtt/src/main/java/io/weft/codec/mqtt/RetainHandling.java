package io.weft.codec.mqtt;

/// The retained messages that a new subscription gets.
public enum RetainHandling {
    /// All that match; the only one before MQTT 5.0.
    SEND(0),
    /// All that match, unless the subscription was there before.
    SEND_IF_NEW(1),
    /// None.
    DO_NOT_SEND(2);

    private final int number;

    RetainHandling(int number) {
        this.number = number;
    }

    /// The number on the wire.
    public int number() {
        return number;
    }

    /// @throws IllegalArgumentException unless 0 to 2
    public static RetainHandling of(int number) {
        return switch (number) {
            case 0 -> SEND;
            case 1 -> SEND_IF_NEW;
            case 2 -> DO_NOT_SEND;
            default ->
                    throw new IllegalArgumentException(
                            "retain handling: " + number + " (expected: 0 to 2)");
        };
    }
}
