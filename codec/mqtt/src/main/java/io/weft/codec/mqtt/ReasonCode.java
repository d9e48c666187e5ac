package io.weft.codec.mqtt;

import static io.weft.codec.mqtt.PacketType.AUTH;
import static io.weft.codec.mqtt.PacketType.CONNACK;
import static io.weft.codec.mqtt.PacketType.DISCONNECT;
import static io.weft.codec.mqtt.PacketType.PUBACK;
import static io.weft.codec.mqtt.PacketType.PUBCOMP;
import static io.weft.codec.mqtt.PacketType.PUBREC;
import static io.weft.codec.mqtt.PacketType.PUBREL;
import static io.weft.codec.mqtt.PacketType.SUBACK;
import static io.weft.codec.mqtt.PacketType.UNSUBACK;

import org.jspecify.annotations.Nullable;

/// Results of operations (MQTT 5.0, 2.4): below 0x80 the operation succeeded.
///
/// The return codes of CONNACK before 5.0 appear as the reason codes of the same meaning. A CONNACK
/// with another one has there the return code that comes nearest; see [#returnCode()].
public enum ReasonCode {
    /// Also: normal disconnection (DISCONNECT), granted QoS 0 (SUBACK).
    SUCCESS(0x00, CONNACK, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBACK, UNSUBACK, DISCONNECT, AUTH),
    GRANTED_QOS_1(0x01, SUBACK),
    GRANTED_QOS_2(0x02, SUBACK),
    DISCONNECT_WITH_WILL(0x04, DISCONNECT),
    NO_MATCHING_SUBSCRIBERS(0x10, PUBACK, PUBREC),
    NO_SUBSCRIPTION_EXISTED(0x11, UNSUBACK),
    CONTINUE_AUTHENTICATION(0x18, AUTH),
    REAUTHENTICATE(0x19, AUTH),
    UNSPECIFIED_ERROR(0x80, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    MALFORMED_PACKET(0x81, CONNACK, DISCONNECT),
    PROTOCOL_ERROR(0x82, CONNACK, DISCONNECT),
    IMPLEMENTATION_SPECIFIC_ERROR(0x83, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    UNSUPPORTED_PROTOCOL_VERSION(0x84, CONNACK),
    CLIENT_IDENTIFIER_NOT_VALID(0x85, CONNACK),
    BAD_USER_NAME_OR_PASSWORD(0x86, CONNACK),
    NOT_AUTHORIZED(0x87, CONNACK, PUBACK, PUBREC, SUBACK, UNSUBACK, DISCONNECT),
    SERVER_UNAVAILABLE(0x88, CONNACK),
    SERVER_BUSY(0x89, CONNACK, DISCONNECT),
    BANNED(0x8A, CONNACK),
    SERVER_SHUTTING_DOWN(0x8B, DISCONNECT),
    BAD_AUTHENTICATION_METHOD(0x8C, CONNACK, DISCONNECT),
    KEEP_ALIVE_TIMEOUT(0x8D, DISCONNECT),
    SESSION_TAKEN_OVER(0x8E, DISCONNECT),
    TOPIC_FILTER_INVALID(0x8F, SUBACK, UNSUBACK, DISCONNECT),
    TOPIC_NAME_INVALID(0x90, CONNACK, PUBACK, PUBREC, DISCONNECT),
    PACKET_IDENTIFIER_IN_USE(0x91, PUBACK, PUBREC, SUBACK, UNSUBACK),
    PACKET_IDENTIFIER_NOT_FOUND(0x92, PUBREL, PUBCOMP),
    RECEIVE_MAXIMUM_EXCEEDED(0x93, DISCONNECT),
    TOPIC_ALIAS_INVALID(0x94, DISCONNECT),
    PACKET_TOO_LARGE(0x95, CONNACK, DISCONNECT),
    MESSAGE_RATE_TOO_HIGH(0x96, DISCONNECT),
    QUOTA_EXCEEDED(0x97, CONNACK, PUBACK, PUBREC, SUBACK, DISCONNECT),
    ADMINISTRATIVE_ACTION(0x98, DISCONNECT),
    PAYLOAD_FORMAT_INVALID(0x99, CONNACK, PUBACK, PUBREC, DISCONNECT),
    RETAIN_NOT_SUPPORTED(0x9A, CONNACK, DISCONNECT),
    QOS_NOT_SUPPORTED(0x9B, CONNACK, DISCONNECT),
    USE_ANOTHER_SERVER(0x9C, CONNACK, DISCONNECT),
    SERVER_MOVED(0x9D, CONNACK, DISCONNECT),
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED(0x9E, SUBACK, DISCONNECT),
    CONNECTION_RATE_EXCEEDED(0x9F, CONNACK, DISCONNECT),
    MAXIMUM_CONNECT_TIME(0xA0, DISCONNECT),
    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED(0xA1, SUBACK, DISCONNECT),
    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED(0xA2, SUBACK, DISCONNECT);

    private static final @Nullable ReasonCode[] BY_NUMBER = new @Nullable ReasonCode[256];

    /// Of CONNACK before 5.0, in the order of its return codes.
    private static final ReasonCode[] RETURN_CODES = {
        SUCCESS,
        UNSUPPORTED_PROTOCOL_VERSION,
        CLIENT_IDENTIFIER_NOT_VALID,
        SERVER_UNAVAILABLE,
        BAD_USER_NAME_OR_PASSWORD,
        NOT_AUTHORIZED
    };

    static {
        for (ReasonCode code : values()) {
            BY_NUMBER[code.number] = code;
        }
    }

    private final int number;

    /// A bit for each packet type, by its number.
    private final int packets;

    ReasonCode(int number, PacketType... packets) {
        this.number = number;
        int bits = 0;
        for (PacketType type : packets) {
            bits |= 1 << type.number();
        }
        this.packets = bits;
    }

    /// The byte on the wire of MQTT 5.0.
    public int number() {
        return number;
    }

    public boolean isError() {
        return number >= 0x80;
    }

    /// Tells if packets of `type` may say so.
    public boolean isOf(PacketType type) {
        return (packets >> type.number() & 1) != 0;
    }

    /// Returns the code of a byte; null when none is assigned to it.
    public static @Nullable ReasonCode of(int number) {
        return number < 0 || number > 255 ? null : BY_NUMBER[number];
    }

    /// Returns the success of a subscription (SUBACK).
    public static ReasonCode granted(QoS qos) {
        return switch (qos) {
            case AT_MOST_ONCE -> SUCCESS;
            case AT_LEAST_ONCE -> GRANTED_QOS_1;
            case EXACTLY_ONCE -> GRANTED_QOS_2;
        };
    }

    /// Returns the return code of CONNACK before 5.0 that comes nearest: 0 to 5.
    public int returnCode() {
        return switch (this) {
            case SUCCESS -> 0;
            case UNSUPPORTED_PROTOCOL_VERSION -> 1;
            case CLIENT_IDENTIFIER_NOT_VALID -> 2;
            case BAD_USER_NAME_OR_PASSWORD -> 4;
            case NOT_AUTHORIZED, BANNED, BAD_AUTHENTICATION_METHOD -> 5;
            default -> 3;
        };
    }

    static @Nullable ReasonCode ofReturnCode(int code) {
        return code < RETURN_CODES.length ? RETURN_CODES[code] : null;
    }
}
