package io.weft.codec.mqtt;

/// Types of control packets, in the order of their numbers, which begin with 1.
public enum PacketType {
    CONNECT(1),
    CONNACK(2),
    PUBLISH(3),
    PUBACK(4),
    PUBREC(5),
    PUBREL(6),
    PUBCOMP(7),
    SUBSCRIBE(8),
    SUBACK(9),
    UNSUBSCRIBE(10),
    UNSUBACK(11),
    PINGREQ(12),
    PINGRESP(13),
    DISCONNECT(14),
    AUTH(15);

    private static final PacketType[] ALL = values();

    private final int number;

    PacketType(int number) {
        this.number = number;
    }

    /// The number in the upper half of a packet's first byte: 1 to 15.
    public int number() {
        return number;
    }

    /// @throws IllegalArgumentException unless 1 to 15
    public static PacketType of(int number) {
        if (number < 1 || number > 15) {
            throw new IllegalArgumentException("packet type: " + number + " (expected: 1 to 15)");
        }
        return ALL[number - 1];
    }

    /// The lower half of the first byte of a packet that is no PUBLISH.
    int flags() {
        return this == PUBREL || this == SUBSCRIBE || this == UNSUBSCRIBE ? 2 : 0;
    }

    /// Tells if clients send such packets in `version`.
    boolean isFromClient(MqttVersion version) {
        return switch (this) {
            case CONNACK, SUBACK, UNSUBACK, PINGRESP -> false;
            case AUTH -> version.isV5();
            default -> true;
        };
    }

    /// Tells if servers send such packets in `version`.
    boolean isFromServer(MqttVersion version) {
        return switch (this) {
            case CONNECT, SUBSCRIBE, UNSUBSCRIBE, PINGREQ -> false;
            case AUTH, DISCONNECT -> version.isV5();
            default -> true;
        };
    }
}
