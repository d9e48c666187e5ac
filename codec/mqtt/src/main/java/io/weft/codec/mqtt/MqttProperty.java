package io.weft.codec.mqtt;

import static io.weft.codec.mqtt.PacketType.AUTH;
import static io.weft.codec.mqtt.PacketType.CONNACK;
import static io.weft.codec.mqtt.PacketType.CONNECT;
import static io.weft.codec.mqtt.PacketType.DISCONNECT;
import static io.weft.codec.mqtt.PacketType.PUBACK;
import static io.weft.codec.mqtt.PacketType.PUBCOMP;
import static io.weft.codec.mqtt.PacketType.PUBLISH;
import static io.weft.codec.mqtt.PacketType.PUBREC;
import static io.weft.codec.mqtt.PacketType.PUBREL;
import static io.weft.codec.mqtt.PacketType.SUBACK;
import static io.weft.codec.mqtt.PacketType.SUBSCRIBE;
import static io.weft.codec.mqtt.PacketType.UNSUBACK;
import static io.weft.codec.mqtt.PacketType.UNSUBSCRIBE;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A property of MQTT 5.0 (2.2.2.2): its identifier, type and range, and the packets that it may
/// stand in. There are 27.
///
/// @param <T> its values: Integer for one and two bytes, Long for four, Integer for variable ones,
///   Boolean for bytes that are 0 or 1, String, [Binary], [UserProperty]
public final class MqttProperty<T> {
    /// Encodings of values.
    enum Form {
        BOOLEAN,
        BYTE,
        TWO_BYTES,
        FOUR_BYTES,
        VARIABLE,
        TEXT,
        TOPIC,
        BINARY,
        PAIR
    }

    /// The place of properties of a will, which is no packet of its own.
    static final int WILL = 1;

    private static final long U16 = 0xFFFF;
    private static final long U32 = 0xFFFF_FFFFL;
    private static final int MOST_ID = 0x2A;
    private static final @Nullable Object[] BY_ID = new @Nullable Object[MOST_ID + 1];
    private static final List<MqttProperty<?>> ALL = new ArrayList<>();

    public static final MqttProperty<Boolean> PAYLOAD_FORMAT_INDICATOR =
            new MqttProperty<Boolean>(0x01, "payload format indicator", Form.BOOLEAN, 0, 1)
                    .in(PUBLISH)
                    .inWill();

    /// Seconds.
    public static final MqttProperty<Long> MESSAGE_EXPIRY_INTERVAL =
            new MqttProperty<Long>(0x02, "message expiry interval", Form.FOUR_BYTES, 0, U32)
                    .in(PUBLISH)
                    .inWill();

    public static final MqttProperty<String> CONTENT_TYPE =
            new MqttProperty<String>(0x03, "content type", Form.TEXT).in(PUBLISH).inWill();

    /// A topic: without wildcards.
    public static final MqttProperty<String> RESPONSE_TOPIC =
            new MqttProperty<String>(0x08, "response topic", Form.TOPIC).in(PUBLISH).inWill();

    public static final MqttProperty<Binary> CORRELATION_DATA =
            new MqttProperty<Binary>(0x09, "correlation data", Form.BINARY).in(PUBLISH).inWill();

    /// In a PUBLISH that a server sends, once for each subscription that matched.
    public static final MqttProperty<Integer> SUBSCRIPTION_IDENTIFIER =
            new MqttProperty<Integer>(
                            0x0B, "subscription identifier", Form.VARIABLE, 1, 268_435_455)
                    .in(PUBLISH, SUBSCRIBE);

    /// Seconds; 4,294,967,295 for ever.
    public static final MqttProperty<Long> SESSION_EXPIRY_INTERVAL =
            new MqttProperty<Long>(0x11, "session expiry interval", Form.FOUR_BYTES, 0, U32)
                    .in(CONNECT, CONNACK, DISCONNECT);

    public static final MqttProperty<String> ASSIGNED_CLIENT_IDENTIFIER =
            new MqttProperty<String>(0x12, "assigned client identifier", Form.TEXT).in(CONNACK);

    /// Seconds.
    public static final MqttProperty<Integer> SERVER_KEEP_ALIVE =
            new MqttProperty<Integer>(0x13, "server keep alive", Form.TWO_BYTES, 0, U16)
                    .in(CONNACK);

    public static final MqttProperty<String> AUTHENTICATION_METHOD =
            new MqttProperty<String>(0x15, "authentication method", Form.TEXT)
                    .in(CONNECT, CONNACK, AUTH);

    public static final MqttProperty<Binary> AUTHENTICATION_DATA =
            new MqttProperty<Binary>(0x16, "authentication data", Form.BINARY)
                    .in(CONNECT, CONNACK, AUTH);

    public static final MqttProperty<Boolean> REQUEST_PROBLEM_INFORMATION =
            new MqttProperty<Boolean>(0x17, "request problem information", Form.BOOLEAN, 0, 1)
                    .in(CONNECT);

    /// Seconds.
    public static final MqttProperty<Long> WILL_DELAY_INTERVAL =
            new MqttProperty<Long>(0x18, "will delay interval", Form.FOUR_BYTES, 0, U32).inWill();

    public static final MqttProperty<Boolean> REQUEST_RESPONSE_INFORMATION =
            new MqttProperty<Boolean>(0x19, "request response information", Form.BOOLEAN, 0, 1)
                    .in(CONNECT);

    public static final MqttProperty<String> RESPONSE_INFORMATION =
            new MqttProperty<String>(0x1A, "response information", Form.TEXT).in(CONNACK);

