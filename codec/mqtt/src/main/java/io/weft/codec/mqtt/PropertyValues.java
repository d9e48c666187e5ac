package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Utf8Rules;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/// Values of properties in their encoded form, which is known to be well-formed when it is read.
final class PropertyValues {
    private PropertyValues() {}

    /// Index behind the property whose identifier is at `at`.
    static int end(byte[] b, int at) {
        MqttProperty<?> property = MqttProperty.of(b[at]);
        if (property == null) {
            throw new AssertionError("property " + b[at] + " (expected: checked before)");
        }
        int value = at + 1;
        return switch (property.form) {
            case BOOLEAN, BYTE -> value + 1;
            case TWO_BYTES -> value + 2;
            case FOUR_BYTES -> value + 4;
            case VARIABLE -> {
                int i = value;
                while (b[i] < 0) {
                    i++;
                }
                yield i + 1;
            }
            case TEXT, TOPIC, BINARY -> value + 2 + u16(b, value);
            case PAIR -> {
                int second = value + 2 + u16(b, value);
                yield second + 2 + u16(b, second);
            }
        };
    }

    private static int u16(byte[] b, int at) {
        return (b[at] & 0xFF) << 8 | (b[at + 1] & 0xFF);
    }

    static long number(byte[] b, int at, MqttProperty<?> property) {
        return switch (property.form) {
            case BOOLEAN, BYTE -> b[at];
            case TWO_BYTES -> u16(b, at);
            case FOUR_BYTES -> (long) u16(b, at) << 16 | u16(b, at + 2);
            case VARIABLE -> {
                int value = 0;
                for (int i = at, shift = 0; ; i++, shift += 7) {
                    value |= (b[i] & 0x7F) << shift;
                    if (b[i] >= 0) {
                        yield value;
                    }
                }
            }
            case TEXT, TOPIC, BINARY, PAIR ->
                    throw new IllegalArgumentException(
                            property + ": no number (expected: a property that is one)");
        };
    }

    // The constants of MqttProperty say which type goes with which form.
    @SuppressWarnings("unchecked")
    static <T> T read(byte[] b, int at, MqttProperty<T> property) {
        return (T)
                switch (property.form) {
                    case BOOLEAN -> (Object) (b[at] != 0);
                    case BYTE, TWO_BYTES, VARIABLE -> (Object) (int) number(b, at, property);
                    case FOUR_BYTES -> (Object) number(b, at, property);
                    case TEXT, TOPIC -> text(b, at);
                    case BINARY -> new Binary(Arrays.copyOfRange(b, at + 2, at + 2 + u16(b, at)));
                    case PAIR -> new UserProperty(text(b, at), text(b, at + 2 + u16(b, at)));
                };
    }

    private static String text(byte[] b, int at) {
        return MqttProperties.text(b, at + 2, u16(b, at));
    }

    /// @throws IllegalArgumentException when the value is out of its range
    static void write(ByteArrayOutputStream out, MqttProperty<?> property, Object value) {
        switch (property.form) {
            case BOOLEAN -> out.write(((Boolean) value) ? 1 : 0);
            case BYTE -> out.write((int) checked(property, (Integer) value));
            case TWO_BYTES -> u16(out, (int) checked(property, (Integer) value));
            case FOUR_BYTES -> {
                long number = checked(property, (Long) value);
                u16(out, (int) (number >>> 16));
                u16(out, (int) number);
            }
            case VARIABLE -> {
                long rest = checked(property, (Integer) value);
                for (; rest > 0x7F; rest >>>= 7) {
                    out.write(((int) rest & 0x7F) | 0x80);
                }
                out.write((int) rest);
            }
            case TEXT -> data(out, Utf8Rules.encode(property.toString(), (String) value));
            case TOPIC -> data(out, Topic.of((String) value).utf8);
            case BINARY -> data(out, ((Binary) value).bytes);
            case PAIR -> {
                UserProperty pair = (UserProperty) value;
                data(out, Utf8Rules.encode("name of a user property", pair.name()));
                data(out, Utf8Rules.encode("value of a user property", pair.value()));
            }
        }
    }

    private static long checked(MqttProperty<?> property, long value) {
        if (value < property.least || value > property.most) {
            throw new IllegalArgumentException(
                    property
                            + ": "
                            + value
                            + " (expected: "
                            + property.least
                            + " to "
                            + property.most
                            + ")");
        }
        return value;
    }

    private static void data(ByteArrayOutputStream out, byte[] bytes) {
        u16(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void u16(ByteArrayOutputStream out, int value) {
        out.write(value >>> 8);
        out.write(value);
    }
}