    public static final MqttProperty<String> SERVER_REFERENCE =
            new MqttProperty<String>(0x1C, "server reference", Form.TEXT).in(CONNACK, DISCONNECT);

    public static final MqttProperty<String> REASON_STRING =
            new MqttProperty<String>(0x1F, "reason string", Form.TEXT)
                    .in(
                            CONNACK,
                            PUBACK,
                            PUBREC,
                            PUBREL,
                            PUBCOMP,
                            SUBACK,
                            UNSUBACK,
                            DISCONNECT,
                            AUTH);

    /// Messages of QoS 1 and 2 in flight to the one who says it.
    public static final MqttProperty<Integer> RECEIVE_MAXIMUM =
            new MqttProperty<Integer>(0x21, "receive maximum", Form.TWO_BYTES, 1, U16)
                    .in(CONNECT, CONNACK);

    public static final MqttProperty<Integer> TOPIC_ALIAS_MAXIMUM =
            new MqttProperty<Integer>(0x22, "topic alias maximum", Form.TWO_BYTES, 0, U16)
                    .in(CONNECT, CONNACK);

    public static final MqttProperty<Integer> TOPIC_ALIAS =
            new MqttProperty<Integer>(0x23, "topic alias", Form.TWO_BYTES, 1, U16).in(PUBLISH);

    /// 0 or 1.
    public static final MqttProperty<Integer> MAXIMUM_QOS =
            new MqttProperty<Integer>(0x24, "maximum QoS", Form.BYTE, 0, 1).in(CONNACK);

    public static final MqttProperty<Boolean> RETAIN_AVAILABLE =
            new MqttProperty<Boolean>(0x25, "retain available", Form.BOOLEAN, 0, 1).in(CONNACK);

    public static final MqttProperty<UserProperty> USER_PROPERTY =
            new MqttProperty<UserProperty>(0x26, "user property", Form.PAIR)
                    .in(
                            CONNECT,
                            CONNACK,
                            PUBLISH,
                            PUBACK,
                            PUBREC,
                            PUBREL,
                            PUBCOMP,
                            SUBSCRIBE,
                            SUBACK,
                            UNSUBSCRIBE,
                            UNSUBACK,
                            DISCONNECT,
                            AUTH)
                    .inWill();

    /// Bytes, fixed header included.
    public static final MqttProperty<Long> MAXIMUM_PACKET_SIZE =
            new MqttProperty<Long>(0x27, "maximum packet size", Form.FOUR_BYTES, 1, U32)
                    .in(CONNECT, CONNACK);

    public static final MqttProperty<Boolean> WILDCARD_SUBSCRIPTION_AVAILABLE =
            new MqttProperty<Boolean>(0x28, "wildcard subscription available", Form.BOOLEAN, 0, 1)
                    .in(CONNACK);

    public static final MqttProperty<Boolean> SUBSCRIPTION_IDENTIFIERS_AVAILABLE =
            new MqttProperty<Boolean>(
                            0x29, "subscription identifiers available", Form.BOOLEAN, 0, 1)
                    .in(CONNACK);

    public static final MqttProperty<Boolean> SHARED_SUBSCRIPTION_AVAILABLE =
            new MqttProperty<Boolean>(0x2A, "shared subscription available", Form.BOOLEAN, 0, 1)
                    .in(CONNACK);

    private final int id;
    private final String label;
    final Form form;
    final long least;
    final long most;

    /// A bit for each packet type, by its number, and for [#WILL]s bit 0.
    private int places;

    private MqttProperty(int id, String label, Form form) {
        this(id, label, form, 0, 0);
    }

    private MqttProperty(int id, String label, Form form, long least, long most) {
        this.id = id;
        this.label = label;
        this.form = form;
        this.least = least;
        this.most = most;
        BY_ID[id] = this;
        ALL.add(this);
    }

    private MqttProperty<T> in(PacketType... types) {
        for (PacketType type : types) {
            places |= place(type);
        }
        return this;
    }

    private MqttProperty<T> inWill() {
        places |= WILL;
        return this;
    }

    static int place(PacketType type) {
        return 1 << type.number();
    }

    /// The identifier on the wire.
    public int id() {
        return id;
    }

    /// Returns the property of an identifier; null when there is none.
    public static @Nullable MqttProperty<?> of(int id) {
        return id < 0 || id > MOST_ID ? null : (MqttProperty<?>) BY_ID[id];
    }

    /// All properties, in the order of their identifiers.
    public static List<MqttProperty<?>> all() {
        return List.copyOf(ALL);
    }

    /// Tells if packets of `type` may have it.
    public boolean isOf(PacketType type) {
        return isAt(place(type));
    }

    /// Tells if wills may have it.
    public boolean isOfWills() {
        return isAt(WILL);
    }

    boolean isAt(int place) {
        return (places & place) != 0;
    }

    /// Tells if it may come several times: user properties, and subscription identifiers of a
    /// PUBLISH.
    public boolean mayRepeatIn(PacketType type) {
        return repeats(place(type));
    }

    boolean repeats(int place) {
        return form == Form.PAIR || (form == Form.VARIABLE && place == place(PUBLISH));
    }

    /// The reason code to answer a value outside its range with.
    ReasonCode fault() {
        return id == 0x23 ? ReasonCode.TOPIC_ALIAS_INVALID : ReasonCode.PROTOCOL_ERROR;
    }

    /// The name that the specification gives it, in lower case.
    @Override
    public String toString() {
        return label;
    }
}
